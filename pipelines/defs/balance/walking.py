"""The deals of a group walked over, as rows of core_balance__deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.warehouse import sql
from yuanzi_core.lake import JUDGED_FROM, deals_of_batch, rulesets_of

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    from numpy.typing import NDArray

    from pipelines.groups import Group
    from yuanzi_core.balance.walk import Walk

#: Deals that are walked over at a time.
_BATCH = 16_384


def load_walked(con: duckdb.DuckDBPyConnection, group: Group) -> None:
    """Make the view ``walked``. Reads core_deal, core_record and core_ruleset."""
    import pyarrow as pa

    from yuanzi_core.balance.walk import walk

    found = con.sql("select distinct on (ruleset) * exclude (file_id) from core_ruleset").to_arrow_table().to_pylist()
    rulesets = rulesets_of(found)
    statement = con.sql(sql("balance", "legal_deal"), params={"rulesets": list(rulesets)})
    tables = [_table_of(None, statement.limit(0).to_arrow_table().select(["file_id", "line", "deal"]), None)]
    for batch in statement.to_arrow_reader(_BATCH):
        places = np.asarray(batch.column("ruleset_place"))
        upstream = np.asarray(batch.column("upstream"))
        keys = pa.Table.from_batches([batch.select(["file_id", "line", "deal"])])
        rows = np.arange(len(places), dtype=np.int64)
        for deals, chosen in deals_of_batch(batch.select(list(JUDGED_FROM)), rows, places, list(rulesets.values())):
            if len(deals):
                walked = walk(deals, np.ascontiguousarray(upstream[chosen]))
                tables.append(_table_of(walked, keys.take(chosen), deals.variant))
    con.register("walked", pa.concat_tables(tables))


def _lists(offsets: NDArray[np.int64], values: pa.Array[Any]) -> pa.Array[Any]:
    import pyarrow as pa

    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)


def _table_of(found: Walk | None, keys: pa.Table, variant: str | None) -> pa.Table:
    """A walk as rows behind its keys; without one, no rows. Numbers by seat, kinds that were not played left out."""
    import pyarrow as pa

    from yuanzi_core.balance.walk import COUNTED, HELD, PLACES, Walk
    from yuanzi_core.shapes import KIND_NAMES

    none = np.zeros((0, 4), np.int32)
    walk = found or Walk(
        np.zeros((0, PLACES, len(COUNTED)), np.int32), np.zeros((0, 4, len(HELD)), np.int32), none, none
    )
    count, seats = walk.draw.shape
    by_seat = np.arange(count + 1) * seats
    for number, name in enumerate(HELD):
        keys = keys.append_column(name, _lists(by_seat, pa.array(walk.held[:, :, number].reshape(-1), pa.int16())))
    draw = pa.array(walk.draw.reshape(-1), pa.int16(), mask=walk.draw.reshape(-1) < 0)
    keys = keys.append_column("draw", _lists(by_seat, draw))
    reveals = walk.reveal_tricks
    known = np.concatenate([np.zeros(1, np.int64), np.cumsum((reveals > 0).sum(axis=1))])
    keys = keys.append_column("reveal_tricks", _lists(known, pa.array(reveals[reveals > 0], pa.int16())))
    deal, place = np.nonzero(walk.kinds.any(axis=2))
    names = pa.array(KIND_NAMES, pa.string()).take(pa.array(place // 2, pa.int64()))
    columns = [names, pa.array(place % 2 == 1)]
    columns += [pa.array(walk.kinds[deal, place, number], pa.int32()) for number in range(len(COUNTED))]
    kinds = pa.StructArray.from_arrays(columns, ["kind", "of_knife", *COUNTED])
    return keys.append_column("kinds", _lists(np.searchsorted(deal, np.arange(count + 1)), kinds))
