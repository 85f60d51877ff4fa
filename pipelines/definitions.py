"""What Dagster knows: ``dagster dev -m pipelines.definitions`` with ``YUANZI_HOME`` set. No asset is defined here."""

import dagster as dg

from pipelines.defs import jobs, sensors
from pipelines.defs.audit import assets as audit
from pipelines.defs.balance import assets as balance
from pipelines.defs.intake import assets as intake
from pipelines.defs.publish import assets as publish
from pipelines.defs.ratings import assets as ratings
from pipelines.defs.referee import assets as referee
from pipelines.defs.registry import assets as registry
from pipelines.defs.resources import Home
from pipelines.defs.selection import assets as selection
from pipelines.defs.settlement import assets as settlement
from pipelines.defs.standings import assets as standings

INTAKE = [intake.raw_file]
BY_FILE = [intake.raw_record, referee.judged]
BY_STATE = [
    selection.selected, registry.registered, settlement.settled, audit.audited, standings.stood, ratings.rated,
    balance.balanced, publish.put_out,
]  # fmt: skip

defs = dg.Definitions(
    assets=[*INTAKE, *BY_FILE, *BY_STATE],
    jobs=[jobs.receive, jobs.judge, jobs.publish],
    sensors=[sensors.inbox],
    resources={"warehouse": Home()},
    # A step of the multiprocess executor costs seconds to start, more than most steps take.
    executor=dg.in_process_executor,
)
