"""The assets, stage by stage, one folder a stage: intake → referee → selection → registry → settlement → audit →
standings → ratings → balance → publish.

The key of an asset is the name of its table and of its ``.sql`` file. Judging and settling are `yuanzi_core`'s;
here it is only said what is made from what, when it may go on, and where it is kept.
"""

import warnings

# In use here, and covered by the bound on dagster's version.
warnings.filterwarnings("ignore", message="Parameter `backfill_policy` of function")
