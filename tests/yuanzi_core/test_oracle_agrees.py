"""The engine and the oracle, written from the same clauses without sharing code, give the same answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.oracle.combos import Combo, beats, name
from tests.oracle.match import settle
from tests.oracle.options import Options
from tests.oracle.test_oracle_cases import differences
from tests.yuanzi_core.random_matches import escape_claim, every_combination, random_match, random_rules
from tests.yuanzi_core.second_opinion import FIELDS, disagreements
from tests.yuanzi_core.tables import CASES, DECKS, Match, judge_block, judge_lines
from yuanzi_core import shapes as s
from yuanzi_core.canonical import fill_in
from yuanzi_core.cards import CARDS, Variant, cards_of
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.writer import encode_match

LOGS = ("logs", "pairs", "edges", "rare", "claims")


@pytest.mark.parametrize("file", LOGS)
def test_on_the_cases_under_random_options(file: str) -> None:
    rng = Random(f"options {file}")
    matches = [json.loads(line) for line in (CASES / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()]
    for made in matches:
        made["rules"] = random_rules(rng, made["variant"])
    disagreements(matches)


def test_on_the_cases_cut_short_swapped_and_left() -> None:
    rng = Random("spoilt")
    matches = []
    for file in LOGS:
        lines = (CASES / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
        matches += [json.loads(line) for line in rng.sample(lines, min(len(lines), 150))]
    for made in matches:
        deal = rng.choice(made["deals"])
        plays = deal["plays"].split()
        kind = rng.randrange(5)
        if kind == 0:
            plays = plays[: rng.randrange(len(plays) + 1)]
            if rng.random() < 0.5:
                deal |= {"end": "escape", "escaped": rng.randrange(4)}
        elif kind == 1 and plays:
            del plays[rng.randrange(len(plays))]
        elif kind == 2 and plays:
            plays.insert(rng.randrange(len(plays)), rng.choice(plays))
        elif kind == 3 and len(plays) > 1:
            place = rng.randrange(len(plays) - 1)
            plays[place], plays[place + 1] = plays[place + 1], plays[place]
        else:
            deal["hands"] = rng.sample(deal["hands"], len(deal["hands"]))
        deal["plays"] = " ".join(plays)
    seen = disagreements(matches)
    assert len(seen) > 8, seen


@settings(max_examples=settings().max_examples // 3, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.integers(0, 2**64))
def test_on_random_matches(seed: int) -> None:
    rng = Random(seed)
    disagreements([random_match(rng) for _ in range(80)])


def test_random_matches_read_line_by_line_and_as_a_block_have_the_same_answers() -> None:
    rng = Random("two lanes")
    matches = [random_match(rng) for _ in range(200)]
    lines = [json.dumps(made, separators=(",", ":") if rng.random() < 0.8 else None).encode() for made in matches]
    assert len(b"\n".join(lines)) > 1 << 18, "small blocks are read line by line"
    assert judge_block(lines) == judge_lines(lines)


def test_random_matches_see_every_verdict() -> None:
    rng = Random("every verdict")
    seen = disagreements([random_match(rng) for _ in range(400)])
    violations = {"DECK", "KNIFE", "FIRST_DRAW", "HAND_SIZE", "LEADER", "AFTER_END", "TURN", "LEAD_PASS", "NOT_HELD"}
    violations |= {"NOT_A_COMBO", "CANNOT_BEAT", "TRUNCATED", "END", "CALL"}
    outcomes = {"double", "normal", "low", "zero", "escape", "unfinished"}
    notes = {"ESCAPE_CLAIM", "NO_CAP_UNKNOWN_STANDING", "CAP_ZERO"}
    assert seen.keys() >= violations | outcomes | notes, (violations | outcomes | notes) - seen.keys()


COMBINATIONS = [("four-classic", 288), ("five-classic", 1152)]


@pytest.mark.parametrize(("preset", "combinations"), COMBINATIONS)
@pytest.mark.slow
def test_under_every_combination_of_options(preset: str, combinations: int) -> None:
    rng = Random(f"combinations {preset}")
    every = list(every_combination(rng, preset.split("-")[0]))
    assert len(every) == combinations
    for place in range(0, combinations, 128):
        disagreements([random_match(rng, preset, rules) for rules in every[place : place + 128]])


#: Self-played matches of each combination of options.
EACH = 3
#: The options that a player at the table minds; the others only say how the match is settled, or when it is over.
OF_PLAY = {"four": ("wind", "knife_bomb", "knife_jokers"), "five": ("knife_bomb", "knife_jokers", "early_stop")}
#: With these a lower half is played wherever any other values would have one; where it is too much, it is left out.
PLAYED_ON: dict[str, dict[str, Any]] = {
    "four": {"halves": 2, "clamp": "upstream_side", "clamp_points": 1},
    "five": {},
}


def self_played(rng: Random, preset: str, every: Iterable[dict[str, Any]]) -> Iterator[Match]:
    """Complete matches, ``EACH`` of every combination of options. Those that are played alike are played together."""
    variant = preset.split("-")[0]
    alike: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for rules in every:
        alike.setdefault(tuple(rules[name] for name in OF_PLAY[variant]), []).extend([rules] * EACH)
    for values, each in alike.items():
        ruleset = Rulesets()[preset].with_options(dict(zip(OF_PLAY[variant], values, strict=True)) | PLAYED_ON[variant])
        blocks = play_matches(ruleset, len(each), rng.randrange(2**32), escape_rate=0.2, balances=True)
        played = [made for headers, deals in blocks for made in fill_in(headers, deals)]
        for made, rules in zip(played, each, strict=True):
            yield json.loads(encode_match(made)) | {"rules": rules}


@pytest.mark.parametrize(("preset", "combinations"), COMBINATIONS)
@pytest.mark.slow
def test_on_self_played_matches_under_every_combination_of_options(preset: str, combinations: int) -> None:
    rng = Random(f"self-play {preset}")
    matches = list(self_played(rng, preset, every_combination(rng, preset.split("-")[0])))
    assert len(matches) == EACH * combinations
    for made in matches:
        last = made["deals"][-1]
        if len(made["deals"]) == 2 and settle(made)["code"] == "AFTER_END":
            del made["deals"][1]
        elif made["variant"] == "five" and last.get("end") == "escape":
            made["claimed"] = {"scores": escape_claim(rng, last)}
    seen = disagreements(matches)
    outcomes = {"four-classic": {"double", "normal", "escape"}, "five-classic": {"normal", "low", "zero", "escape"}}
    notes = {"ESCAPE_CLAIM", "NO_CAP_UNKNOWN_STANDING", "CAP_ZERO"} if preset == "five-classic" else set()
    assert seen.keys() == outcomes[preset] | notes, "self-play plays by the rules, and sees every outcome"


CODES = {"four": 53_055, "five": 606_095}
SHAPES = {"four": 450, "five": 835}
KINDS = {
    "single": s.SINGLE, "pair": s.PAIR, "triple": s.TRIPLE, "bomb": s.BOMB, "atom_3": s.ATOM3, "atom_4": s.ATOM4,
    "atom_5": s.ATOM5, "h_bomb": s.HBOMB, "big_h_bomb": s.BIG_HBOMB,
}  # fmt: skip
RANKS = "3456789TJQKA2"


def texts(code: int) -> list[str]:
    """The cards of a code."""
    return [CARDS[card] for card in cards_of(code)]


def options(reading: str) -> Options:
    """The options of a reading of B5, jokers allowed with the knife."""
    return Options(knife_jokers=True, atom_doubling=False, knife_bomb=reading)


@pytest.mark.parametrize("variant", ["four", "five"])
def test_B1_every_play_has_a_shape_and_the_oracles_name(variant: Variant) -> None:
    known = s.shapes(variant)
    codes = np.flatnonzero(known.shape_of)
    assert len(codes) == CODES[variant]
    assert len(known.table) - 1 == len(np.unique(known.shape_of[codes])) == SHAPES[variant]
    wanted_ranks = [*RANKS, "XS", "XB"]
    for code in np.random.default_rng(7).choice(codes, 20_000, replace=False).tolist():
        row = known.table[known.shape_of[code]]
        found = name(texts(code), variant, "7", options("above_all"))
        assert found is not None
        suit = "dchs".index(found.suit) if found.suit else s.NO_SUIT
        wanted = (KINDS[found.kind], wanted_ranks.index(found.rank), found.size, suit)
        assert tuple(row[[s.KIND, s.RANK, s.SIZE, s.SUIT]].tolist()) == wanted, texts(code)
        assert s.is_of_knife(code, RANKS.index("7")) == found.of_knife


def combos_by_shape(variant: Variant, knife: str) -> Iterable[tuple[int, bool, Combo]]:
    """Each shape, by one play of it: its number, whether it is of the knife's rank, and the oracle's name."""
    known = s.shapes(variant)
    codes = np.flatnonzero(known.shape_of)
    _, first = np.unique(known.shape_of[codes], return_index=True)
    for code in codes[first].tolist():
        found = name(texts(code), variant, knife, options("above_all"))
        assert found is not None
        yield int(known.shape_of[code]), bool(s.is_of_knife(code, RANKS.index(knife))), found


@pytest.mark.parametrize("reading", s.KNIFE_BOMB_READINGS)
@pytest.mark.parametrize(("variant", "knife"), [("four", "7"), ("four", "3"), ("five", "A")])
def test_B4_to_B8_strengths_say_what_the_pairwise_rules_say(variant: Variant, knife: str, reading: str) -> None:
    table, place = s.shapes(variant).table, s.KNIFE_BOMB_READINGS.index(reading)
    known = list(combos_by_shape(variant, knife))
    pairs: Iterable[Any] = product(known, known)
    if variant == "five":
        rng = Random(f"pairs {reading}")
        pairs = ((rng.choice(known), rng.choice(known)) for _ in range(150_000))
    wrong = [
        (one, other)
        for (a, a_knife, one), (b, b_knife, other) in pairs
        if s.beats(table, place, a, a_knife, b, b_knife) != beats(one, other, variant, knife, options_of[reading])
    ]
    assert not wrong, wrong[:5]


options_of = {reading: options(reading) for reading in s.KNIFE_BOMB_READINGS}


def test_A2_each_deck_has_its_copies() -> None:
    for variant, decks in DECKS.items():
        assert Rulesets()[f"{variant}-classic"].decks == decks


WITHOUT_COMPILER = """
import sys, types
from yuanzi_core.referee import may_play
assert isinstance(may_play, types.FunctionType), "the compiler is on"
from yuanzi_core.answers import answers, encode
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import judge_files
for judged in judge_files([sys.argv[1]], Rulesets()):
    for answer in answers(judged):
        sys.stdout.buffer.write(encode(answer) + b"\\n")
"""


@pytest.mark.slow
def test_with_the_compiler_off(tmp_path: Path) -> None:
    rng = Random("compiler off")
    lines = []
    for file in LOGS:
        lines += rng.sample((CASES / f"{file}.jsonl").read_text(encoding="utf-8").splitlines(), 20)
    random_ones = [random_match(rng) | {"match_id": f"r{number}"} for number in range(30)]
    lines += [json.dumps(made) for made in random_ones]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_COMPILER, str(path)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr.decode()
    got: list[Mapping[str, Any]] = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(got) == len(lines)
    for line, answer in zip(lines, got, strict=True):
        want = settle(json.loads(line))
        assert not list(differences({field: want[field] for field in FIELDS}, answer)), want["match_id"]
