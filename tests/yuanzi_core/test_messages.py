"""Verdicts in words: each violation that a real log can be made to hold, with the sentence that names what is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from yuanzi_core.answers import answers
from yuanzi_core.log import NoteRow
from yuanzi_core.messages import message_of_discrepancy, message_of_note
from yuanzi_core.reasons import Discrepancy, Note, Violation
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import judge_files
from yuanzi_core.texts import LANGS, Lang

Match = dict[str, Any]
Change = Callable[[Match], None]

LOGS = (Path(__file__).parent.parent / "cases" / "logs.jsonl").read_text(encoding="utf-8").splitlines()
FIVE, FOUR = (json.loads(line) for line in LOGS[:2])
# The first half of FOUR: ♠8 drawn, North draws first; West leads 9s9h9d9d9h9s, North and West hold an ♠8.
# FIVE: ♦7 drawn, seat 1 deals and calls ♠A, of which seats 2 and 3 hold two each.


def _deal(half: int = 0, **fields: object) -> Change:
    def change(match: Match) -> None:
        match["deals"][half].update(fields)

    return change


def _only(**fields: object) -> Change:
    """One half alone, changed."""

    def change(match: Match) -> None:
        del match["deals"][1:]
        match["deals"][0].update(fields)

    return change


def _rules(**options: object) -> Change:
    def change(match: Match) -> None:
        match["rules"] = options

    return change


def _hand(seat: int, old: str, new: str, to: int | None = None) -> Change:
    """Another card in a hand; with ``to`` a card that goes to another hand."""

    def change(match: Match) -> None:
        hands = match["deals"][0]["hands"]
        hands[seat] = hands[seat].replace(old, new, 1)
        if to is not None:
            hands[to] += old

    return change


def _both(*changes: Change) -> Change:
    def change(match: Match) -> None:
        for one in changes:
            one(match)

    return change


def _more(text: str) -> Change:
    def change(match: Match) -> None:
        del match["deals"][1:]
        match["deals"][0]["plays"] += text

    return change


NINES = "3:9s9h9d9d9h9s"
CASES: dict[str, tuple[Match, Change, str, str, str]] = {
    "a card too many": (
        FOUR,
        _hand(0, "3d", "4d"),
        "DECK",
        "The hands together are not the full deck; missing: ♦3; too many: ♦4.",
        "各家手牌凑不成整副牌；缺：♦3；多：♦4。",
    ),
    "an empty hand": (
        FOUR,
        _deal(hands=["", *FOUR["deals"][0]["hands"][1:]]),
        "DECK",
        "The hands together are not the full deck; missing: ♦3, ♥3, ♠3, ♦4, ♣4, ♦5, ♣5, ♥5 × 2, ♠5, ♣6, ♥6, ♣7, "
        "and other kinds: 22; too many: –.",
        "各家手牌凑不成整副牌；缺：♦3、♥3、♠3、♦4、♣4、♦5、♣5、♥5×2、♠5、♣6、♥6、♣7、另有 22 种；多：–。",
    ),
    "another knife": (
        FOUR,
        _deal(knife="9"),
        "KNIFE",
        "♠8 was drawn, which makes the knife 8, not 9.",
        "翻到的是 ♠8，刀应当是 8，不是 9。",
    ),
    "a joker drawn by five": (
        FIVE,
        _deal(drawn="XB", knife=None),
        "KNIFE",
        "XB was drawn, but with five players a joker cannot set the knife.",
        "翻到的是 大王，五人打法不能用王定刀。",
    ),
    "another first draw": (
        FOUR,
        _deal(first_draw=1),
        "FIRST_DRAW",
        "The first card goes to North, not to East.",
        "先摸牌的应当是北，不是东。",
    ),
    "a card in the wrong hand": (
        FOUR,
        _hand(0, "3d", "", to=2),
        "HAND_SIZE",
        "The hand of North should have 41 cards, and has 40.",
        "北的手牌应有 41 张，记录里是 40 张。",
    ),
    "a joker called": (
        FIVE,
        _deal(called="XS"),
        "CALL",
        "The dealer, Seat 1, cannot call XS: it is a joker.",
        "庄家座位1不能叫 小王：王不能叫。",
    ),
    "the knife called": (
        FIVE,
        _deal(called="7s"),
        "CALL",
        "The dealer, Seat 1, cannot call ♠7: it has the knife's rank.",
        "庄家座位1不能叫 ♠7：它跟刀同点。",
    ),
    "a card of one's own called": (
        FIVE,
        _deal(called="3c"),
        "CALL",
        "The dealer, Seat 1, cannot call ♣3: it is in the dealer's own hand.",
        "庄家座位1不能叫 ♣3：他自己手里就有。",
    ),
    "another leader": (
        FOUR,
        _deal(leader=1),
        "LEADER",
        "The first lead was made by East; allowed: North, West.",
        "第一个出牌的是东；有资格的是：北、西。",
    ),
    "a pass after the end": (
        FOUR,
        _more(" 0:-"),
        "AFTER_END",
        "The deal was already over before this turn of North (a pass).",
        "这一局早已结束，北这一手（过牌）不该再有。",
    ),
    "cards after the end": (
        FOUR,
        _more(" 0:3h"),
        "AFTER_END",
        "The deal was already over before this turn of North (♥3).",
        "这一局早已结束，北这一手（♥3）不该再有。",
    ),
    "a second half where there is one": (
        FOUR,
        _rules(halves=1),
        "AFTER_END",
        "Under this ruleset a match is a single half, so no further half can follow.",
        "这个规则集一盘只打一局，不该再有下一局。",
    ),
    # North and South have 100 points in the upper half, and North is left with cards.
    "a lower half after a double clamp": (
        FOUR,
        _rules(clamp_points=101),
        "AFTER_END",
        "The upper half ended the match by double clamp, so no lower half can follow.",
        "上局已经双夹，这一盘就此结束，不该再有下局。",
    ),
    "a lower half after an escape": (
        FOUR,
        _deal(plays=NINES, end="escape", escaped=0),
        "AFTER_END",
        "The escape in the upper half ended the match, so no lower half can follow.",
        "上局有人逃跑，这一盘就此结束，不该再有下局。",
    ),
    "out of turn": (
        FOUR,
        _deal(plays=f"{NINES} 1:-"),
        "TURN",
        "It was the turn of North, not of East.",
        "该北出牌，还没轮到东。",
    ),
    "a pass of the leader": (
        FOUR,
        _deal(plays="3:-"),
        "LEAD_PASS",
        "West had the lead and passed.",
        "轮到西领出，却过了牌。",
    ),
    "cards not held": (
        FOUR,
        _deal(plays="3:8h8s8h"),
        "NOT_HELD",
        "West played ♠8♥8♥8; not in hand: ♥8 × 2.",
        "西打出 ♠8♥8♥8，手里却缺：♥8×2。",
    ),
    "cards not held and of two ranks": (
        FOUR,
        _deal(plays="3:9s8h"),
        "NOT_HELD",
        "West played ♥8♠9; not in hand: ♥8.",
        "西打出 ♥8♠9，手里却缺：♥8。",
    ),
    "more of a card than a code can hold": (
        FOUR,
        _deal(plays=f"3:{'9s' * 300}"),
        "NOT_HELD",
        "West played ♠9 × 255; not in hand: ♠9 × 253.",
        "西打出 ♠9×255，手里却缺：♠9×253。",
    ),
    "two ranks": (
        FOUR,
        _deal(plays="3:9s8d"),
        "NOT_A_COMBO",
        "West played ♦8♠9, which make no combination: they are not of one rank.",
        "西打出的 ♦8♠9 不成牌型：点数不一样。",
    ),
    "a joker with the knife": (
        FOUR,
        _deal(plays="3:8sXB"),
        "NOT_A_COMBO",
        "West played ♠8XB, which make no combination: this ruleset lets no joker join knife cards.",
        "西打出的 ♠8大王 不成牌型：这个规则集里王不能配刀。",
    ),
    "a king over a bomb": (
        FOUR,
        _deal(plays=f"{NINES} 0:Ks"),
        "CANNOT_BEAT",
        "North played ♠K, which does not beat ♠9♠9♥9♥9♦9♦9 (a bomb of 9s, 6 cards, by West).",
        "北打出的 ♠K 压不住桌上的♠9♠9♥9♥9♦9♦9（6 张 9 的炸弹，西出的）。",
    ),
    "the log breaks off": (
        FOUR,
        _deal(plays=NINES),
        "TRUNCATED",
        "The plays stop before the deal is over; the next turn is that of North.",
        "还没打完，记录就断了；下一手该北出。",
    ),
    # Seats 1, 2 and 3 are the dealer's side; nobody is out, so both targets have five more (F1).
    "stopped without enough": (
        FIVE,
        _deal(plays="1:2sXS 2:- 3:- 4:- 0:-"),
        "TRUNCATED",
        "The deal is recorded as stopped on points, but no side has its target between two tricks; captured: Dealer's "
        "side 0, Defenders 0; targets: Dealer's side 305, Defenders 205.",
        "记录说是够分停牌，可在两轮之间没有哪一方够分；抓到：庄家方 0、闲家方 0；分数线：庄家方 305、闲家方 205。",
    ),
    "stopped within a trick": (
        FIVE,
        _deal(plays="1:2sXS 2:-"),
        "TRUNCATED",
        "The deal is recorded as stopped on points while a trick is open; the next turn is that of Seat 3.",
        "记录说是够分停牌，可这一轮还没打完；下一手该座位3出。",
    ),
    "an escape after the end": (
        FOUR,
        _only(end="escape", escaped=0),
        "END",
        "The deal is recorded with the end “escape”, but the plays and the ruleset call for “out”.",
        "记录里的结束方式是“逃跑”，照出牌和规则集应当是“出完”。",
    ),
    "stopped where that is not allowed": (
        FIVE,
        _rules(early_stop="never"),
        "END",
        "The deal is recorded with the end “points”, but this ruleset lets no deal stop on points.",
        "记录里的结束方式是“够分停牌”，这个规则集却不许够分停牌。",
    ),
}


def _answer(match: Match, folder: Path, lang: Lang) -> dict[str, Any]:
    path = folder / "one.jsonl"
    path.write_text(json.dumps(match), encoding="utf-8")
    (found,) = [answer for judged in judge_files([str(path)], Rulesets()) for answer in answers(judged, lang)]
    return found


@pytest.mark.parametrize("name", CASES)
def test_H2_a_violation_says_what_is_wrong(name: str, tmp_path: Path) -> None:
    log, change, code, english, chinese = CASES[name]
    match = copy.deepcopy(log)
    change(match)
    answer = _answer(match, tmp_path, "en")
    assert (answer["code"], answer["message"]) == (code, english)
    assert _answer(match, tmp_path, "zh")["message"] == chinese


def test_every_violation_is_among_them() -> None:
    assert {code for _, _, code, _, _ in CASES.values()} == set(Violation)


@pytest.mark.parametrize(
    ("code", "claimed", "recomputed", "variant", "english", "chinese"),
    [
        (
            Discrepancy.CLAIM_FINISH, "[2,1]", "[]", "four",
            "Recorded order of going out: South, East; recomputed: –.",
            "出完的次序，记录是 南、东，重算是 –。",
        ),
        (
            Discrepancy.CLAIM_FINISH, "[7]", "[4,0]", "five",
            "Recorded order of going out: [7]; recomputed: Seat 4, Seat 0.",
            "出完的次序，记录是 [7]，重算是 座位4、座位0。",
        ),
        (
            Discrepancy.CLAIM_CAPTURED, "[95,40,120,45]", "[95,40,120,40]", "four",
            "Recorded captured points: North 95, East 40, South 120, West 45; recomputed: North 95, East 40, "
            "South 120, West 40.",
            "各家抓分，记录是 北 95、东 40、南 120、西 45，重算是 北 95、东 40、南 120、西 40。",
        ),
        (
            Discrepancy.CLAIM_SIDE_POINTS, "[260,40]", "[255,245]", "five",
            "Recorded points of the sides: Dealer's side 260, Defenders 40; recomputed: Dealer's side 255, "
            "Defenders 245.",
            "双方总分，记录是 庄家方 260、闲家方 40，重算是 庄家方 255、闲家方 245。",
        ),
        (
            Discrepancy.CLAIM_OUTCOME, '"normal"', '"double"', "four",
            "Recorded outcome: ordinary win; recomputed: double clamp.",
            "这一盘的结果，记录是 平胜，重算是 双夹。",
        ),
        (
            Discrepancy.CLAIM_OUTCOME, '"?"', '"zero"', "five",
            'Recorded outcome: "?"; recomputed: tripled win (losers at zero).',
            '这一盘的结果，记录是 "?"，重算是 三倍（输方零分）。',
        ),
        (
            Discrepancy.CLAIM_WINNER, "9", "1", "four",
            "Recorded winner: 9; recomputed: East and West.",
            "赢的一方，记录是 9，重算是 东西。",
        ),
        (
            Discrepancy.CLAIM_SCORES, "[1,-1,1,-1]", "[-19.5,13,13,0]", "four",
            "Recorded scores: North +1, East −1, South +1, West −1; recomputed: North −19.5, East +13, "
            "South +13, West 0.",
            "各家积分，记录是 北 +1、东 −1、南 +1、西 −1，重算是 北 −19.5、东 +13、南 +13、西 0。",
        ),
        (
            Discrepancy.CLAIM_BALANCE, "240", "238.5", "five",
            "Recorded standing before the match: 240; by the ledger: 238.5.",
            "开打前的积分，记录是 240，积分账上是 238.5。",
        ),
        (
            Discrepancy.CLAIM_BALANCE, "[240,null,-3.5,null]", "[238.5,null,-3.5,null]", "four",
            "Recorded standing before the match: North 240, South −3.5; by the ledger: North 238.5, South −3.5.",
            "开打前的积分，记录是 北 240、南 −3.5，积分账上是 北 238.5、南 −3.5。",
        ),
    ],
)  # fmt: skip
def test_H1_a_discrepancy_says_both_values(
    code: Discrepancy, claimed: str, recomputed: str, variant: Any, english: str, chinese: str
) -> None:
    assert message_of_discrepancy(code, claimed, recomputed, variant, "en") == english
    assert message_of_discrepancy(code, claimed, recomputed, variant, "zh") == chinese


def test_notes_name_what_they_are_about() -> None:
    unknown = NoteRow(Note.UNKNOWN_FIELDS, count=2)
    assert (
        message_of_note(Note.UNKNOWN_FIELDS, "four", "en", unknown)
        == "Fields that the format does not know, left aside: 2."
    )
    unreadable = NoteRow(Note.CLAIM_UNREADABLE, path="claimed.scores")
    assert (
        message_of_note(Note.CLAIM_UNREADABLE, "four", "zh", unreadable)
        == "claimed.scores 的类型或个数不对，没有拿来核对。"
    )
    assert (
        message_of_note(Note.CAP_ZERO, "five", "zh", seats=[2, 3])
        == "开打前的积分是 0 或负数，赢分封顶为 0：座位2、座位3。"
    )
    for note in (Note.OTHER_VARIANT_FIELDS, Note.ESCAPE_CLAIM, Note.NO_CAP_UNKNOWN_STANDING):
        for lang in LANGS:
            message = message_of_note(note, "five", lang, NoteRow(note, count=1, path="deals", seats=[1]), seats=[1])
            assert "{" not in message
