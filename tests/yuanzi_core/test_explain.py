"""Records explained: figures worked out by hand from the rulings, and every line of the cases in both languages."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from yuanzi_core.explain import Explanation, explain, explain_records, render_markdown, render_text
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import judge_files
from yuanzi_core.texts import LANGS, Lang

CASES = Path(__file__).parent.parent / "cases"
NAMES = ["甲", "乙", "丙", "丁", "戊"]


@cache
def _logs(name: str) -> dict[str, str]:
    lines = (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return {json.loads(line)["match_id"]: line for line in lines}


def _match(name: str, match_id: str) -> dict[str, Any]:
    """A match of the cases, its players called 甲 乙 丙 丁 戊."""
    match: dict[str, Any] = json.loads(_logs(name)[match_id])
    for player, own in zip(match["players"], NAMES, strict=False):
        player["name"] = own
    return match


def _explain(match: dict[str, Any], lang: Lang, standings: Sequence[int | None] | None = None) -> Explanation:
    return explain(json.dumps(match).encode(), Rulesets(), lang, standings)


def _lines(explanation: Explanation, key: str, deal: int | None = None) -> list[str]:
    """The lines of a section, each with its clauses behind it."""
    (section,) = [s for s in explanation.sections if s.key == key and s.deal == deal]
    return [f"{line.text} {' '.join(line.clauses)}".rstrip() for line in section.lines]


def test_D3_F1_to_F6_a_low_result_with_atoms_and_two_caps() -> None:
    # By hand: side 0 is the dealer's, seats 1, 2 and 4, and seat 4 went out first. Play stopped on points, so nobody is
    # downstream; the hands of seats 0 and 3 (20 points) go to the dealer's side, 45 + 20 = 65, those of seats 1 and 2
    # (230) to the defenders, 205 + 230 = 435. Targets 300 (with upstream) and 205. 65 < 3 × 25: doubled. Seven atoms:
    # (3 + 7 × 1.5) × 2 = 27 and (2 + 7) × 2 = 18, base 2: +54 and −36. Standings 51 and 36 cap both winners.
    explanation = _explain(_match("edges", "e7-00281"), "zh")
    assert _lines(explanation, "summary") == [
        "闲家方赢，翻倍（输方低分）。",
        "积分：座位0（+51）、座位1（−36）、座位2（−36）、座位3（+36）、座位4（−36）。",
    ]
    assert _lines(explanation, "table", 0)[:4] == [
        "座位2 丙 坐庄，叫 ♦8。 A6",
        "座位1、座位4手里都有两张或更多，都是伴。 A6",
        "庄家方：座位1 乙、座位2 丙、座位4 戊。 A6",
        "闲家方：座位0 甲、座位3 丁。 A6",
    ]
    assert _lines(explanation, "end", 0) == [
        "够分停牌，这一局不再打下去。 C5",
        "出完的次序：座位4；座位4是上游。 C4",
        "抓分：庄家方 45、闲家方 205；分数线：庄家方 300、闲家方 205。 C5 F1",
        "一共打完 22 轮，原子数 7。 F5",
    ]
    assert _lines(explanation, "points", 0) == [
        "抓到：座位0（80）、座位1（0）、座位2（0）、座位3（125）、座位4（45）。 C2",
        "手里没出的：座位0（10）、座位1（65）、座位2（165）、座位3（10）、座位4（0）。",
        "座位0、座位3手里没出的 20 分，归庄家方。 D3",
        "座位1、座位2手里没出的 230 分，归闲家方。 D3",
        "够分停牌的局没有下游，抓到的分各归各。 D3",
        "庄家方：0（座位1）+ 0（座位2）+ 45（座位4）+ 20（没出的）= 65 分。 D0",
        "闲家方：80（座位0）+ 125（座位3）+ 230（没出的）= 435 分。 D0",
        "双方合计 500 分，一分不多一分不少。 D4",
    ]
    assert _lines(explanation, "result") == [
        "庄家方 3 人，上游在这一方，分数线 300；得 65 分。 F1",
        "闲家方 2 人，上游不在这一方，分数线 205；得 435 分。 F1",
        "闲家方够线，赢。 F1",
        "2 个人赢 3 个人：赢家每人 3 倍，输家每人 2 倍。 F2",
        "原子倍数 7：闲家方每人加 10.5 倍，庄家方每人加 7 倍。 F4 F5",
        "输的庄家方只有 65 分，不到 75 分，翻成 2 倍。 F3",
        "照这个规则集，原子加的倍数一起翻。 F4",
        "闲家方每人赢 (3 + 10.5) × 2 = 27 倍；乘底分 2：+54。 F2",
        "庄家方每人输 (2 + 7) × 2 = 18 倍；乘底分 2：−36。 F2",
        "座位0 甲 该赢 +54，开打前只有 51：封顶，赢 +51。 F6",
        "座位3 丁 该赢 +54，开打前只有 36：封顶，赢 +36。 F6",
    ]
    assert _lines(explanation, "scores") == [
        "座位0 甲：+51", "座位1 乙：−36", "座位2 丙：−36", "座位3 丁：+36", "座位4 戊：−36",
    ]  # fmt: skip


def test_D1_D2_E1_E2_a_match_of_two_halves() -> None:
    # By hand. Upper half: West, South, East are out, North is downstream with 90 points, which go to West: 25 + 90 =
    # 115; North and South 0 + 100 = 100, no double clamp. Lower half: North and South are out, East and West hold 5
    # points: 20 + 50 + 5 = 75 against 135 + 90 = 225. Totals 175 and 425: +1 and −1.
    explanation = _explain(_match("logs", "c20260301-00001"), "en")
    assert explanation.sections[1].heading == "The table, upper half"
    assert _lines(explanation, "table", 0) == [
        "North and South: North (甲), South (丙). A1",
        "East and West: East (乙), West (丁). A1",
        "♠8 was drawn; the knife is 8. A3",
        "Cards dealt: North 41, East 41, South 40, West 40. A4",
        "West leads first. A5",
    ]
    tricks = _lines(explanation, "tricks", 0)
    assert len(tricks) == 1 + 26
    assert tricks[1] == (
        "1. West leads ♠9♠9♥9♥9♦9♦9, North ♠Q♥Q♥Q♣Q♦QXSXS, East ♦7♦7♦7 (atom), South ♣K♣K♣K (atom): South takes 30"
    )
    assert tricks[23] == "23. South leads ♠4, West ♣7 (out, upstream), North ♥9, South ♠10: South takes 10"
    assert tricks[26] == "26. East leads ♠3 (out, number 3): East takes it, no points C4"
    assert _lines(explanation, "end", 0) == [
        "Three players are out and only North holds cards: the deal is over. C4",
        "Order of going out: West, South, East. Upstream: West. C4",
        "Complete tricks: 26; atoms: 2. F5",
    ]
    assert _lines(explanation, "points", 0) == [
        "Captured: North 90, East 85, South 100, West 25. C2",
        "No points were left in the hands. D1",
        "North is downstream: the 90 points captured there go to West, upstream. D1",
        "After the transfers: North 0, East 85, South 100, West 115.",
        "North and South: 0 (North) + 100 (South) = 100. D0",
        "East and West: 85 (East) + 115 (West) = 200. D0",
        "Both sides together: 300, every point of the deck. D4",
    ]
    assert "18. East has the wind and leads ♠4♦4: East takes it, no points C3" in _lines(explanation, "tricks", 1)
    assert _lines(explanation, "points", 1)[2:6] == [
        "The 5 points left with East, West go to: North and South. D2",
        "More than one player holds cards, so nobody is downstream: captured points stay. D2",
        "North and South: 20 (North) + 50 (South) + 5 (unplayed) = 75. D0",
        "East and West: 135 (East) + 90 (West) = 225. D0",
    ]
    assert _lines(explanation, "result") == [
        "Upper half: North and South 100, East and West 200. Three were out; for a double clamp the side that still "
        "holds cards would need fewer than 60: no double clamp. E1",
        "North and South: 100 (upper half) + 75 (lower half) = 175. E2",
        "East and West: 200 (upper half) + 225 (lower half) = 425. E2",
        "East and West have more and win. E2",
        "Each winner 1 × base 1 = +1, each loser −1. E2 E5",
    ]


def test_D1_unplayed_points_go_to_the_third_player_out() -> None:
    # By hand: East, North and West are out; South still holds 10 points, which go to West (70 + 10 = 80), and captured
    # 20, which go to East, upstream (100 + 20 = 120).
    explanation = _explain(_match("logs", "c20260301-00010"), "zh")
    assert _lines(explanation, "points", 0) == [
        "抓到：北 100、东 100、南 20、西 70。 C2",
        "手里没出的：北 0、东 0、南 10、西 0。",
        "南手里没出的 10 分，归第三个出完的西。 D1",
        "南是下游，抓到的 20 分全给上游东。 D1",
        "转分之后：北 100、东 120、南 0、西 80。",
        "南北：100（北）+ 0（南）= 100 分。 D0",
        "东西：120（东）+ 80（西）= 200 分。 D0",
        "双方合计 300 分，一分不多一分不少。 D4",
    ]


def test_F7_an_escape_with_atoms_part_by_part() -> None:
    # By hand: two out, 410 captured, 35 tricks, 8 atoms, base 10; seat 3 left a side of three, so two opponents.
    # 10 + 2 + 2 + 3 = 17, compensation 1 + 1 + 1 = 3; atoms 8 each and 16 on top: 33 and 11 times the base.
    explanation = _explain(_match("edges", "e7-00008"), "zh")
    assert _lines(explanation, "summary") == [
        "座位3 丁 逃跑。",
        "积分：座位0（+110）、座位1（0）、座位2（0）、座位3（−330）、座位4（+110）。",
    ]
    assert _lines(explanation, "result") == [
        "座位3 丁 逃跑，罚分从 10 倍起。 F7",
        "已经有人出完：+2。 F7",
        "出完 2 个人：+2。 F7",
        "打完的轮次里各家一共抓到 410 分，每满 100 分加 1：+3。 F7",
        "罚分合计 17 倍。 F7",
        "打完 35 轮，够 5 轮，对手 2 人，每人补 1 + 1 + 1 = 3 倍，从罚分里出"
        "（有人出完加一份，出完两个或更多再加一份）。 F7",
        "原子倍数 8：对手 2 人每人另得 8 倍，逃跑的人在罚分之外再出 16 倍。 F7",
        "逃跑的人一共 33 倍，对手每人 11 倍，同伴不赔也不得。 F7",
        "底分 10：逃跑的人 −330，对手每人 +110。 F7",
        "逃跑不封顶。 F6",
    ]


def test_E3_an_escape_in_the_lower_half() -> None:
    explanation = _explain(_match("edges", "e7-00017"), "en")
    assert _lines(explanation, "summary")[0] == "East (乙) escaped, so the winners are: North and South."
    assert _lines(explanation, "result")[1:] == [
        "Escape in the lower half: East (乙) loses 2, the partner 0. E3",
        "In the lower half each opponent receives 1, whatever was played. E3",
        "Base 1: the escaper −2, each opponent +1. E5",
    ]
    assert _lines(explanation, "end", 1)[0] == "East (乙) left: an escape. Complete tricks before it: 27. E3"


def test_E1_a_double_clamp_by_double_out() -> None:
    explanation = _explain(_match("rare", "r12-00268"), "zh")
    assert _lines(explanation, "end", 0)[0] == "东、西出完，北、南都还有牌：双出，这一局结束。 C4"
    assert _lines(explanation, "result") == [
        "上局双出：东西两家都出完，南北两家都还有牌，东西双夹。 E1",
        "赢家每人 2 × 底分 1 = +2，输家每人 −2。 E1 E5",
    ]


def test_E1_a_double_clamp_by_points_names_the_limit() -> None:
    # North and South have 100 points in the upper half and North is left with cards.
    match = _match("logs", "c20260301-00001")
    match["rules"], match["deals"] = {"clamp_points": 101}, match["deals"][:1]
    assert _lines(_explain(match, "zh"), "result")[0] == (
        "上局三家出完，南北只有 100 分，不到 101 分（还有人没出完的那一方不到就算）：东西双夹。 E1"
    )


def test_E4_an_upper_half_alone_is_unfinished() -> None:
    match = _match("logs", "c20260301-00001")
    del match["deals"][1:]
    explanation = _explain(match, "zh")
    assert explanation.status == "unfinished"
    assert _lines(explanation, "result")[1] == "没有双夹，记录里又没有下局：这一盘没打完，不计分。 E4"
    assert not [section for section in explanation.sections if section.key == "scores"]


def test_F6_the_ledger_s_standing_caps_where_the_log_gives_none() -> None:
    match = _match("edges", "e7-00281")
    for player in match["players"]:
        player.pop("balance", None)
    explanation = _explain(match, "zh", [10, None, None, None, None])
    assert _lines(explanation, "result")[-2:] == [
        "座位0 甲 该赢 +54，开打前只有 10：封顶，赢 +10。 F6",
        "座位3 丁 该赢 +54，开打前有多少不知道：不封顶，赢 +54。 F6",
    ]
    assert _lines(explanation, "notes") == ["不知道开打前的积分，没有封顶：座位3。 F6"]


def test_H1_a_violation_shows_the_table_the_hand_the_play_and_the_rule() -> None:
    explanation = _explain(_match("logs", "c20260301-00285"), "zh")
    assert explanation.status == "violation"
    assert _lines(explanation, "verdict") == [
        "北打出的 ♣9♦9 压不住桌上的♠J♥J♥J大王大王小王（6 张 J 的炸弹，西出的）。",
        "在上局的第 8 手（从 0 数）。",
        "规则：B4、B5、B6、B7、B8：要压就得比桌上的大；单张、对、三同张各管各的，炸弹和炸弹以上才能压别的牌型。",
        "裁判到第一处违规就停；这一盘不结算，谁的积分也不动。 H1",
    ]
    # By hand from the hand shown: of 38 cards only the three ♠6 and the three ♥8 (atoms) beat a bomb of six.
    assert _lines(explanation, "stop", 0) == [
        "第 2 轮，西领出 ♠J♥J♥J大王大王小王；要压的是 ♠J♥J♥J大王大王小王（6 张 J 的炸弹，西出的）。",
        "这时各家抓到：北 0、东 0、南 0、西 0。",
        "轮到北。",
        "北 甲 手里 38 张：♠2♣2 ♠A♥A♣A ♣K ♠Q ♠J♣J♦J ♥10♥10♣10♦10 ♠9♥9♣9♦9 ♥8♥8♥8♣8♣8♦8 ♠6♠6♠6♥6♦6 ♥5♦5 ♠4♦4 ♠3♥3♣3♣3♦3",
        "北出的是：♣9♦9",
        "压不住：“一对 9”压不了“6 张 J 的炸弹”。单张、对、三同张压不了炸弹，更压不了原子、氢弹。 B4",
        "手里压得住的，从小的数起：♠6♠6♠6、♥8♥8♥8",
    ]


def test_H1_claims_that_differ_are_listed_with_both_values() -> None:
    match = _match("logs", "c20260301-00001")
    match["deals"][1]["claimed"] = {"captured": [20, 135, 50, 95]}
    match["claimed"] = {"scores": [1, -1, 1, -1], "winner": 1, "outcome": 7}
    explanation = _explain(match, "en")
    assert _lines(explanation, "summary")[-1] == (
        "Entries of the record that differ from the recomputation: 2, see below."
    )
    assert _lines(explanation, "claims") == [
        "lower half: Recorded captured points: North 20, East 135, South 50, West 95; recomputed: North 20, East 135, "
        "South 50, West 90. A2 C2 C3 C4",
        "Recorded scores: North +1, East −1, South +1, West −1; recomputed: North −1, East +1, South −1, West +1. "
        "E1 E2 E3 E5 F2 F3 F4 F6 F7",
    ]
    assert _lines(explanation, "notes") == ["The claim claimed.outcome has a wrong type or size and was not compared."]


def test_a_reject_says_what_and_where() -> None:
    match = _match("logs", "c20260301-00001")
    match["deals"][0]["leader"] = 4
    explanation = _explain(match, "zh")
    assert (explanation.status, explanation.match_id) == ("rejected", "c20260301-00001")
    assert _lines(explanation, "reject")[:2] == [
        "deals[0].leader 里的 4 不是座位，只能是 0 到 3。",
        "在 deals[0].leader。",
    ]
    assert explain(b"{", Rulesets(), "en").status == "rejected"
    assert explain(b"\xff\x00", Rulesets(), "zh").match_id is None


def test_names_stay_names_in_every_form() -> None:
    match = _match("logs", "c20260301-00001")
    match["players"][0]["name"] = "*a*\n# <b>[x](y)\x1b[31m\u202e" + "z" * 100
    match["match_id"] = match["match_id"] + "_*_"
    explanation = _explain(match, "en")
    shown = render_text(explanation)
    assert "*a* # <b>[x](y) [31m" in shown
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", shown)
    assert "z" * 30 not in shown
    marked = render_markdown(explanation)
    assert r"\*a\* \# \<b\>\[x\](y)" in marked
    assert marked.startswith("#### c20260301\\-00001\\_\\*\\_")
    assert len(marked.splitlines()) >= len([line for line in shown.splitlines() if line])


@cache
def _clauses_of_the_rulebook(lang: Lang) -> frozenset[str]:
    book = (files("yuanzi_core") / f"rulebook.{lang}.md").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^### ([A-H]\d+) ", book, re.MULTILINE))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", ["logs", "pairs", "edges", "rare", "claims", "dirty"])
@pytest.mark.slow
def test_every_record_of_the_cases_is_explained(name: str, lang: Lang) -> None:
    expected = (CASES / f"{name}.expected.jsonl").read_text(encoding="utf-8").splitlines()
    explained = 0
    # Of the largest file every other record in each language.
    part = slice(LANGS.index(lang), None, len(LANGS)) if name == "pairs" else slice(None)
    for judged in judge_files([str(CASES / f"{name}.jsonl")], Rulesets()):
        rows = [row for row in range(len(judged.chunk.records)) if row not in judged.duplicates][part]
        for explanation in explain_records(judged.chunk, rows, judged.judge, lang):
            keys = {section.key for section in explanation.sections}
            assert (
                keys
                >= {
                    "settled": {"summary", "table", "end", "result", "scores"},
                    "unfinished": {"summary", "table", "tricks", "end", "points", "result"},
                    "violation": {"verdict"},
                    "rejected": {"reject"},
                }[explanation.status]
            )
            for section in explanation.sections:
                for line in section.lines:
                    assert line.text.strip()
                    assert set(line.clauses) <= _clauses_of_the_rulebook(lang)
            # No field is left open, and nothing of Python's shows (a reject may quote anything).
            shown = render_text(explanation)
            assert not re.search(r"\{\w+\}", shown)
            assert explanation.status == "rejected" or not re.search(r"None|Decimal|True|False", shown)
            explained += 1
    assert explained == len([answer for answer in expected if '"duplicate"' not in answer][part])
