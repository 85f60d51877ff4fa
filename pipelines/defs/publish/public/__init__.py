"""The schema ``public`` of a snapshot: what everybody may see (G3), as views under the names of the tables.

Names and single results show for everyone. A standing, a level, a rank and a rating show for who is a member on the
reader's day: that is decided when somebody reads, not when it is published. ``main`` has everything, for auditors.
The schema is what pages and exports for the public ask, not a lock: whoever opens the file can read ``main``.
"""

from __future__ import annotations

import re
from enum import Enum
from importlib.resources import files
from typing import TYPE_CHECKING

from yuanzi_core.sheet_columns import COLUMNS, heading_of
from yuanzi_core.texts import LANGS, text

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb


class Shown(Enum):
    """What of a table everybody may see."""

    ALL = "all of it: nothing in it is a standing, a level, a rank or a rating"
    MEMBERS = "the rows of members, by player_id"
    PARTS = "what the statement of its name in this folder leaves"


#: Every table that is published has to be here: whoever makes a new one says what of it is anybody's business.
POLICY = {
    "out_matches": Shown.PARTS,
    "out_audit__records": Shown.PARTS,
    "out_audit__discrepancies": Shown.PARTS,
    "out_audit__violations": Shown.ALL,
    "out_audit__files": Shown.ALL,
    "out_audit__registry": Shown.PARTS,
    "out_players": Shown.ALL,
    "out_clubs": Shown.ALL,
    "out_seasons": Shown.ALL,
    "out_levels__step": Shown.ALL,
    "out_levels__event": Shown.MEMBERS,
    "out_standings__player": Shown.MEMBERS,
    "out_standings__day": Shown.MEMBERS,
    # Sums over all who played, of scores alone.
    "out_standings__sums": Shown.ALL,
    "out_ratings__match": Shown.PARTS,
    "out_ratings__player": Shown.MEMBERS,
    "out_ratings__role": Shown.ALL,
    "out_ratings__unrated": Shown.ALL,
    "out_ratings__calibration": Shown.ALL,
    # Sums over all who played, whoever they were.
    "out_balance__players": Shown.ALL,
    "out_balance__matches": Shown.ALL,
    "out_balance__values": Shown.ALL,
    "out_balance__kinds": Shown.ALL,
    "out_snapshot": Shown.ALL,
}
#: Tables that are not made for readers, but of which a page needs something: the way of a player's standing, and a
#: match as it was received (in which the log's balances stand: a page must not show them).
ALSO = {"core_ledger__movement": Shown.MEMBERS, "raw_record": Shown.ALL}


def sql(view: str) -> str:
    """The statement of a view, from the file of its name."""
    return (files(__name__) / f"{view}.sql").read_text(encoding="utf-8")


def _of_balance() -> str:
    """What the English message of a reject matches that speaks of a cell of a score sheet with a standing in it."""
    headings = "|".join(heading_of(column, "en") for column in COLUMNS if column.name.startswith("balance"))
    places = [text(f"sheets.where.{where}", "en", row="ROW", column="COLUMN", cell="CELL", reason="REASON")
              for where in ("cell", "blank")]  # fmt: skip
    begun = {re.escape(place.partition("COLUMN")[0]).replace("ROW", r"\d+") for place in places}
    return f"^({'|'.join(sorted(begun))})({headings})\\b"


def add_public_views(con: duckdb.DuckDBPyConnection, tables: Iterable[str]) -> None:
    """Make the schema ``public`` in a snapshot whose ``main`` has all ``tables``.

    :raises KeyError: for a published table nobody said what everybody may see.
    """
    import duckdb

    words = {f"message_{lang}": text("public.balance", lang) for lang in LANGS}
    words |= {f"cell_{lang}": text("public.cell", lang) for lang in LANGS} | {"of_balance": _of_balance()}
    constants = [duckdb.ConstantExpression(said).alias(name) for name, said in words.items()]
    con.sql("select 1").project(*constants).create_view("hidden_balance")
    con.execute(f"create view core_member__today as {sql('core_member__today')}")
    con.execute("create schema public")
    con.execute("set schema = 'public'")
    try:
        for table in (*(table for table in tables if table.startswith("out_")), *ALSO):
            shown = {**POLICY, **ALSO}[table]
            if shown is Shown.PARTS:
                con.execute(f"create view {table} as {sql(table)}")
                continue
            rows = con.table(f"main.{table}")
            if shown is Shown.MEMBERS:
                rows = rows.join(con.table("main.core_member__today"), "player_id", how="semi")
            rows.create_view(table)
    finally:
        con.execute("set schema = 'main'")
