"""Self-play: legal throughout by the referee and by the oracle, fair, complete, and the same from the same seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.oracle.match import settle
from tests.oracle.test_oracle_cases import differences
from yuanzi_core import deals as d
from yuanzi_core import shapes as s
from yuanzi_core.answers import answers, encode
from yuanzi_core.canonical import fill_in
from yuanzi_core.cards import CARDS, NATURALS, ODD, PASS, RANKS, code_of
from yuanzi_core.chance import STATE_WORDS, below, draw, start
from yuanzi_core.deals import Deals, Ints
from yuanzi_core.judge import judge_deals
from yuanzi_core.log import Match
from yuanzi_core.policies.at_random import propose
from yuanzi_core.ruleset import PRESETS, RuleSet, Rulesets, options
from yuanzi_core.seating import ROUNDS, TABLES
from yuanzi_core.selfplay import play_matches, simulate
from yuanzi_core.shapes import shapes
from yuanzi_core.stream import judge_files
from yuanzi_core.writer import encode_match

RULESETS = Rulesets()
SEED = 7


def lines_of(blocks: Iterable[tuple[list[Match], Deals]]) -> list[bytes]:
    return [encode_match(match) for headers, deals in blocks for match in fill_in(headers, deals)]


def judged(lines: list[bytes], folder: Path) -> list[dict[str, Any]]:
    """The answers of the project to some lines, as JSON."""
    path = folder / "log.jsonl"
    path.write_bytes(b"\n".join(lines))
    found = [answer for part in judge_files([str(path)], RULESETS) for answer in answers(part)]
    return [json.loads(encode(answer)) for answer in found]


def one_batch(ruleset: RuleSet, matches: int, **settings: Any) -> tuple[Deals, Ints]:
    """The deals of some matches in one batch, and the referee's facts."""
    _, deals = next(iter(play_matches(ruleset, matches, SEED, block=matches, **settings)))
    return deals, judge_deals(deals)


def values_of(name: str, ruleset: RuleSet) -> tuple[Any, ...]:
    """Each value of an option; of a range its ends, and a value between them with all its decimals."""
    option = options()[name]
    if ruleset.variant in option.values:
        return option.values[ruleset.variant]
    limits = option.range[ruleset.variant]
    if limits["decimals"] == 0:
        return limits["least"], 7, limits["most"]
    return limits["least"], Decimal("0.25"), limits["most"]


def own_options(ruleset: RuleSet) -> list[str]:
    return [name for name, option in options().items() if ruleset.variant in option.variants]


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_everything_is_settled_under_every_value_of_every_option(name: str, tmp_path: Path) -> None:
    ruleset = RULESETS[name]
    lines = lines_of(play_matches(ruleset, 300, SEED))
    for option in own_options(ruleset):
        for value in values_of(option, ruleset):
            changed = ruleset.with_options({option: value})
            lines += lines_of(play_matches(changed, 20, SEED + 1, escape_rate=0.2))
    found = judged(list(dict.fromkeys(lines)), tmp_path)
    assert [answer for answer in found if answer["status"] != "settled" or answer["discrepancies"]] == []


@st.composite
def combinations(draw: st.DrawFn) -> RuleSet:
    """A ruleset with any combination of its options."""
    ruleset = RULESETS[draw(st.sampled_from(PRESETS))]
    return ruleset.with_options(
        {name: draw(st.sampled_from(values_of(name, ruleset))) for name in own_options(ruleset)}
    )


@given(combinations(), st.integers(0, 2**63 - 1), st.integers(0, 10**6))
def test_the_oracle_settles_what_is_played_in_the_same_way(ruleset: RuleSet, seed: int, first: int) -> None:
    lines = lines_of(play_matches(ruleset, 4, seed, first, escape_rate=0.2, balances=True))
    for line, answer in zip(lines, judged_here(lines), strict=True):
        wanted = json.loads(json.dumps(settle(json.loads(line))))
        assert answer["status"] == "settled"
        assert not list(differences({key: wanted[key] for key in wanted.keys() - {"notes", "message"}}, answer))


def judged_here(lines: list[bytes]) -> list[dict[str, Any]]:
    """As ``judged``, for tests that run many times in one folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        return judged(lines, Path(folder))


@pytest.mark.parametrize("name", PRESETS)
def test_one_seed_gives_the_same_matches_whatever_the_block(name: str) -> None:
    def run(**settings: Any) -> list[bytes]:
        return lines_of(play_matches(RULESETS[name], seed=SEED, escape_rate=0.1, **settings))

    whole = run(matches=30)
    assert run(matches=30, block=4) == run(matches=30, block=7) == whole
    assert run(matches=20, first=5, block=6) == whole[5:25]
    assert len(set(whole)) == 30
    others = lines_of(play_matches(RULESETS[name], 30, SEED + 1, escape_rate=0.1))
    assert not {json.loads(line)["deals"][0]["hands"][0] for line in whole} & {
        json.loads(line)["deals"][0]["hands"][0] for line in others
    }


def test_the_file_is_the_same_each_time_and_progress_counts_its_matches(tmp_path: Path) -> None:
    counted: list[int] = []
    done = simulate(tmp_path / "a.jsonl.gz", RULESETS["four-classic"], 50, SEED, progress=counted.append)
    simulate(tmp_path / "b.jsonl.gz", RULESETS["four-classic"], 50, SEED)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    assert sum(counted) == done.matches == 50
    assert done.deals > 50
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl.gz", "b.jsonl.gz"]


@pytest.mark.slow
def test_plain_python_plays_the_same_matches_as_compiled_code() -> None:
    code = """
import sys
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.canonical import fill_in
from yuanzi_core.writer import encode_match
for headers, deals in play_matches(Rulesets()["four-classic"], 2, 7, escape_rate=0.3):
    for match in fill_in(headers, deals):
        print(encode_match(match).decode())
"""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "error", "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert done.stdout.splitlines() == lines_of(play_matches(RULESETS["four-classic"], 2, 7, escape_rate=0.3))


def kinds_played(deals: Deals) -> set[str]:
    codes = (deals.plays & ODD)[(deals.plays & ODD) != PASS]
    known = shapes(deals.variant)
    return {s.KIND_NAMES[kind] for kind in np.unique(known.table[known.shape_of[codes], s.KIND]).tolist()}


def test_B2_every_combination_of_the_four_player_game_occurs_and_C4_both_endings() -> None:
    deals, facts = one_batch(RULESETS["four-classic"], 2000)
    assert kinds_played(deals) == {"single", "pair", "triple", "bomb", "atom3", "hbomb"}
    assert set(facts[d.OUT].tolist()) == {2, 3}
    assert set(deals.head[d.DEAL].tolist()) == {0, 1}
    # A3, A5: a joker is drawn as often as any other card, and 3 is then the knife.
    jokers = deals.head[d.DRAWN] >= 52
    assert jokers.any()
    assert set(facts[d.KNIFE, jokers].tolist()) == {0}


def test_B2_every_combination_of_the_five_player_game_occurs() -> None:
    deals, _ = one_batch(RULESETS["five-classic"], 12_000)
    assert kinds_played(deals) == set(s.KIND_NAMES[1:])


def test_A6_one_and_two_partners_C5_stops_and_C4_endings_occur() -> None:
    deals, facts = one_batch(RULESETS["five-classic"], 500)
    with_dealer = (facts[d.SIDE : d.SIDE + 5] == 0).sum(axis=0)
    assert set(with_dealer.tolist()) == {2, 3}
    assert set(deals.head[d.END].tolist()) == {d.OUT_END, d.POINTS_END}
    assert (facts[d.REVEALED + 2] >= 0).any()
    # The caller never holds the card; nor is it a joker or of the knife's rank.
    called, dealer = deals.head[d.CALLED], deals.head[d.DEALER]
    held = deals.hands[np.arange(len(deals)), dealer, called // 4] >> 3 * (called % 4) & 7
    assert not held.any()
    assert not (called // 4 == facts[d.KNIFE]).any()


def test_C5_the_option_early_stop_decides_whether_deals_end_by_points() -> None:
    for value, ends in (("never", {d.OUT_END}), ("may", {d.OUT_END, d.POINTS_END})):
        deals, _ = one_batch(RULESETS["five-classic"].with_options({"early_stop": value}), 300)
        assert set(deals.head[d.END].tolist()) == ends
    must, _ = one_batch(RULESETS["five-classic"].with_options({"early_stop": "must"}), 300)
    may, _ = one_batch(RULESETS["five-classic"], 300)
    assert (must.head[d.END] == d.POINTS_END).sum() > (may.head[d.END] == d.POINTS_END).sum()


def test_A5_five_leader_any_lets_everybody_lead() -> None:
    deals, _ = one_batch(RULESETS["five-classic"].with_options({"five_leader": "any"}), 400)
    assert len({*(deals.head[d.LEADER] - deals.head[d.DEALER]).tolist()}) > 5
    deals, _ = one_batch(RULESETS["five-classic"], 400)
    assert (deals.head[d.LEADER] == deals.head[d.DEALER]).all()


def test_E2_one_half_is_played_where_the_club_plays_one() -> None:
    deals, _ = one_batch(RULESETS["four-classic"].with_options({"halves": 1}), 300)
    assert len(deals) == 300


@pytest.mark.parametrize("name", ["four-classic", "five-atomic"])
def test_E3_F7_escapes_come_at_their_rate_by_players_still_in_and_already_out(name: str) -> None:
    deals, facts = one_batch(RULESETS[name], 2000, escape_rate=0.25)
    left = deals.head[d.END] == d.ESCAPE_END
    assert 0.2 < left.mean() < 0.3
    assert set(deals.head[d.ESCAPED, left].tolist()) == set(range(RULESETS[name].players))
    assert (deals.head[d.ESCAPED, ~left] == -1).all()
    cards = facts[d.CARDS + deals.head[d.ESCAPED, left], np.flatnonzero(left)]
    assert (cards == 0).any()
    assert (cards > 0).any()
    assert (facts[d.TRICKS, left] < 5).any()
    assert (facts[d.TRICKS, left] > 5).any()


def unlikely(observed: NDArray[np.int64], expected: NDArray[np.float64] | float, freedom: int) -> bool:
    """Whether counts are further from the expected ones than fair ones in 999 of 1000 cases (Wilson–Hilferty)."""
    distance = float(((observed - expected) ** 2 / expected).sum())
    limit = freedom * (1 - 2 / (9 * freedom) + 3.09 * (2 / (9 * freedom)) ** 0.5) ** 3
    return bool(distance > limit)


@pytest.mark.parametrize(("name", "cards"), [("four-classic", 54), ("five-classic", 52)])
def test_A3_every_card_is_drawn_as_often_as_any_other(name: str, cards: int) -> None:
    deals, _ = one_batch(RULESETS[name], 6000)
    drawn = deals.head[d.DRAWN, deals.head[d.DEAL] == 0]
    assert drawn.max() == cards - 1
    assert not unlikely(np.bincount(drawn, minlength=cards), len(drawn) / cards, cards - 1)


@pytest.mark.parametrize("name", ["four-classic", "five-classic"])
def test_A4_every_card_goes_to_every_seat_as_often_as_the_hands_are_large(name: str) -> None:
    deals, _ = one_batch(RULESETS[name], 6000)
    seats = deals.hands.shape[1]
    counts = np.stack([deals.hands >> 3 * place & 7 for place in range(4)], axis=-1)
    by_card = counts.astype(np.int64).sum(axis=0).reshape(seats, -1)[:, :54]
    expected = by_card.sum(axis=1, keepdims=True) / 54 * np.ones(54)
    assert not unlikely(by_card, expected, 53 * (seats - 1))


def test_A4_the_first_draw_is_the_pip_of_the_knife_and_takes_one_card_more() -> None:
    deals, facts = one_batch(RULESETS["four-classic"], 3000)
    upper = deals.head[d.DEAL] == 0
    # By hand: A is 1, J 11, Q 12, K 13; divided by four the rest is the seat.
    first = dict(zip("A23456789TJQK", [1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1], strict=True))
    knives = facts[d.KNIFE, upper].tolist()
    seats = deals.head[d.FIRST_DRAW, upper]
    assert seats.tolist() == [first[RANKS[knife]] for knife in knives]
    # Of 54 drawn cards 4 × 4 and two jokers (a 3) send seat 3, 4 × 4 seat 1, 4 × 3 each of the others.
    odds = np.array([12, 16, 12, 14]) / 54
    assert first["3"] == 3
    assert not unlikely(np.bincount(seats, minlength=4), odds * len(seats), 3)
    sizes = np.stack([deals.hands >> 3 * place & 7 for place in range(4)]).sum(axis=(0, 3))
    ahead = (np.arange(4)[None, :] - deals.head[d.FIRST_DRAW][:, None]) % 4
    assert (sizes == np.where(ahead < 2, 41, 40)).all()


def sub_multisets(hand: list[str]) -> set[int]:
    """The codes of all plays of one rank with any jokers that could be picked from a hand."""
    found = set()
    for rank in RANKS:
        of_rank = [CARDS.index(card) for card in hand if card[0] == rank or card[0] == "X"]
        for taken in product((False, True), repeat=len(of_rank)):
            found.add(code_of([card for card, keep in zip(of_rank, taken, strict=True) if keep]))
    return found - {PASS, ODD}


def test_the_random_policy_proposes_whatever_could_be_played() -> None:
    held = ["7s", "7s", "7h", "Ks", "XB", "XS"]
    hand = np.zeros((5, d.HAND_WORDS), dtype=np.uint16)
    for rank in ("7", "K"):
        code = code_of([CARDS.index(card) for card in held if card[0] == rank])
        hand[2, RANKS.index(rank)] = code & NATURALS
    hand[2, d.JOKER_WORD] = 1 + (1 << 3)
    state = np.zeros(STATE_WORDS, dtype=np.int64)
    for size in (0, 1, 5):
        start(state, SEED, size, 0)
        proposed = {propose(state, hand, 2, size) for _ in range(20_000)}
        assert proposed >= sub_multisets(held)


def test_chance_is_sfc32() -> None:
    state = np.array([11, 22, 33, 1], dtype=np.int64)

    def published(a: int, b: int, c: int, counter: int) -> Iterator[int]:
        mask = 0xFFFFFFFF
        while True:
            output = (a + b + counter) & mask
            counter += 1
            a, b, c = b ^ (b >> 9), (c + (c << 3)) & mask, ((((c << 21) | (c >> 11)) & mask) + output) & mask
            yield output

    for _, wanted in zip(range(1000), published(11, 22, 33, 1), strict=False):
        assert draw(state) == wanted


def test_chance_differs_by_seed_match_and_stream() -> None:
    state = np.zeros(STATE_WORDS, dtype=np.int64)
    firsts = set()
    for seed, match, stream in product((0, 1, 2**63 - 1), (0, 1, 2, 2**40), (0, 1, 2)):
        start(state, seed, match, stream)
        firsts.add(draw(state))
    assert len(firsts) == 36
    start(state, 0, 0, 0)
    counts = np.bincount([below(state, 6) for _ in range(6000)], minlength=6)
    assert not unlikely(counts, 1000.0, 5)


def test_nobody_sits_at_two_tables_at_a_time_and_all_players_of_a_match_differ() -> None:
    headers = [match for part, _ in play_matches(RULESETS["five-atomic"], TABLES * 4, SEED) for match in part]
    for turn in range(4):
        at_once = headers[turn * TABLES : (turn + 1) * TABLES]
        assert len({match.played_at for match in at_once}) == 1
        assert len({player.id for match in at_once for player in match.players}) == TABLES * 5
    assert headers[0].played_at.isoformat() == "2026-01-01T19:00:00+08:00"
    assert headers[-1].played_at.isoformat() == "2026-01-01T19:24:00+08:00"
    later = next(iter(play_matches(RULESETS["five-atomic"], 1, SEED, first=TABLES * ROUNDS)))[0][0]
    assert later.played_at.isoformat() == "2026-01-02T19:00:00+08:00"


def test_F6_balances_are_logged_with_atom_doubling_and_on_request() -> None:
    def logged(name: str, **settings: Any) -> list[Any]:
        blocks = play_matches(RULESETS[name], 60, SEED, **settings)
        return [player.balance for headers, _ in blocks for match in headers for player in match.players]

    assert set(logged("five-classic")) == set(logged("five-atomic", balances=False)) == {None}
    for found in (logged("five-atomic"), logged("four-classic", balances=True)):
        assert None in found
        known = [balance for balance in found if balance is not None]
        assert min(known) < 0 < max(known)
        assert all(balance * 2 == int(balance * 2) for balance in known)


def test_an_id_names_what_a_match_hangs_on() -> None:
    plain, five = RULESETS["four-classic"], RULESETS["five-atomic"]
    runs = [
        play_matches(plain, 1, 1), play_matches(plain, 1, 2), play_matches(plain, 1, 1, first=1),
        play_matches(plain, 1, 1, escape_rate=0.5), play_matches(plain, 1, 1, balances=True),
        play_matches(plain.with_options({"wind": "partner"}), 1, 1), play_matches(five, 1, 1),
    ]  # fmt: skip
    ids = [next(iter(run))[0][0].match_id for run in runs]
    assert len(set(ids)) == len(runs)
    assert ids[0].startswith("sim-four-classic-")
    assert ids[0].endswith("-r1-1-000000")


def test_a_clubs_ruleset_is_logged_as_a_preset_with_its_options(tmp_path: Path) -> None:
    (tmp_path / "lu.toml").write_text('extends = "five-atomic"\ncap = "none"\nescape_min_tricks = 3\n')
    ruleset = Rulesets(tmp_path)["lu"]
    lines = lines_of(play_matches(ruleset, 20, SEED))
    assert [answer["ruleset_hash"] for answer in judged(lines, tmp_path)] == [ruleset.hash] * 20


@pytest.mark.parametrize(
    "settings", [{"seed": -1}, {"seed": 2**63}, {"first": -1}, {"matches": -1}, {"escape_rate": 1.5}, {"block": 0}]
)
def test_a_number_out_of_range_is_the_callers_mistake(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="count from 0"):
        play_matches(RULESETS["four-classic"], **{"matches": 1, "seed": 1, **settings})


def test_no_matches_are_no_blocks() -> None:
    assert list(play_matches(RULESETS["four-classic"], 0, SEED)) == []
