"""Deals of good players: fair shuffles and draws, and what a study fixes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.yuanzi_core.test_selfplay import unlikely
from yuanzi_core import deals as d
from yuanzi_core.canonical import fill_in
from yuanzi_core.cards import RANKS, write_cards
from yuanzi_core.dealing import ImpossibleStudy, Study
from yuanzi_core.deals import Deals, Ints
from yuanzi_core.judge import judge_deals
from yuanzi_core.log import Match
from yuanzi_core.policies.players import Players
from yuanzi_core.ruleset import RuleSet, Rulesets
from yuanzi_core.selfplay import play_matches

RULESETS = Rulesets()
FOUR, FIVE = RULESETS["four-classic"], RULESETS["five-classic"]
SEED = 7


def partners(ruleset: RuleSet, matches: int, **settings: Any) -> tuple[list[Match], Deals, Ints]:
    """Matches of the partner policy, none of which breaks a rule, and the referee's facts."""
    players = Players.of(ruleset.players, ("partner",))
    headers, deals = next(iter(play_matches(ruleset, matches, SEED, block=matches, players=players, **settings)))
    facts = judge_deals(deals)
    assert not facts[d.VIOLATION].any()
    return headers, deals, facts


@pytest.mark.parametrize("ruleset", [FOUR, FIVE])
def test_A4_cards_fall_to_each_seat_alike(ruleset: RuleSet) -> None:
    _, deals, _ = partners(ruleset, 3000)
    # Lower halves are fair as well, but hang on who was upstream.
    hands = deals.hands[deals.head[d.DEAL] == 0].astype(np.int64)
    by_card = np.stack([hands >> 3 * place & 7 for place in range(4)], axis=-1).sum(axis=0)
    by_card = by_card.reshape(ruleset.players, -1)[:, :54]
    expected = by_card.sum(axis=1, keepdims=True) / 54
    assert not unlikely(by_card, expected * np.ones(54), 53 * (ruleset.players - 1))


def test_A3_A4_the_first_draw_follows_the_knife_and_all_knives_come_alike() -> None:
    _, deals, facts = partners(FOUR, 3000)
    upper = deals.head[d.DEAL] == 0
    knives, first = facts[d.KNIFE, upper], deals.head[d.FIRST_DRAW, upper]
    # A joker drawn makes 3 the knife: 6 cards of 54 for the 3, 4 for every other rank.
    expected = np.array([6] + [4] * 12) / 54 * len(knives)
    assert not unlikely(np.bincount(knives, minlength=13), expected, 12)
    pips = dict(zip(RANKS, (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1, 2), strict=True))
    assert first.tolist() == [pips[RANKS[knife]] % 4 for knife in knives]


def test_A3_a_study_fixes_the_knife() -> None:
    _, deals, facts = partners(FOUR, 60, study=Study.of(FOUR, knife="K"))
    assert set((deals.head[d.DRAWN] // 4).tolist()) == {RANKS.index("K")}
    # In the lower half a K makes 3 the knife.
    lower = deals.head[d.DEAL] == 1
    assert set(facts[d.KNIFE, ~lower].tolist()) == {RANKS.index("K")}
    assert set(facts[d.KNIFE, lower].tolist()) == {RANKS.index("3")}
    _, _, facts = partners(FIVE, 20, study=Study.of(FIVE, knife="3"))
    assert set(facts[d.KNIFE].tolist()) == {0}


def test_A5_a_study_fixes_who_leads() -> None:
    _, deals, _ = partners(FOUR, 80, study=Study.of(FOUR, leader=2))
    assert set(deals.head[d.LEADER, deals.head[d.DEAL] == 0].tolist()) == {2}
    _, deals, _ = partners(FIVE, 40, study=Study.of(FIVE, leader=4))
    assert set(deals.head[d.DEALER].tolist()) == {4}
    anyone = FIVE.with_options({"five_leader": "any"})
    _, deals, _ = partners(anyone, 40, study=Study.of(anyone, leader=4))
    assert set(deals.head[d.LEADER].tolist()) == {4}
    assert len(set(deals.head[d.DEALER].tolist())) > 1


@pytest.mark.parametrize("ruleset", [FOUR, FIVE])
def test_A4_a_study_fixes_the_hands_and_the_referee_says_what_could_be_drawn(ruleset: RuleSet) -> None:
    headers, deals, _ = partners(ruleset, 3)
    hands = fill_in(headers, deals)[1].deals[0].hands
    headers, deals, _ = partners(ruleset, 60, study=Study.of(ruleset, hands=hands))
    upper = deals.head[d.DEAL] == 0
    assert {tuple(match.deals[0].hands) for match in fill_in(headers, deals)} == {tuple(hands)}
    # Everything else is still up to chance.
    assert len(set(deals.head[d.DRAWN, upper].tolist())) > 5
    if ruleset is FOUR:
        assert len(set(deals.head[d.FIRST_DRAW, upper].tolist())) == 1
        # The sizes of the hands say who drew first, so a knife of another first draw is impossible.
        first = int(deals.head[d.FIRST_DRAW, upper][0])
        other = "A" if first != 1 else "2"
        with pytest.raises(ImpossibleStudy, match="knife"):
            Study.of(FOUR, other, hands)
    with pytest.raises(ImpossibleStudy, match="hands"):
        Study.of(ruleset, hands=[hands[0], *hands[:-1]])
    with pytest.raises(ImpossibleStudy, match="hands"):
        Study.of(ruleset, hands=hands[1:])
    with pytest.raises(ImpossibleStudy, match="hands"):
        Study.of(ruleset, hands=["?", *hands[1:]])


def test_a_study_of_nothing_changes_no_match_and_others_have_ids_of_their_own() -> None:
    def first_id(**settings: Any) -> str:
        return next(iter(play_matches(FOUR, 1, SEED, **settings)))[0][0].match_id

    studies = [Study.of(FOUR), Study.of(FOUR, knife="A"), Study.of(FOUR, leader=1), Study.of(FOUR, "A", leader=1)]
    ids = [first_id(study=study) for study in studies]
    assert ids[0] == first_id()
    assert len(set(ids)) == len(ids)
    everybody = [Players.of(4, ("partner",)), Players.of(4, ("partner", "random") * 2), Players.of(4, skills=(0.5,))]
    assert len({first_id(players=players) for players in everybody} | {first_id()}) == 4


@pytest.mark.parametrize("fixed", [{"knife": "X"}, {"leader": 4}, {"leader": -1}])
def test_a_rank_or_seat_that_there_is_not_is_the_callers_mistake(fixed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no "):
        Study.of(FOUR, **fixed)


@pytest.mark.parametrize("ruleset", [FOUR, FIVE])
def test_escapes_come_at_their_rate_among_good_players(ruleset: RuleSet) -> None:
    _, deals, _ = partners(ruleset, 1500, escape_rate=0.2)
    assert 0.16 < (deals.head[d.END] == d.ESCAPE_END).mean() < 0.24


def test_A6_a_dealer_who_holds_every_card_could_not_call() -> None:
    each_of_every_kind = [write_cards(range(54))] * 5
    with pytest.raises(ImpossibleStudy, match="knife"):
        Study.of(FIVE, hands=each_of_every_kind)
