"""A published snapshot of any size, grown from a small one by SQL: nothing is played, and a new table grows by itself.

A table that has a row for each match, player, file or record is repeated, each time with other ids and times, and so is
one that has rows for each evening of a club, each time with other evenings; the rest (clubs, seasons) does not grow
with the number of matches and is taken as it is.
"""

from __future__ import annotations

import json
from pathlib import Path

import duckdb

from tests.dashboards.snapshot import point

#: Columns whose values name what a row is about: each repetition has its own.
IDS = ("match_id", "player_id", "file_id")
#: Lists of such values by seat.
LISTS = ("player_ids", "registry_ids")
#: What pages and public views need beside the published tables.
ALSO = ("core_member", "core_ledger__movement", "raw_record")
#: After so many repetitions players come again, as they do in life.
CIRCLES = 500
#: Repetitions whose evenings are those of other clubs, and days until the same clubs go on (more than there are first).
CLUBS, DAYS = 50, 100


def grow(small: Path, home: Path, matches: int) -> None:
    """Publish under ``home`` what the pipeline published under ``small``, with at least so many matches."""
    # Late: the asset code sets aside a warning of Dagster's, which must not happen while tests are collected.
    from pipelines.defs.publish.public import add_public_views

    lake, published = home / "lake", home / "published"
    for folder in (lake, published):
        folder.mkdir(parents=True)
    name = json.loads((small / "published" / "current.json").read_text("utf-8"))["name"]
    with duckdb.connect() as con:
        # A copy of the file: the pages may have it open in another way.
        con.execute(f"attach '{_copy(small / 'published' / name, home / 'small.duckdb')}' as small (read_only)")
        found = con.execute(
            "select table_name, list(column_name order by column_index) from duckdb_columns()"
            " where database_name = 'small' and schema_name = 'main' group by table_name"
        ).fetchall()
        (count,) = con.execute("select count(*) from small.main.out_matches").fetchall()[0]
        times = -(-matches // count)
        for table, columns in found:
            if table.startswith("out_") or table in ALSO:
                con.execute(
                    f"copy ({_grown(table, columns, times)}) to '{lake / table}.parquet' (row_group_size 30720)"
                )
    with duckdb.connect(str(published / f"snapshot-{matches}.duckdb")) as con:
        tables = sorted(path.stem for path in lake.glob("*.parquet"))
        for table in tables:
            con.read_parquet(str(lake / f"{table}.parquet")).create_view(table)
        add_public_views(con, tables)
    point(home, f"snapshot-{matches}.duckdb")


def _copy(path: Path, target: Path) -> Path:
    target.write_bytes(path.read_bytes())
    return target


def _grown(table: str, columns: list[str], times: int) -> str:
    """The statement that repeats a table if it grows with the matches; without any it is left empty."""
    by_evening = "evening" in columns and not set(columns) & set(IDS)
    if not times or not (by_evening or set(columns) & set(IDS)):
        return f"from small.main.{table} where {times} > 0"
    changed = []
    for column in columns:
        if column == "player_id":
            changed.append(f"{column} || '-' || n % {CIRCLES} as {column}")
        elif column in IDS:
            changed.append(f"{column} || '-' || n as {column}")
        elif column in LISTS:
            changed.append(f"list_transform({column}, lambda each: each || '-' || n % {CIRCLES}) as {column}")
        elif by_evening and column == "club":
            changed.append(f"club || '-' || n % {CLUBS} as club")
        elif by_evening and column == "evening":
            changed.append(f"cast(evening + cast(n // {CLUBS} * {DAYS} as integer) as date) as evening")
        elif column == "played_at":
            changed.append("played_at + to_hours(cast(n % 8760 as integer)) as played_at")
    of_players = not by_evening and not {"match_id", "file_id"} & set(columns)
    copies = min(times, CIRCLES) if of_players else times
    return (
        f"select t.* replace ({', '.join(changed)}) from range({copies}) as again(n) cross join small.main.{table} as t"
    )
