"""Files as partitions: a key is the hash of a file's content, and each file succeeds or fails alone."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import dagster as dg

from pipelines.disk import is_full, is_of_machine
from pipelines.warehouse import Received, Warehouse
from yuanzi_core.engine import engine_version
from yuanzi_core.history import Histories, Judging, now

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
    materialization is logged. What became of each, and how long it took, is put into its history.

    :raises dg.Failure: at the end, if any file failed.
    :raises OSError: the disk is full, so that no file can succeed (or another error that says so).
    """
    histories = Histories(warehouse.lake)
    files = [file for key in context.partition_keys if (file := warehouse.received(key)) is not None]
    total, done = sum(file.bytes for file in files), 0
    counts: dict[str, dict[str, int]] = {}
    failed: dict[str, str] = {}
    warehouse.progress(stage, 0, total)
    for file in files:
        start = done

        def tell(part: int, start: int = start) -> None:
            warehouse.progress(stage, start + part, total)

        at, begun, known = now(), time.monotonic(), warehouse.is_judged(file.file_id)
        # Whatever is wrong with one, the other files go on.
        try:
            counts[file.file_id] = dict(work(file, tell))
        except Exception as error:
            context.log.exception(f"{file.name} ({file.file_id})")
            if is_full(error):
                _log(context, context.selected_asset_keys, counts)
                raise
            failed[file.name] = f"{type(error).__name__}: {error}"
            if not is_of_machine(error):
                judging = Judging(warehouse.tag, engine_version(), at, failed=failed[file.name])
                histories.was_judged(file.file_id, judging)
        else:
            if not known and warehouse.is_judged(file.file_id):
                seconds, records = time.monotonic() - begun, counts[file.file_id].get("records", 0)
                judging = Judging(warehouse.tag, engine_version(), at, round(seconds, 3), records)
                histories.was_judged(file.file_id, judging)
        done += file.bytes
        warehouse.progress(stage, done, total)
    if failed:
        _log(context, context.selected_asset_keys, counts)
        warehouse.failures.update(failed)
        raise dg.Failure("Files that failed, the others are done: " + ", ".join(failed), metadata=dict(failed))
    return sum_of(counts.values())


def stretch(keys: Sequence[str], wanted: Collection[str], without: Collection[str]) -> list[str]:
    """The first range of ``keys`` that begins and ends with one that is ``wanted`` and has none of ``without`` in it.

    A run takes a range of partitions. Others in it cost little, for what is there is not made again; but not those
    that would only fail again.
    """
    found: list[str] = []
    held: list[str] = []
    for key in keys:
        if key in wanted:
            found += [*held, key]
            held = []
        elif key in without and found:
            break
        elif found:
            held.append(key)
    return found


def range_tags(keys: Sequence[str]) -> dict[str, str]:
    """What makes a run one of the partitions from the first of ``keys`` to the last."""
    return {"dagster/asset_partition_range_start": keys[0], "dagster/asset_partition_range_end": keys[-1]}


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
