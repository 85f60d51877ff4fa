"""The whole pipeline on a home folder, without any server: receive, judge what is new, publish what changed.

Runs in this process through ``dagster.materialize``. Once the Dagster UI has been opened on a home (``dagster_home``),
its runs are on record there; before that nobody could look at the record, and none is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.warehouse import Progress, Received, Warehouse

if TYPE_CHECKING:
    from collections.abc import Iterator

    import dagster as dg

#: Where Dagster keeps its records, and that it tells nobody. Steps write to no log files: their output is ours.
_DAGSTER_YAML = """\
telemetry:
  enabled: false
nux:
  enabled: false
compute_logs:
  module: dagster._core.storage.noop_compute_log_manager
  class: NoOpComputeLogManager
run_coordinator:
  module: dagster._core.run_coordinator
  class: DefaultRunCoordinator
"""


@dataclass(frozen=True)
class RunReport:
    """What a run found.

    ``new`` are the files received now, ``files`` the number of all that are judged; ``failures`` what failed (a file's
    name or an asset's) and why; ``snapshot`` the file that readers open now (None: there is none).
    """

    home: Path
    new: tuple[Received, ...]
    files: int
    failures: Mapping[str, str]
    snapshot: Path | None = field(default=None)

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.failures


def dagster_home(home: Path) -> Path:
    """The folder of Dagster's records for a home (``DAGSTER_HOME``), made and set up if need be."""
    folder = home.absolute() / ".dagster"
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "dagster.yaml"
    if not settings.exists():
        settings.write_text(_DAGSTER_YAML, encoding="utf-8")
    return folder


def run(home: Path, rulesets: Path | None = None, progress: Progress | None = None) -> RunReport:
    """Take in what is in ``<home>/inbox``, judge the files that are not judged yet, publish if anything changed.

    ``rulesets`` is the folder of a club's own rulesets (``<home>/rulesets`` unless given); ``progress`` is told the
    stage ("intake", "records", "referee", "tables"), what is done and the total. What fails is in the report.

    :raises pipelines.lock.Busy: another process works on this home.
    """
    from pipelines import definitions
    from pipelines.defs.publish.snapshot import is_published, pointer

    warehouse = Warehouse(home, rulesets, progress)
    with warehouse.lock:
        warehouse.sweep()
        known = {file.file_id for file in warehouse.all_received()}
        with _instance(warehouse.home) as instance:
            _materialize(warehouse, instance, definitions.INTAKE)
            received = warehouse.all_received()
            missing = {file.file_id for file in received if not warehouse.is_judged(file.file_id)}
            if missing:
                # One after the other: a file whose records cannot be taken in keeps no other from being judged.
                for number, asset in enumerate(definitions.BY_FILE):
                    ready = {file_id for file_id in missing if warehouse.has_records(file_id) or number == 0}
                    if ready:
                        _materialize(warehouse, instance, definitions.INTAKE + definitions.BY_FILE, [asset], ready)
            state = warehouse.choose_state()
            # Where nobody could look through the inbox, files may not be judged yet: what is published stays.
            if "raw_file" not in warehouse.failures and not is_published(warehouse, state):
                everything = [*definitions.INTAKE, *definitions.BY_FILE, *definitions.BY_STATE]
                _materialize(warehouse, instance, everything, definitions.BY_STATE)
        name = pointer(warehouse)
        return RunReport(
            home=warehouse.home,
            new=tuple(file for file in received if file.file_id not in known),
            files=len(state.files),
            failures=dict(warehouse.failures),
            snapshot=None if name is None else warehouse.published / name,
        )


@contextmanager
def _instance(home: Path) -> Iterator[dg.DagsterInstance]:
    import dagster as dg

    # Each event on disk costs several transactions, most of the time of a small run: only for who looks at them.
    recorded = (home / ".dagster" / "dagster.yaml").exists()
    with (
        dg.DagsterInstance.from_config(str(home / ".dagster"))
        if recorded
        else dg.DagsterInstance.ephemeral() as instance
    ):
        yield instance


def _materialize(
    warehouse: Warehouse, instance: dg.DagsterInstance, assets: Sequence[Any], selection: Sequence[Any] | None = None,
    files: set[str] | None = None,
) -> None:  # fmt: skip
    """One run of some assets; what fails in it is noted on the warehouse."""
    import dagster as dg

    from pipelines.defs.partitions import FILES

    tags = {}
    if files:
        assert FILES.name is not None
        keys = [key for key in instance.get_dynamic_partitions(FILES.name) if key in files]
        if not keys:
            # The intake failed before it named them.
            return
        tags = {"dagster/asset_partition_range_start": keys[0], "dagster/asset_partition_range_end": keys[-1]}
    result = dg.materialize(
        assets,
        selection=selection,
        instance=instance,
        resources={"warehouse": warehouse},
        tags=tags,
        raise_on_error=False,
        # What went wrong is in the report, and in the record of the run.
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
    )
    for event in result.get_step_failure_events():
        error = event.step_failure_data.error
        cause = error.cause if error and error.cause else error
        # Files that failed are named already, and checks will be.
        if cause is not None and cause.cls_name not in ("Failure", "DagsterAssetCheckFailedError"):
            warehouse.failures[event.step_key or ""] = cause.message.strip()
    for check in result.get_asset_check_evaluations():
        if check.blocking and not check.passed:
            warehouse.failures[check.check_name] = str({name: value.value for name, value in check.metadata.items()})
