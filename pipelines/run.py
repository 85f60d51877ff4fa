"""The whole pipeline on a home folder, without any server: receive, judge what is new, publish what changed.

Runs in this process through ``dagster.materialize``. Once the Dagster UI has been opened on a home (``dagster_home``),
its runs are on record there; before that nobody could look at the record, and none is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.disk import DiskFull, is_full, says_full
from pipelines.lock import Busy
from pipelines.warehouse import Progress, Received, Warehouse

if TYPE_CHECKING:
    from collections.abc import Iterator

    import dagster as dg

    from pipelines.defs.intake.remembered import Mark

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
    name or an asset's) and why; ``snapshot`` the file that readers open now (None: there is none); ``changes`` the file
    with what it says differently about what was published before (None: nothing).
    """

    home: Path
    new: tuple[Received, ...]
    files: int
    failures: Mapping[str, str]
    snapshot: Path | None = field(default=None)
    changes: Path | None = field(default=None)

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


def run(
    home: Path, rulesets: Path | None = None, progress: Progress | None = None, wait: float = 0.0,
    waiting: Callable[[Busy], None] | None = None, only: Mapping[str, Mark] | None = None,
) -> RunReport:  # fmt: skip
    """Take in what is in ``<home>/inbox``, judge the files that are not judged yet, publish if anything changed.

    ``rulesets`` is the folder of a club's own rulesets (``<home>/rulesets`` unless given); ``progress`` is told the
    stage ("intake", "records", "referee", "tables"), what is done and the total. Where another run works on the home,
    this one waits for ``wait`` seconds, and ``waiting`` is told so. What fails is in the report.

    With ``only``, as a watcher finds them, only these files of the inbox are taken, and files that failed before under
    this engine are not tried again.

    :raises pipelines.lock.Busy: another process works on this home.
    :raises pipelines.disk.DiskFull: what was published before still is, and the next run goes on from here.
    """
    warehouse = Warehouse(home, rulesets, progress)
    warehouse.lock.wait, warehouse.lock.waiting = wait, waiting
    with warehouse.lock:
        warehouse.sweep()
        try:
            report = _run(warehouse, only)
        except Exception as error:
            if not is_full(error):
                raise
        else:
            if not any(says_full(why) for why in warehouse.failures.values()):
                return report
        # What was begun is only in the way now.
        warehouse.sweep()
        raise DiskFull(str(warehouse.home))


def _run(warehouse: Warehouse, only: Mapping[str, Mark] | None) -> RunReport:
    from pipelines import definitions
    from pipelines.defs.partitions import FILES, range_tags, stretch
    from pipelines.defs.publish.changes import path_of_changes
    from pipelines.defs.publish.snapshot import is_published, pointer
    from yuanzi_core.history import Histories

    known, former = {file.file_id for file in warehouse.all_received()}, pointer(warehouse)
    with _instance(warehouse.home) as instance:
        taking = {} if only is None else {"raw_file": {"config": {"only": {n: [*mark] for n, mark in only.items()}}}}
        _materialize(warehouse, instance, definitions.INTAKE, ops=taking)
        received = warehouse.all_received()
        missing = {file.file_id for file in received if not warehouse.is_judged(file.file_id)}
        failed = Histories(warehouse.lake).failed_before(warehouse.tag, missing) if only is not None else set()
        missing -= failed
        keys = instance.get_dynamic_partitions(str(FILES.name))
        while part := stretch(keys, missing, failed):
            part = [key for key in part if key in missing]
            missing.difference_update(part)
            # One after the other: a file whose records cannot be taken in keeps no other from being judged.
            for number, asset in enumerate(definitions.BY_FILE):
                ready = [key for key in part if warehouse.has_records(key) or number == 0]
                if ready:
                    assets = definitions.INTAKE + definitions.BY_FILE
                    _materialize(warehouse, instance, assets, [asset], tags=range_tags(ready))
        state = warehouse.choose_state()
        # Where nobody could look through the inbox, files may not be judged yet: what is published stays.
        if "raw_file" not in warehouse.failures and not is_published(warehouse, state):
            everything = [*definitions.INTAKE, *definitions.BY_FILE, *definitions.BY_STATE]
            _materialize(warehouse, instance, everything, definitions.BY_STATE)
    name = pointer(warehouse)
    changes = None if None in (former, name) else path_of_changes(warehouse, str(former), str(name))
    return RunReport(
        home=warehouse.home,
        new=tuple(file for file in received if file.file_id not in known),
        files=len(state.files),
        failures=dict(warehouse.failures),
        snapshot=None if name is None else warehouse.published / name,
        changes=changes if changes is not None and changes.exists() else None,
    )


@contextmanager
def _instance(home: Path) -> Iterator[dg.DagsterInstance]:
    import dagster as dg

    from pipelines.unrecorded import unrecorded_instance

    # Each event on disk costs several transactions, most of the time of a small run: only for who looks at them.
    recorded = (home / ".dagster" / "dagster.yaml").exists()
    with dg.DagsterInstance.from_config(str(home / ".dagster")) if recorded else unrecorded_instance() as instance:
        yield instance


def _materialize(
    warehouse: Warehouse, instance: dg.DagsterInstance, assets: Sequence[Any], selection: Sequence[Any] | None = None,
    tags: Mapping[str, str] | None = None, ops: Mapping[str, Any] | None = None,
) -> None:  # fmt: skip
    """One run of some assets, with the tags and the config of its steps; what fails in it is noted on the warehouse."""
    import dagster as dg

    result = dg.materialize(
        assets,
        selection=selection,
        instance=instance,
        resources={"warehouse": warehouse},
        tags=dict(tags or {}),
        raise_on_error=False,
        # What went wrong is in the report, and in the record of the run.
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}, "ops": dict(ops or {})},
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
