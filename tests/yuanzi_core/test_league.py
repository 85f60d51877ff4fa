"""A league: the same whatever the blocks, standings as a ledger has them, and a life as the assumptions say."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.yuanzi_core.tables import judge_file
from yuanzi_core import selfplay
from yuanzi_core.faults.injection import Injection
from yuanzi_core.faults.kinds import parse_faults
from yuanzi_core.league.evenings import Evening, plays_on
from yuanzi_core.league.population import population
from yuanzi_core.league.registries import clubs_toml, players_csv
from yuanzi_core.league.season import Played, Season
from yuanzi_core.league.settings import League
from yuanzi_core.league.truth import hidden_skills
from yuanzi_core.log import Match
from yuanzi_core.registry import Registry, read_registry
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.writer import encode_match, write_log

LEAGUE = League(players=240, months=2, seed=7, escapes=0.02)


@pytest.fixture(scope="module")
def played() -> list[Played]:
    return list(Season(LEAGUE).play())


@pytest.fixture(scope="module")
def matches(played: list[Played]) -> list[Match]:
    return [one.match for one in played]


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    home = tmp_path_factory.mktemp("league")
    (home / "players.csv").write_bytes(players_csv(population(LEAGUE)))
    (home / "clubs.toml").write_bytes(clubs_toml(LEAGUE))
    return read_registry(home, Rulesets())


def evenings(league: League) -> Iterator[Evening]:
    return Season(league).evenings()


@pytest.mark.slow
def test_a_league_is_the_same_whatever_the_blocks_and_threads(
    matches: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfplay, "_WORTH_THREADS", 1 << 30)
    assert [one.match for one in Season(LEAGUE).play(block=150)] == matches


def test_another_seed_is_another_league_and_every_id_is_its_own() -> None:
    small = [League(players=40, months=1, seed=seed) for seed in (1, 2)]
    one, other = [[one.match for one in Season(league).play()] for league in small]
    assert [match.deals[0].hands for match in one] != [match.deals[0].hands for match in other]
    other_rate = [one.match for one in Season(League(players=40, months=1, seed=1, escapes=0.5)).play()]
    ids = [match.match_id for match in (*one, *other, *other_rate)]
    assert len(set(ids)) == len(ids)


def test_every_match_is_legal_and_the_claims_hold(matches: list[Match], tmp_path: Path) -> None:
    path = tmp_path / "league.jsonl"
    write_log(path, (match for match, _ in Injection({}, LEAGUE.seed).run(matches)))
    answers = judge_file(path)
    assert len(answers) == len(matches)
    assert {answer["status"] for answer in answers} == {"settled"}
    assert not [answer for answer in answers if answer["discrepancies"]]
    assert {match.variant for match in matches} == {"four", "five"}
    assert {answer["outcome"] for answer in answers} >= {"double", "normal", "low", "escape"}
    assert {match.base for match in matches} == {10}


def test_balances_are_what_the_results_before_add_up_to(
    matches: list[Match], registry: Registry, tmp_path: Path
) -> None:
    """G1, F6: told from the answers to each record alone, with sums of our own."""
    path = tmp_path / "league.jsonl"
    write_log(path, matches)
    openings = {
        (person.id, game): Decimal(opening)
        for person in population(LEAGUE)
        for game, opening in zip(("four", "five"), person.opening, strict=True)
    }
    capped = 0
    for match, answer in zip(matches, judge_file(path), strict=True):
        for player, score in zip(match.players, answer["scores"], strict=True):
            key = registry.aliases.get(player.id, player.id), match.variant
            assert player.balance == openings[key]
            openings[key] += score
            capped += match.ruleset == "five-atomic" and 0 < score == player.balance
    # With base 10 and standings of a few hundred the cap is met now and then.
    assert capped


def test_faults_make_no_later_balance_wrong(tmp_path: Path) -> None:
    """G1: what counts for nothing moves no standing; told from the answers to each record alone, by sums of our own."""
    league = League(players=60, months=1, seed=7, escapes=0.02)
    season, path = Season(league), tmp_path / "league.jsonl"
    injection = Injection(parse_faults("all=0.5"), league.seed)
    records = list(injection.run(one.match for one in season.play(block=100, void=injection.void)))
    assert {fault.value for fault in injection.made} >= {"TURN", "conflict", "revision", "sign_error"}
    write_log(path, (match for match, _ in records))
    answers: dict[str, list[tuple[Match, dict[str, Any]]]] = defaultdict(list)
    for (match, _), answer in zip(records, judge_file(path), strict=True):
        answers[match.match_id].append((match, answer))
    # Which record counts (LOG_FORMAT): the highest revision; two that differ count for nothing, nor does a violation.
    counting = []
    for found in answers.values():
        highest = [one for one in found if one[0].revision == found[-1][0].revision]
        if highest[0][1]["status"] == "settled" and all(answer["status"] != "rejected" for _, answer in highest):
            counting.append(highest[0])
    assert 0 < len(counting) < len(answers)
    standings = {
        (person.id, game): Decimal(opening)
        for person in season.people
        for game, opening in zip(("four", "five"), person.opening, strict=True)
    }
    main = {person.alias: person.id for person in season.people if person.alias}
    for match, answer in sorted(counting, key=lambda one: (one[0].played_at, one[0].match_id)):
        for player, score in zip(match.players, answer["scores"], strict=True):
            who = main.get(player.id, player.id), match.variant
            assert player.balance == standings[who]
            standings[who] += score


def test_nobody_is_at_two_tables_or_two_clubs(matches: list[Match], registry: Registry) -> None:
    at_table, at_club = set(), defaultdict(set)
    for match in matches:
        for player in match.players:
            who = registry.aliases.get(player.id, player.id)
            assert (who, match.played_at) not in at_table
            at_table.add((who, match.played_at))
            at_club[who, match.played_at.date()].add(match.club)
    assert {len(clubs) for clubs in at_club.values()} == {1}


def test_evenings_come_in_ledger_order_for_every_player(played: list[Played]) -> None:
    days = [(one.evening.day, one.evening.club) for one in played]
    assert days == sorted(days)
    for one in played:
        assert one.match.played_at.date() == one.evening.day
        assert plays_on(one.evening.club, one.evening.day)
        assert 18 < one.match.played_at.hour < 23


def test_as_many_come_as_the_assumptions_say() -> None:
    # Half are regulars who come to 0.7 of the evenings, the others come to 0.2: of 200 players 90. From the clubs
    # without an evening that day come 0.02: five clubs on Mondays and Thursdays, when three have theirs, else six: in
    # the mean of 16 evenings a week (6 × 20 + 10 × 24) / 16 = 22.5. A fifth joins in the course of the league, and is
    # there for half of it: 0.9 of all. Nearly everybody finds a place in one of the rounds.
    league = League(players=1600, months=6, seed=3)
    found = [len({who for one in evening.sittings for who in one.seats}) for evening in evenings(league)]
    assert abs(sum(found) / len(found) - (90 + 22.5) * 0.9) < 2
    fives = [one.variant == "five" for evening in evenings(league) for one in evening.sittings]
    # At most 0.4 of the players sit at tables of five: 0.4 / 5 of 0.4 / 5 + 0.6 / 4 tables.
    assert 0.28 < sum(fives) / len(fives) < 0.4 / 5 / (0.4 / 5 + 0.6 / 4)


def test_players_are_as_the_assumptions_say() -> None:
    people = population(League(players=4000, months=3, seed=5))

    def near(share: float, wanted: float) -> bool:
        # Four standard deviations of a share of 4,000.
        return abs(share - wanted) < 4 * math.sqrt(wanted * (1 - wanted) / 4000)

    assert near(sum(person.policy == "partner" for person in people) / 4000, 0.6)
    assert near(sum(person.policy == "random" for person in people) / 4000, 0.05)
    assert near(sum(person.regular for person in people) / 4000, 0.5)
    assert near(sum(person.member_from is not None for person in people) / 4000, 0.7)
    assert near(sum(person.on_record for person in people) / 4000, 0.9)
    assert near(sum(person.first > date(2026, 1, 1) for person in people) / 4000, 0.2 * 89 / 90)
    skills = [person.skills[0] for person in people]
    assert 0.5 <= min(skills) < 0.51
    assert 0.99 < max(skills) <= 1
    assert abs(sum(skills) / 4000 - 0.75) < 4 * (1 / 48) ** 0.5 / 4000**0.5


def test_skills_drift_only_when_asked_to() -> None:
    still = population(League(players=500, months=12, seed=5))
    assert all(len(set(person.skills)) == 1 for person in still)
    moving = population(League(players=500, months=12, seed=5, drift=0.02))
    steps = [b - a for person in moving for a, b in zip(person.skills, person.skills[1:], strict=False)]
    assert all(0 <= skill <= 1 for person in moving for skill in person.skills)
    assert 0.018 < (sum(step * step for step in steps) / len(steps)) ** 0.5 < 0.021
    assert [person.skills[0] for person in moving] == [person.skills[0] for person in still]


def test_the_better_player_wins_more(matches: list[Match], tmp_path: Path) -> None:
    path = tmp_path / "league.jsonl"
    write_log(path, matches)
    aliases = {person.alias: person.id for person in population(LEAGUE) if person.alias}
    policy = {person.id: person.policy for person in population(LEAGUE)}
    won: dict[str, list[Decimal]] = defaultdict(list)
    for match, answer in zip(matches, judge_file(path), strict=True):
        for player, score in zip(match.players, answer["scores"], strict=True):
            won[policy[aliases.get(player.id, player.id)]].append(score)
    means = {name: sum(scores) / len(scores) for name, scores in won.items()}
    assert means["partner"] > means["greedy"] > means["random"]


def test_the_registries_are_read_without_a_problem(registry: Registry, matches: list[Match]) -> None:
    assert registry.problems == ()
    assert registry.ignored == ()
    assert [club.key for club in registry.clubs] == ["huzhou", "jiaxing"]
    assert registry.clubs[1].names == {"zh": "嘉兴原子牌友会", "en": "Yuanzi Club of Jiaxing"}
    assert [(season.first, season.last) for season in registry.clubs[0].seasons] == [
        (date(2026, 1, 1), date(2026, 2, 28))
    ]
    logged = {player.id for match in matches for player in match.players}
    on_record = {player.id for player in registry.players}
    assert logged & set(registry.aliases), "second ids are used"
    assert logged - on_record - set(registry.aliases), "and some players nobody knows"
    assert {player.opening_four is None for player in registry.players} == {True, False}
    assert {player.member_from is None for player in registry.players} == {True, False}


def test_the_truth_has_a_line_a_player_and_month() -> None:
    league = League(players=30, months=14, seed=1, drift=0.05)
    people = population(league)
    lines: list[dict[str, Any]] = [json.loads(line) for line in hidden_skills(league, people)]
    assert len(lines) == 30 * 14
    assert [line["month"] for line in lines[:14]][-3:] == ["2026-12", "2027-01", "2027-02"]
    assert lines[15]["skill"] == people[1].skills[1]
    assert lines[15]["policy"] == people[1].policy


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 3}, {"months": 0}, {"seed": -1}, {"drift": 1.5}, {"escapes": -0.1}, {"base": Decimal(0)},
        {"base": Decimal("0.001")}, {"first": date(2990, 1, 1), "months": 120}, {"first": date(1, 1, 1)},
    ],
)  # fmt: skip
def test_a_league_that_cannot_be_is_the_callers_mistake(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"least|positive"):
        League(**{"players": 10, "months": 1, "seed": 1, **wrong})


def test_a_base_of_cents_is_logged_exactly() -> None:
    league = League(players=30, months=1, seed=1, base=Decimal("0.25"))
    made = [one.match for one in Season(league).play()]
    assert {match.base for match in made} == {Decimal("0.25")}
    assert all(len(encode_match(match)) > 0 for match in made)
    assert any(player.balance % 1 for match in made for player in match.players)
