"""JSON lines to settled rows and lake to settled rows, against DuckDB reading the same files with two threads."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np

from pipelines.run import run
from pipelines.warehouse import Warehouse
from tests.benchmarks.report import Report, best_in_turn, seconds
from yuanzi_core.lake import judge_lake
from yuanzi_core.referee import referee
from yuanzi_core.ruleset import PRESETS, Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.stream import judge_files
from yuanzi_core.writer import LogWriter

MATCHES, SEED, ROUNDS = 90_000, 7, 5
JSONL_LIMIT, LAKE_LIMIT = 4.0, 3.0
_SETTLED = "select count(*) from settled_match where status = 'settled'"

_COLUMNS = """{
    format: 'VARCHAR', match_id: 'VARCHAR', variant: 'VARCHAR', ruleset: 'VARCHAR', rules: 'JSON',
    played_at: 'TIMESTAMPTZ', club: 'VARCHAR', "table": 'VARCHAR', source: 'VARCHAR', revision: 'INTEGER',
    base: 'DECIMAL(8, 2)', players: 'STRUCT(id VARCHAR, name VARCHAR, balance DECIMAL(18, 3))[]',
    deals: 'STRUCT(drawn VARCHAR, knife VARCHAR, first_draw INTEGER, dealer INTEGER, called VARCHAR, leader INTEGER,
        hands VARCHAR[], plays VARCHAR, "end" VARCHAR, escaped INTEGER,
        claimed STRUCT(finish INTEGER[], captured INTEGER[], side_points INTEGER[]))[]',
    claimed: 'STRUCT(outcome VARCHAR, winner INTEGER, scores DECIMAL(18, 4)[])'
}"""


def write_matches(path: Path, matches: int) -> int:
    """Self-played matches of all three rulesets, in blocks; returns the number of plays."""
    plays = 0
    with LogWriter(path) as writer:
        for name in PRESETS:
            for headers, deals in play_matches(Rulesets()[name], matches // len(PRESETS), SEED):
                writer.write_batch(headers, deals)
                plays += len(deals.plays)
    return plays


def _sum_of_every_column(con: duckdb.DuckDBPyConnection, path: Path) -> str:
    """A query that reads a file whole: the sum of each number, of each list, and of the length of each text."""
    sums = []
    described = con.execute("describe select * from read_parquet($path)", {"path": str(path)}).fetchall()
    for name, kind, *_ in described:
        column = f'"{name}"'
        if kind.endswith("[][]"):
            sums.append(f"sum(len(flatten({column})))")
        elif kind.endswith("[]"):
            sums.append(f"sum(list_sum({column}))")
        elif kind == "VARCHAR":
            sums.append(f"sum(length({column}))")
        else:
            sums.append(f"sum(cast({column} as bigint))")
    return f"select {', '.join(sums)} from read_parquet($path)"


def measure(report: Report, folder: Path) -> None:
    """Throughput of the main job."""
    report.heading(f"Throughput, {MATCHES:,} self-played matches of all rulesets, best of {ROUNDS} in turn")
    log = folder / "inbox" / "matches.jsonl"
    log.parent.mkdir()
    plays = write_matches(log, MATCHES)
    con = duckdb.connect(config={"threads": 2})

    def yardstick_a() -> None:
        con.execute(
            "create or replace temp table t as select * from "
            f"read_json($path, format = 'newline_delimited', columns = {_COLUMNS})",
            {"path": str(log)},
        )

    def jsonl_to_rows() -> None:
        settled = 0
        for judged in judge_files([str(log)], Rulesets()):
            row = judged.judge.con.execute(_SETTLED).fetchall()[0]
            settled += row[0]
        if not settled:
            raise RuntimeError("nothing was settled")

    base, ours = best_in_turn(ROUNDS, yardstick_a, jsonl_to_rows)
    report.figure("(a) DuckDB read_json into a table", f"{plays / base / 1e6:.1f} M plays/s")
    report.figure("JSON lines to settled rows", f"{plays / ours / 1e6:.1f} M plays/s")
    report.limit("JSON lines to settled rows / (a)", ours / base, JSONL_LIMIT)

    whole = seconds(lambda: run(folder))
    report.figure("the whole pipeline with Dagster, first run", f"{MATCHES / whole:,.0f} matches/s")
    warehouse = Warehouse(folder)
    file_id = warehouse.all_received()[0].file_id
    deal, record, ruleset = (
        warehouse.table_of_file(name, file_id) for name in ("core_deal", "core_record", "core_ruleset")
    )
    sums = _sum_of_every_column(con, deal)

    def yardstick_b() -> None:
        con.execute(sums, {"path": str(deal)}).fetchall()

    def lake_to_rows() -> None:
        settled = 0
        for judge in judge_lake(deal, record, ruleset):
            row = judge.con.execute(_SETTLED).fetchall()[0]
            settled += row[0]
        if not settled:
            raise RuntimeError("nothing was settled")

    base, ours = best_in_turn(ROUNDS, yardstick_b, lake_to_rows)
    report.figure("(b) DuckDB sum over every column of the lake's deals", f"{plays / base / 1e6:.1f} M plays/s")
    report.figure("lake to settled rows", f"{plays / ours / 1e6:.1f} M plays/s")
    report.limit("lake to settled rows / (b)", ours / base, LAKE_LIMIT)
    _kernel(report)


def _kernel(report: Report) -> None:
    """The referee alone, on one core."""
    batches = [deals for name in PRESETS for _, deals in play_matches(Rulesets()[name], 4096, SEED)]
    facts = [np.full((36, len(deals)), -1, dtype=np.int32) for deals in batches]
    best = min(
        seconds(lambda: [referee(deals, facts=found) for deals, found in zip(batches, facts, strict=True)])
        for _ in range(ROUNDS)
    )
    plays = sum(len(deals.plays) for deals in batches)
    report.figure("the referee's kernel alone, one core", f"{plays / best / 1e6:.0f} M plays/s")
