"""A late match, a merge and a renamed club: what is made again, and that it equals a warehouse made from nothing."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from pipelines.run import run
from tests.pipelines.homes import ask, changed, hand_in, hashes, snapshot
from tests.pipelines.test_registry import EVENING, HEADINGS, SAMPLES, registries
from tests.samples.contents import unpacked
from tests.samples.expected import expected

OTHERS = "huzhou-2026-03-07.jsonl"
CLUBS = '[tx]\nnames = {{ zh = "{name}", en = "Tea" }}\n'
TEAHOUSE = "桐乡凤鸣茶馆"
BALANCES = """
    select match_id, claimed, recomputed from out_audit__discrepancies where code = 'CLAIM_BALANCE' order by match_id
"""


@pytest.fixture(scope="module")
def lines() -> dict[str, list[bytes]]:
    """An evening of nine matches at which every standing is written down, and one of other players."""
    found = {}
    for name in (EVENING, OTHERS):
        content = unpacked(SAMPLES / name)
        assert isinstance(content, bytes)
        found[name] = content.splitlines()
    return found


def movements(home: Path) -> set[str]:
    """The lake files of movements that the snapshot names."""
    about = json.loads(snapshot(home).with_suffix(".json").read_bytes())
    return {name for name in about["lake"] if name.startswith("core_ledger__movement/")}


@pytest.mark.slow
def test_a_late_match_is_told_where_it_makes_a_balance_wrong_and_replays_its_players_alone(
    tmp_path: Path, lines: dict[str, list[bytes]]
) -> None:
    grown, whole = tmp_path / "grown", tmp_path / "whole"
    early, rest = lines[EVENING][0], lines[EVENING][1:]
    # The evening's first match comes last, and its scorer wrote no standings.
    players = [{"id": one["id"], "name": one["name"]} for one in json.loads(early)["players"]]
    early = changed(early, players=players)
    hand_in(grown, "others.jsonl", lines[OTHERS][:2])
    openings = "".join(
        f"{one['id']},,,,,,{one['balance']}\n" for one in json.loads(lines[EVENING][0])["players"] if "balance" in one
    )
    registries(grown, HEADINGS + openings)
    assert run(grown).ok
    others = movements(grown)
    hand_in(grown, "evening.jsonl", rest)
    assert run(grown).ok
    assert ask(grown, BALANCES)
    files = movements(grown)
    hand_in(grown, "early.jsonl", [early])
    assert run(grown).ok
    # With the late match every standing that was written down is the ledger's: what was wrong was its absence.
    assert ask(grown, BALANCES) == []
    # Of what was written before, the movements of the others stay as they are, and the evening's are new.
    later = movements(grown)
    assert (len(files), len(later)) == (2, 3)
    assert files & later == others
    for name, content in (("early.jsonl", [early]), ("others.jsonl", lines[OTHERS][:2]), ("evening.jsonl", rest)):
        hand_in(whole, name, content)
    registries(whole, HEADINGS + openings)
    assert run(whole).ok
    assert hashes(grown) == hashes(whole)
    # The standings at the end are those of the second opinion.
    scores: dict[str, Decimal] = {}
    for row, line in zip(expected()[EVENING], lines[EVENING], strict=True):
        for one, score in zip(json.loads(line)["players"], row.scores or (), strict=False):
            scores[one["id"]] = scores.get(one["id"], Decimal(0)) + score
    won = "select player_id, standing - opening from out_standings__player where player_id like 'tx%'"
    found = dict(ask(grown, won))
    assert {player: score for player, score in scores.items() if player in found} == found


@pytest.mark.slow
def test_a_club_that_gets_its_name_later_is_the_same_club(tmp_path: Path, lines: dict[str, list[bytes]]) -> None:
    home, whole = tmp_path / "home", tmp_path / "whole"
    for each in (home, whole):
        hand_in(each, "evening.jsonl", lines[EVENING][:2])
    query = "select distinct registry_club, club from out_matches"
    days = "select distinct club from out_standings__day union select club from out_standings__sums"
    registries(home, None, CLUBS.format(name="另一家"))
    assert run(home).ok
    assert (ask(home, query), ask(home, days)) == ([(TEAHOUSE, TEAHOUSE)], [(TEAHOUSE,)])
    for each in (home, whole):
        registries(each, None, CLUBS.format(name=TEAHOUSE))
        assert run(each).ok
    assert (ask(home, query), ask(home, days)) == ([("tx", TEAHOUSE)], [("tx",)])
    assert hashes(home) == hashes(whole)
