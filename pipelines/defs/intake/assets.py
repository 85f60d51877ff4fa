"""raw_file, raw_record."""

import time
from collections.abc import Callable

import dagster as dg

from pipelines.defs.intake.inbox import StillWritten, logs_in, receive
from pipelines.defs.intake.records import write_records
from pipelines.defs.intake.remembered import Remembered, mark_of
from pipelines.defs.partitions import FILES, ONE_RUN, each_file
from pipelines.defs.result import Result
from pipelines.disk import is_full, is_of_machine
from pipelines.warehouse import Received, Warehouse
from yuanzi_core.history import Histories


class Taking(dg.Config):
    """Which files of the inbox to take: those of the names in ``only`` that still bear the mark; all without it.

    A mark is that of ``remembered.Mark``. Who takes some only is a watcher that knows which are complete.
    """

    only: dict[str, list[int]] | None = None


@dg.asset(group_name="intake", kinds={"file"})
def raw_file(context: dg.AssetExecutionContext, config: Taking, warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """File contents received. Looks through the inbox; a content that is new gets into the lake and is a partition.

    A file is known by its content: to rename, move or delete a received file changes nothing.
    """
    with warehouse.lock:
        warehouse.inbox.mkdir(parents=True, exist_ok=True)
        logs = logs_in(warehouse.inbox)
        total, done, new = sum(size for _, _, size in logs), 0, 0
        failed: dict[str, str] = {}
        remembered, histories = Remembered(warehouse), Histories(warehouse.lake)
        for name, path, size in logs:
            start = done

            def tell(part: int, start: int = start) -> None:
                warehouse.progress("intake", start + part, total)

            try:
                mark, begun = mark_of(path), time.time_ns()
                if config.only is not None and config.only.get(name) != [*mark]:
                    remembered.leave(name)
                elif remembered.file(name, mark) is None:
                    try:
                        file, is_new = receive(warehouse, name, path, tell)
                    except OSError as error:
                        if not isinstance(error, StillWritten) and not is_of_machine(error):
                            remembered.note(name, path, mark, begun, None)
                        raise
                    histories.came(file.file_id, name)
                    remembered.note(name, path, mark, begun, file)
                    new += is_new
                else:
                    tell(size)
            except FileNotFoundError:
                # Taken away meanwhile.
                pass
            except OSError as error:
                if is_full(error):
                    raise
                # Who watches looks again; who asked for a run now wants to know.
                if config.only is None or not isinstance(error, StillWritten):
                    failed[name] = f"{type(error).__name__}: {error}"
            done += size
        remembered.keep()
        files = warehouse.all_received()
        _be_partitions(context.instance, [file.file_id for file in files])
        if failed:
            warehouse.failures.update(failed)
            raise dg.Failure("Files that cannot be read, the others are taken: " + ", ".join(failed), metadata=failed)
        return dg.MaterializeResult(metadata={"files": len(files), "new": new, "bytes": sum(f.bytes for f in files)})


def _be_partitions(instance: dg.DagsterInstance, ids: list[str]) -> None:
    """Make the received files the partitions, no more and no less."""
    assert FILES.name is not None
    known = instance.get_dynamic_partitions(FILES.name)
    new = [file_id for file_id in ids if file_id not in set(known)]
    if new:
        instance.add_dynamic_partitions(FILES.name, new)
    for file_id in set(known).difference(ids):
        instance.delete_dynamic_partition(FILES.name, file_id)


@dg.asset(deps=[raw_file], partitions_def=FILES, backfill_policy=ONE_RUN, group_name="intake", kinds={"parquet"})
def raw_record(context: dg.AssetExecutionContext, warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """The lines of each file as received. Key: file_id, line. A damage has a row behind the last line."""

    def work(file: Received, tell: Callable[[int], None]) -> dict[str, int]:
        return write_records(warehouse, file, tell)

    with warehouse.lock:
        return dg.MaterializeResult(metadata=each_file(context, warehouse, "records", work))
