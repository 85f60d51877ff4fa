"""Logs written: canonical notation, the same content through every kind of file, whole files or none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec import Raw

from yuanzi_core.answers import answers, encode
from yuanzi_core.canonical import canonical, fill_in
from yuanzi_core.files import LOG_SUFFIXES, Damage, read_lines
from yuanzi_core.log import Match, Problem, read_match
from yuanzi_core.notation import NotationError
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.stream import judge_files, same_content
from yuanzi_core.writer import LogWriter, encode_match, write_log

CASES = Path(__file__).parent.parent / "cases"
RULESETS = Rulesets()


def lines_in(path: Path) -> list[bytes]:
    found = []
    with path.open("rb") as stream:
        for lines in read_lines(stream, path.name):
            assert not isinstance(lines, Damage)
            found += [line for _, line in lines]
    return found


def readable(path: Path) -> Iterator[Match]:
    """The matches of a case file that can be read, whatever their notation."""
    for line in path.read_bytes().splitlines():
        try:
            match, _ = read_match(line.removeprefix(b"\xef\xbb\xbf"))
            yield from canonical([match])
        except (Problem, NotationError):
            continue


def simulated() -> list[Match]:
    """Matches of all rulesets, some with everything that a log can have."""
    found = []
    for name in ("four-classic", "five-atomic"):
        for headers, deals in play_matches(RULESETS[name], 8, 3, escape_rate=0.3, balances=True):
            found += fill_in(headers, deals)
    full = found[0]
    full.club, full.table, full.revision, full.base = "桐庐 “老地方”", "4", 3, Decimal("0.5")
    full.rules = Raw(b'{ "wind": "partner",\n "escape_upper_compensation": 0.25 }')
    full.claimed = Raw(b'{"scores": [1, -1, 1.50, -1], "outcome": "normal"}')
    full.deals[0].claimed = Raw(b'{"finish":[2,1,0]}')
    full.players[0].name, full.players[1].name = "阿\\强", "O'Neil\t1"
    full.players[2].balance, full.players[3].balance = Decimal("-0.125"), 10**12 - 1
    return found


def a_match(**changes: Any) -> Match:
    line: dict[str, Any] = {
        "format": "yuanzi-log/1", "match_id": "m", "variant": "four", "ruleset": "four-classic",
        "played_at": "2026-03-01T20:15:00+08:00", "players": [{"id": f"p{seat}"} for seat in range(4)],
        "deals": [{"drawn": "7h", "leader": 2, "hands": ["7s3d", "4c", "", "XSXB"], "plays": "2:7s"}],
    }  # fmt: skip
    line["deals"][0] |= changes
    return read_match(msgspec.json.encode(line))[0]


def test_a_line_has_the_fields_of_the_format_in_its_order_and_no_absent_ones() -> None:
    line = json.loads(encode_match(simulated()[0]))
    assert list(line) == [
        "format", "match_id", "variant", "ruleset", "rules", "played_at", "club", "table", "source", "revision",
        "base", "players", "deals", "claimed",
    ]  # fmt: skip
    assert list(line["deals"][0])[:6] == ["drawn", "knife", "first_draw", "leader", "hands", "plays"]
    assert encode_match(a_match()) == (
        b'{"format":"yuanzi-log/1","match_id":"m","variant":"four","ruleset":"four-classic",'
        b'"played_at":"2026-03-01T20:15:00+08:00",'
        b'"players":[{"id":"p0"},{"id":"p1"},{"id":"p2"},{"id":"p3"}],'
        b'"deals":[{"drawn":"7h","leader":2,"hands":["7s3d","4c","","XSXB"],"plays":"2:7s"}]}'
    )


def test_numbers_and_claims_are_written_exactly_and_compactly() -> None:
    line = encode_match(simulated()[0])
    assert b'"base":0.5,' in line
    assert b'"balance":-0.125}' in line
    assert b'"balance":999999999999}' in line
    assert b'"rules":{"wind":"partner","escape_upper_compensation":0.25}' in line
    assert b'"claimed":{"scores":[1,-1,1.50,-1],"outcome":"normal"}' in line
    assert b"\n" not in line


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("", ""),
        (" 2:7s3d\t 3:-\n0:- ", "2:3d7s 3:- 0:-"),
        ("S:10h W:- N:ks", "2:Th 3:- 0:Ks"),
        ("2:♠7♥7大王 3:-", "2:7s7hXB 3:-"),
        ("2:7黑桃7红桃小王大王 3:-", "2:7s7hXBXS 3:-"),
        ("2:7d7c7h7s", "2:7s7h7c7d"),
        ("2:XB7s", "2:7sXB"),
        # Of two ranks: no combination, but written all the same.
        ("2:9s3d4s3s", "2:3s3d4s9s"),
        # More copies of a card than any deck has.
        ("2:" + "7s" * 9 + " 3:" + "3s4s" * 300, "2:" + "7s" * 9 + " 3:" + "3s" * 300 + "4s" * 300),
    ],
)
def test_plays_are_written_canonically(given: str, written: str) -> None:
    assert canonical([a_match(plays=given)])[0].deals[0].plays == written


def test_deals_without_plays_stay_so_among_others() -> None:
    given = ["", "2:7s 3:-", "", "", "1:-", ""]
    assert [match.deals[0].plays for match in canonical([a_match(plays=plays) for plays in given])] == given


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("7s3d2h10c", "3d7sTc2h"),
        ("XBXS3s3h3c3d", "3d3c3h3sXSXB"),
        ("大王小王♠3", "3sXSXB"),
        ("7s" * 9 + "3d", "3d" + "7s" * 9),
        ("", ""),
    ],
)
def test_hands_are_sorted(given: str, written: str) -> None:
    assert canonical([a_match(hands=[given, "", "", "4c"])])[0].deals[0].hands == [written, "", "", "4c"]


def test_cards_and_ranks_of_a_deal_are_canonical_and_nothing_of_the_other_game_stays() -> None:
    given = a_match(drawn="♠10", knife="10", dealer=1, called="7h", first_draw=3)
    made = canonical([given])[0].deals[0]
    assert (made.drawn, made.knife, made.first_draw, made.dealer, made.called) == ("Ts", "T", 3, None, None)
    assert given.deals[0].drawn == "♠10"


def test_a_text_that_nobody_can_read_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(NotationError):
        write_log(tmp_path / "log.jsonl", [a_match(plays="2:7x")])
    assert list(tmp_path.iterdir()) == []


def test_a_batch_that_cannot_count_its_cards_is_refused() -> None:
    match = a_match(hands=["7s" * 7, "", "", ""])
    deals = Reader(RULESETS).read([(1, encode_match(match))]).deals["four"]
    with pytest.raises(ValueError, match="more copies"):
        fill_in([match], deals)


@pytest.mark.parametrize("name", ["logs", "pairs", "edges", "rare", "claims", "dirty"])
def test_a_batch_and_its_matches_are_written_alike(name: str) -> None:
    matches = [
        match
        for match in readable(CASES / f"{name}.jsonl")
        if all(hand.count(hand[:2]) < 7 for deal in match.deals for hand in deal.hands)
    ]
    assert matches
    chunk = Reader(RULESETS).read([(line, encode_match(match)) for line, match in enumerate(matches, 1)])
    for variant, deals in chunk.deals.items():
        read = [match for row in chunk.rows[variant] if (match := chunk.records[row].match) is not None]
        for wanted, made in zip(read, fill_in(read, deals), strict=True):
            for deal in wanted.deals:
                deal.end = deal.end or "out"
            assert encode_match(made) == encode_match(wanted)


def verdicts(path: Path) -> list[dict[str, Any]]:
    found = [json.loads(encode(answer)) for part in judge_files([str(path)], RULESETS) for answer in answers(part)]
    return [{key: answer[key] for key in answer.keys() - {"file", "line", "notes"}} for answer in found]


@pytest.mark.parametrize("name", ["edges", "claims", "dirty"])
def test_what_is_written_is_judged_like_what_was_read(name: str, tmp_path: Path) -> None:
    given, written = tmp_path / "given.jsonl", tmp_path / "written.jsonl"
    matches = []
    with given.open("wb") as file:
        for line in (CASES / f"{name}.jsonl").read_bytes().splitlines():
            try:
                match = read_match(line.removeprefix(b"\xef\xbb\xbf"))[0]
                canonical([match])
            except (Problem, NotationError):
                continue
            matches.append(match)
            file.write(line.removeprefix(b"\xef\xbb\xbf") + b"\n")
    write_log(written, matches)
    assert matches
    # A duplicate or a conflict of ids compares raw contents, of which unknown fields are a part.
    wanted = [
        answer for answer in verdicts(given) if answer["status"] != "duplicate" and answer.get("code") != "DUPLICATE"
    ]
    found = verdicts(written)
    assert [answer for answer in wanted if answer not in found] == []


@pytest.mark.parametrize("suffix", LOG_SUFFIXES)
def test_every_kind_of_file_gives_back_the_same_matches(suffix: str, tmp_path: Path) -> None:
    matches = simulated()
    path = tmp_path / f"log{suffix}"
    with LogWriter(path) as log:
        log.write(matches[:5])
        log.write(matches[5:])
    read = lines_in(path)
    wanted = [encode_match(match) for match in matches]
    assert len(read) == len(wanted)
    assert all(same_content(*pair) for pair in zip(read, wanted, strict=True))
    assert [encode_match(read_match(line)[0]) for line in read] == wanted
    if suffix != ".parquet":
        assert read == wanted
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", LOG_SUFFIXES)
def test_the_bytes_of_a_file_do_not_hang_on_how_its_matches_come_in(suffix: str, tmp_path: Path) -> None:
    one, other = tmp_path / f"one{suffix}", tmp_path / f"other{suffix}"
    blocks = [list(play_matches(RULESETS["five-atomic"], 300, 5, block=size)) for size in (300, 7)]
    for path, parts in zip((one, other), blocks, strict=True):
        with LogWriter(path) as log:
            for headers, deals in parts:
                log.write_batch(headers, deals)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("suffix", LOG_SUFFIXES)
def test_an_empty_log_can_be_read(suffix: str, tmp_path: Path) -> None:
    write_log(tmp_path / f"log{suffix}", [])
    assert lines_in(tmp_path / f"log{suffix}") == []


@pytest.mark.parametrize("suffix", LOG_SUFFIXES)
@pytest.mark.parametrize("interruption", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupted_file_leaves_nothing_and_the_old_one_as_it_was(
    suffix: str, interruption: type[BaseException], tmp_path: Path
) -> None:
    path = tmp_path / f"log{suffix}"
    path.write_bytes(b"before")

    def interrupted() -> None:
        with LogWriter(path) as log:
            log.write(simulated())
            raise interruption

    with pytest.raises(interruption):
        interrupted()
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"before"
    write_log(path, simulated())
    assert len(lines_in(path)) == len(simulated())


@pytest.mark.parametrize("room", [0, 20_000])
@pytest.mark.parametrize("suffix", LOG_SUFFIXES)
def test_a_full_disk_is_an_error_that_can_be_told_and_leaves_nothing(suffix: str, room: int, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    headers, deals = next(iter(play_matches(RULESETS["five-classic"], 400, 5)))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def too_much() -> None:
        with LogWriter(tmp_path / f"log{suffix}") as log:
            log.write_batch(headers, deals)

    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(OSError, match=r"[Ff]ile too large"):
            too_much()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_an_error_that_can_be_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_log(tmp_path / "none" / "log.jsonl", [])


@pytest.mark.parametrize("name", ["log", "log.txt", "log.gz", "log.jsonl.bz2"])
def test_a_suffix_that_no_log_has_is_the_callers_mistake(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"ends in \.jsonl"):
        LogWriter(tmp_path / name)


def test_claims_of_a_deal_stay_with_it_when_a_batch_is_written() -> None:
    headers, deals = next(iter(play_matches(RULESETS["four-classic"], 5, 5)))
    claimed = fill_in(headers, deals)
    for match in claimed:
        match.deals[-1].claimed = Raw(b'{"finish":[1]}')
    assert fill_in(claimed, deals) == claimed


def test_one_play_of_each_kind_of_code_comes_out_as_it_went_in() -> None:
    rng = np.random.default_rng(1)
    ranks, suits = "3456789TJQKA2", "shcd"
    tokens = []
    for rank in ranks:
        for _ in range(40):
            counts = rng.integers(0, 6, 4).tolist()
            cards = "".join((rank + suit) * count for suit, count in zip(suits, counts, strict=True))
            tokens.append(
                f"{rng.integers(4)}:{cards + 'XB' * int(rng.integers(3)) + 'XS' * int(rng.integers(3)) or '-'}"
            )
    text = " ".join(tokens)
    assert canonical([a_match(plays=text)])[0].deals[0].plays == text
