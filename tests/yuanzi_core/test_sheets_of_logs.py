"""The same matches as logs and as score sheets: outcome, winner and scores are the same, under every option."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.yuanzi_core.score_sheets import Row, as_csv, as_xlsx, judge_records, records_in
from yuanzi_core.answers import answers
from yuanzi_core.ruleset import PRESETS, RuleSet, Rulesets, options
from yuanzi_core.selfplay import play_matches
from yuanzi_core.stream import judge_files
from yuanzi_core.writer import LogWriter

RULESETS = Rulesets()
SEED = 20_260_301
#: What a sheet and a log must agree in.
SAME = ("match_id", "status", "outcome", "winner", "scores", "scores_before_cap", "ruleset_hash")
SAME_OF_DEAL = ("sides", "finish", "captured", "points", "side_points", "downstream", "atoms", "tricks", "end")


def rows_of(match: dict[str, Any], deals: Iterable[dict[str, Any]], hands: Iterable[list[int]]) -> list[Row]:
    """A judged match of a log as the rows that a club would have written."""
    rows = []
    for number, (deal, hand) in enumerate(zip(deals, hands, strict=True)):
        logged = match["deals"][number]
        row = {name: match.get(name) for name in ("match_id", "played_at", "variant", "ruleset", "base")}
        row["rules"] = ";".join(
            f"{name}={json.dumps(value).strip(chr(34))}" for name, value in match.get("rules", {}).items()
        )
        for seat, player in enumerate(match["players"]):
            row |= {f"player{seat}": player["id"], f"balance{seat}": player.get("balance")}
            row |= {f"captured{seat}": deal["captured"][seat], f"hand{seat}": hand[seat]}
        row |= {"finish": " ".join(map(str, deal["finish"])), "end": deal["end"], "escaped": logged.get("escaped")}
        row |= {"tricks": deal["tricks"], "atoms": deal["atoms"]}
        if match["variant"] == "four":
            row["half"] = "上下"[number]
        else:
            dealer = logged["dealer"]
            row["dealer"] = dealer
            row["partners"] = " ".join(str(s) for s, side in enumerate(deal["sides"]) if side == 0 and s != dealer)
        rows.append(row)
    return rows


def judged_as_both(ruleset: RuleSet, rules: dict[str, Any], folder: Path, matches: int) -> None:
    """Play matches and judge them as a log, as CSV and as XLSX."""
    path = folder / "log.jsonl"
    with LogWriter(path) as log:
        for headers, deals in play_matches(ruleset.with_options(rules), matches, SEED, escape_rate=0.25):
            for header in headers:
                header.rules = type(header.rules)(json.dumps(rules).encode()) if rules else header.rules
            log.write_batch(headers, deals)
    logged = {match["match_id"]: match for match in map(json.loads, path.read_bytes().splitlines())}
    expected: list[dict[str, Any]] = []
    rows: list[Row] = []
    for part in judge_files([str(path)], RULESETS):
        hands: dict[int, list[list[int]]] = {}
        query = "select line, hand from core_settlement__deal order by line, deal"
        for line, hand in part.judge.con.execute(query).fetchall():
            hands.setdefault(line, []).append(hand)
        for answer in answers(part):
            expected.append(answer)
            rows += rows_of(logged[answer["match_id"]], answer["deals"], hands[answer["line"]])
    assert {answer["status"] for answer in expected} <= {"settled", "unfinished"}
    for content in (as_csv(rows), as_xlsx(rows)):
        found = judge_records(records_in(content))
        assert [[one.get(name) for name in SAME] for one in found] == [
            [one.get(name) for name in SAME] for one in expected
        ]
        for sheet, log_answer in zip(found, expected, strict=True):
            for one, other in zip(sheet["deals"], log_answer["deals"], strict=True):
                assert [one[name] for name in SAME_OF_DEAL] == [other[name] for name in SAME_OF_DEAL]


@pytest.mark.parametrize("name", PRESETS)
def test_a_sheet_settles_as_its_log(name: str, tmp_path: Path) -> None:
    judged_as_both(RULESETS[name], {}, tmp_path, 400)


VALUES = [
    (preset, {option.name: value})
    for preset in PRESETS
    for option in options().values()
    for value in option.values.get(RULESETS[preset].variant, ())
    if value != RULESETS[preset].options[option.name]
]
NUMBERS: list[tuple[str, dict[str, Any]]] = [
    ("four-classic", {"clamp_points": 150}),
    ("four-classic", {"clamp_points": 1, "escape_min_tricks": 50}),
    ("four-classic", {"escape_upper_compensation": 0.25, "escape_min_tricks": 0}),
    ("five-atomic", {"escape_min_tricks": 0, "downstream": "all_holders", "early_stop": "must"}),
    ("five-classic", {"escape_min_tricks": 50}),
]


@pytest.mark.parametrize(("name", "rules"), [*VALUES, *NUMBERS], ids=str)
@pytest.mark.slow
def test_a_sheet_settles_as_its_log_under_every_option(name: str, rules: dict[str, Any], tmp_path: Path) -> None:
    judged_as_both(RULESETS[name], rules, tmp_path, 60)
