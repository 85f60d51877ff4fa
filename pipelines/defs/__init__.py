"""The assets, stage by stage: intake → referee → selection → settlement → audit → publish. One folder a stage.

The key of an asset is the name of its table and of its ``.sql`` file. Judging and settling are `yuanzi_core`'s;
here it is only said what is made from what, when it may go on, and where it is kept.
"""

import warnings

# In use here, and covered by the bound on dagster's version.
warnings.filterwarnings("ignore", message="Parameter `backfill_policy` of function")
