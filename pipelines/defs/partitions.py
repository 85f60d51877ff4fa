"""Files as partitions: a key is the hash of a file's content, and each file succeeds or fails alone."""

from collections.abc import Callable, Iterable, Mapping

import dagster as dg

from pipelines.warehouse import Received, Warehouse

FILES = dg.DynamicPartitionsDefinition(name="file")
#: A backfill of any number of files is one run; the steps walk the files themselves.
ONE_RUN = dg.BackfillPolicy.single_run()


def each_file(
    context: dg.AssetExecutionContext,
    warehouse: Warehouse,
    stage: str,
    work: Callable[[Received, Callable[[int], None]], Mapping[str, int]],
) -> dict[str, int]:
    """Do the work on each file of the run's partitions; returns the sums of its counts.

    ``work`` gets the file and a function to tell the bytes done. Files that fail do so alone: for the others a
    materialization is logged.

    :raises dg.Failure: at the end, if any file failed.
    """
    files = [file for key in context.partition_keys if (file := warehouse.received(key)) is not None]
    total, done = sum(file.bytes for file in files), 0
    counts: dict[str, dict[str, int]] = {}
    failed: dict[str, str] = {}
    warehouse.progress(stage, 0, total)
    for file in files:
        start = done

        def tell(part: int, start: int = start) -> None:
            warehouse.progress(stage, start + part, total)

        # Whatever is wrong with one, the other files go on.
        try:
            counts[file.file_id] = dict(work(file, tell))
        except Exception as error:
            context.log.exception(f"{file.name} ({file.file_id})")
            failed[file.name] = f"{type(error).__name__}: {error}"
        done += file.bytes
        warehouse.progress(stage, done, total)
    if failed:
        _log(context, context.selected_asset_keys, counts)
        warehouse.failures.update(failed)
        raise dg.Failure("Files that failed, the others are done: " + ", ".join(failed), metadata=dict(failed))
    return sum_of(counts.values())


def sum_of(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sums of some counts, name by name."""
    total: dict[str, int] = {}
    for each in counts:
        for name, count in each.items():
            total[name] = total.get(name, 0) + count
    return total


def _log(
    context: dg.AssetExecutionContext, keys: Iterable[dg.AssetKey], counts: Mapping[str, Mapping[str, int]]
) -> None:
    for key in sorted(keys):
        for file_id, found in counts.items():
            context.log_event(dg.AssetMaterialization(key, partition=file_id, metadata=dict(found)))
