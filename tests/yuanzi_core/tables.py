"""Matches made by hand: some cards are given, the rest of the deck is dealt around them; and their verdicts.

The shorthand of these tables: ``K*`` in a hand or a play is every K of the deck; ``5xTd`` is a card so many times;
``.`` among the plays stands for the passes of all who still hold cards, which end the trick.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from yuanzi_core.answers import answers, encode
from yuanzi_core.judge import Judge
from yuanzi_core.records import Chunk, Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import Judged, judge_files

Match = dict[str, Any]
Deal = dict[str, Any]
Answer = dict[str, Any]

RANKS = "23456789TJQKA"
DECKS = {"four": 3, "five": 5}
CASES = Path(__file__).parent.parent / "cases"


def pack(variant: str) -> list[str]:
    """The whole deck, the low ranks first."""
    one = [rank + suit for rank in "3456789TJQKA2" for suit in "dchs"] + ["XS", "XB"]
    return one * DECKS[variant]


def cards(text: str, variant: str) -> list[str]:
    """The cards of a text in shorthand."""
    found: list[str] = []
    for rank, times, card, plain in re.findall(r"([3-9TJQKA2])\*|(\d)x(\S\S)|(\S\S)", text):
        if rank:
            found += [rank + suit for suit in "dchs"] * DECKS[variant]
        else:
            found += [card] * int(times) if times else [plain]
    return found


def deal_out(variant: str, hands: Sequence[str], first: int = 0) -> list[list[str]]:
    """Hands in shorthand, filled up to the sizes of A4 with what is left of the deck; ``first`` draws first."""
    dealt = [cards(text, variant) for text in hands]
    given = Counter(card for hand in dealt for card in hand)
    whole = Counter(pack(variant))
    assert not given - whole, f"more than the deck has: {given - whole}"
    left = list((whole - given).elements())
    for seat, hand in enumerate(dealt):
        size = 54 if variant == "five" else 41 if (seat - first) % 4 < 2 else 40
        assert len(hand) <= size, f"seat {seat} is given {len(hand)} cards"
        hand += [left.pop() for _ in range(size - len(hand))]
    assert not left
    return dealt


def script(plays: str, dealt: Sequence[Sequence[str]], variant: str) -> str:
    """Plays in shorthand as a log has them."""
    held = [len(hand) for hand in dealt]
    written: list[str] = []
    last = 0
    for token in plays.split():
        if token == ".":
            for step in range(1, len(held)):
                seat = (last + step) % len(held)
                if held[seat]:
                    written.append(f"{seat}:-")
            continue
        number, _, text = token.partition(":")
        played = [] if text == "-" else cards(text, variant)
        if played:
            last = int(number)
            held[last] -= len(played)
        written.append(f"{number}:{''.join(played) or '-'}")
    return " ".join(written)


def deal(
    variant: str, hands: Sequence[str], plays: str = "", *, drawn: str = "4d", first: int = 0, **fields: Any
) -> Deal:
    """A deal from hands and plays in shorthand; other fields as a log has them."""
    dealt = deal_out(variant, hands, first)
    made = {"drawn": drawn, "leader": 0, "hands": ["".join(hand) for hand in dealt]}
    if variant == "five":
        made["dealer"] = 0
    return made | {"plays": script(plays, dealt, variant)} | fields


def match(
    variant: str, *deals: Deal, ruleset: str | None = None, rules: Mapping[str, Any] | None = None, **fields: Any
) -> Match:
    """A match of these deals."""
    made: Match = {
        "format": "yuanzi-log/1",
        "match_id": "m1",
        "variant": variant,
        "ruleset": ruleset or f"{variant}-classic",
        "played_at": "2026-03-01T20:15:00+08:00",
        "players": [{"id": f"p{seat}"} for seat in range(4 if variant == "four" else 5)],
        "deals": list(deals),
    }
    if rules:
        made["rules"] = dict(rules)
    return made | fields


@cache
def _judge() -> Judge:
    return Judge()


def _answers(chunk: Chunk) -> list[Answer]:
    _judge().judge(chunk)
    judged = Judged("hand.jsonl", chunk, set(), _judge())
    return [json.loads(encode(answer), parse_float=Decimal) for answer in answers(judged)]


def judge_lines(lines: Iterable[bytes], rulesets: Rulesets | None = None) -> list[Answer]:
    """The answers to lines as one file, each judged for itself: numbers with a point come back as Decimal."""
    return _answers(Reader(rulesets or Rulesets()).read(enumerate(lines, 1)))


def judge_block(lines: Iterable[bytes]) -> list[Answer]:
    """The same for lines read as a block, as files are: a large one goes through the fast lane where it can."""
    return _answers(Reader(Rulesets()).read_block(1, b"\n".join(lines)))


def write(matches: Iterable[Match]) -> list[bytes]:
    """Matches as lines of a log."""
    return [json.dumps(one, ensure_ascii=False).encode() for one in matches]


def judge_all(matches: Iterable[Match]) -> list[Answer]:
    """The answers to matches, each judged for itself."""
    return judge_lines(write(matches))


def judge(one: Match) -> Answer:
    """The answer to one match."""
    return judge_all([one])[0]


def judge_file(path: Path) -> list[Answer]:
    """The answers to the records of a file, as ``yuanzi settle`` gives them."""
    found = []
    for judged in judge_files([str(path)], Rulesets()):
        found += [json.loads(encode(answer), parse_float=Decimal) for answer in answers(judged)]
    return found


def verdict(answer: Answer) -> tuple[str | None, int | None, int | None]:
    """Code, deal and play of an answer."""
    return answer["code"], answer["deal"], answer["play"]


def table(variant: str, on_table: str, answer: str, *, knife: str = "7", **rules: Any) -> Match:
    """A match in which seat 0 leads ``on_table`` and seat 1 answers; the log stops there."""
    used = cards(on_table, variant) + cards(answer, variant)
    # Seat 0 leads, so it was dealt the drawn card: one that it plays, or another that is left.
    drawn = next(
        card
        for card in [*cards(on_table, variant), *(knife + suit for suit in "dchs")]
        if card[0] == knife and (card in cards(on_table, variant) or used.count(card) < DECKS[variant])
    )
    lead = on_table if drawn in cards(on_table, variant) else on_table + drawn
    plays = f"0:{on_table} 1:{answer}"
    if variant == "four":
        pip = "A23456789TJQK".index(knife) + 1
        return match("four", deal("four", [lead, answer, "", ""], plays, drawn=drawn, first=pip % 4), rules=rules)
    called = next(r + "s" for r in RANKS if r != knife and r + "s" not in used)
    hands = [lead, answer, "", "", f"5x{called}"]
    return match("five", deal("five", hands, plays, drawn=drawn, called=called), rules=rules)


def answered(variant: str, pairs: Iterable[tuple[str, str]], *, knife: str = "7", **rules: Any) -> list[str | None]:
    """For each (play on the table, answer): what is wrong with one of the two, or None."""
    made = [table(variant, on_table, answer, knife=knife, **rules) for on_table, answer in pairs]
    found: list[str | None] = []
    for result in judge_all(made):
        # A legal answer leaves a log that merely stops early.
        assert result["play"] in ((2,) if result["code"] == "TRUNCATED" else (0, 1)), result
        found.append(None if result["code"] == "TRUNCATED" else result["code"])
    return found


def beats(variant: str, answer: str, on_table: str, *, knife: str = "7", **rules: Any) -> bool:
    """Whether a play is legal over another one."""
    (code,) = answered(variant, [(on_table, answer)], knife=knife, **rules)
    assert code in (None, "CANNOT_BEAT"), code
    return code is None


def verdicts(*matches: Match) -> list[tuple[str | None, int | None, int | None]]:
    """Code, deal and play of the answers to matches."""
    return [verdict(answer) for answer in judge_all(matches)]
