"""The watched inbox: new files, once they are complete, become runs of the three jobs, one after the other.

All that decides is in ``pipelines.watching``; here it is only put as Dagster wants it.
"""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg

from pipelines.defs import jobs
from pipelines.defs.partitions import FILES, range_tags
from pipelines.warehouse import Warehouse
from pipelines.watching import Memory, Step, look, next_step

#: Seconds between two looks.
EVERY = 5
#: A run that has not begun to work so many seconds after it was asked for, and holds no lock, is taken for dead.
_TO_START = 120.0
_WORK = "yuanzi/work"


@dg.sensor(
    jobs=[jobs.receive, jobs.judge, jobs.publish],
    minimum_interval_seconds=EVERY,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Watches the inbox: takes in files that are complete, judges them and publishes.",
)
def inbox(context: dg.SensorEvaluationContext) -> dg.SensorResult:
    """One look at the inbox, and the run that is due, if one is and none is under way."""
    warehouse = Warehouse(Path(os.environ.get("YUANZI_HOME") or "data"))
    before, now = Memory.read(context.cursor), time.time()
    arrivals = look(warehouse, before.seen)
    asked = before.asked

    def result(skip: str | None, step: Step | None = None) -> dg.SensorResult:
        after = Memory(arrivals.seen, asked if step is None else asked.again(step, now))
        requests = [] if step is None else [_request(step, context.instance)]
        return dg.SensorResult(run_requests=requests, skip_reason=skip, cursor=after.written())

    if busy := warehouse.lock.busy():
        return result(f"{busy}")
    if _is_under_way(context.instance, now):
        return result("a run is under way")
    step = next_step(warehouse, arrivals, context.instance.get_dynamic_partitions(str(FILES.name)))
    if step is None:
        return result(f"{arrivals.waiting} files are still being written" if arrivals.waiting else "nothing is new")
    if not asked.may_again(step, now):
        return result(f"{step.key} was left undone; it is asked for again later")
    return result(None, step)


def _request(step: Step, instance: dg.DagsterInstance) -> dg.RunRequest:
    """The run of a step. Its key names the work and how often it was asked for before, so that none is run twice."""
    config = {"ops": {"raw_file": {"config": {"only": {name: [*mark] for name, mark in step.only.items()}}}}}
    return dg.RunRequest(
        run_key=f"{step.key}-{instance.get_runs_count(dg.RunsFilter(tags={_WORK: step.key}))}",
        job_name=step.job,
        run_config=config if step.job == "receive" else {},
        tags={**(range_tags(step.keys) if step.keys else {}), _WORK: step.key},
    )


def _is_under_way(instance: dg.DagsterInstance, now: float) -> bool:
    """Whether a run that was asked for lately has not come to its end; one that works on holds the lock."""
    lately = datetime.fromtimestamp(now - _TO_START, UTC)
    runs = instance.get_runs(dg.RunsFilter(created_after=lately))
    return any(_WORK in run.tags and not run.is_finished for run in runs)
