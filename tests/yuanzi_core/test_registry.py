"""``players.csv`` and ``clubs.toml`` (LOG_FORMAT, Registries): what counts, what is wrong and where."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yuanzi_core.clubs import CLUBS, PLAYERS, ClubDefaults
from yuanzi_core.registry import LARGEST, Club, Fault, Player, Registry, Season, read_registry, stored_registry
from yuanzi_core.registry_clubs import read_clubs
from yuanzi_core.registry_players import MOST_ROWS, read_players
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.texts import LANGS, keys

HEADINGS = "id,name,aliases,member_from,member_to,opening_four,opening_five\n"
Found = tuple[Fault, int | None, str | None]


def of_players(text: str) -> tuple[dict[str, Player], list[Found]]:
    """The players of a file's text, and what is wrong where."""
    players, problems, _ = read_players(text.encode())
    for problem in problems:
        assert problem.file == PLAYERS
        assert all(problem.message(lang) for lang in LANGS)
    return {one.id: one for one in players}, [(one.code, one.row, one.column) for one in problems]


def of_clubs(text: str, rulesets: Rulesets | None = None) -> tuple[dict[str, Club], list[Found]]:
    """The same of clubs."""
    clubs, problems = read_clubs(text.encode(), rulesets or Rulesets())
    for problem in problems:
        assert problem.file == CLUBS
        assert all(problem.message(lang) for lang in LANGS)
    return {one.key: one for one in clubs}, [(one.code, one.row, one.column) for one in problems]


ROW = Player("p1", "沈建国", ("a1", "a2"), date(2026, 3, 1), date(2026, 12, 31), Decimal("12.5"), Decimal(-3))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_table_as_people_write_it(encoding: str, delimiter: str, end: str) -> None:
    english = ["id", "name", "aliases", "member_from", "member_to", "opening_four", "opening_five"]
    chinese = ["编号", "姓名", "别名", "入会日期", "退会日期", "四人期初积分", "五人期初积分"]
    for headings in (
        english,
        chinese,
        [" ID ", "Name", "aliases", "Member From", "member-to", "opening_four", "五人期初"],
    ):
        for aliases, joined in (
            ('"a1;a2"', "2026-03-01"),
            ("a2；a1", "2026/3/1"),
            ('" a1 ; ;a2;"', "２０２６年3月1日"),
        ):
            cells = ["p1", " 沈建国 ", aliases, joined, "2026.12.31", "+12.500", "−3"]
            text = end.join([delimiter.join(headings), "", delimiter.join(cells), delimiter * 6, ""])
            players, problems, ignored = read_players(text.encode(encoding))
            assert (players, problems, ignored) == ((ROW,), (), ())


def test_columns_come_in_any_order_and_unknown_ones_are_counted() -> None:
    players, problems, ignored = read_players("电话,name,id,,备注\n123,x,p1,y,z\n".encode())
    assert (players, problems) == ((Player("p1", "x"),), ())
    assert ignored == ("电话", "备注")


def test_what_is_blank_is_not_known_and_nobody_is_a_member_by_default() -> None:
    assert of_players("id\np1\n")[0] == {"p1": Player("p1")}
    # A row may end early.
    assert of_players(HEADINGS + "p1\np2,x\n") == ({"p1": Player("p1"), "p2": Player("p2", "x")}, [])


def test_a_name_is_never_an_identity() -> None:
    players, problems = of_players(HEADINGS + "p1,张三\np2,张三\n张三,p1\n")
    assert set(players) == {"p1", "p2", "张三"}
    assert problems == []


@pytest.mark.parametrize(
    ("row", "code", "column"),
    [
        (",张三", Fault.ID_MISSING, "id"),
        ("=1+1,x", Fault.FORMULA, "id"),
        ("＝1+1,x", Fault.FORMULA, "id"),
        ("@sum,x", Fault.FORMULA, "id"),
        ("p\u200b1,x", Fault.CONTROL_CHARACTER, "id"),
        ("p\x071,x", Fault.CONTROL_CHARACTER, "id"),
        ("p" * 129 + ",x", Fault.TOO_LONG, "id"),
        ('"p"1,x', Fault.ROW_BROKEN, None),
        ("p1,x,a,2026-01-01,,1,2,3", Fault.TOO_MANY_CELLS, None),
        # A comma in a name without quotation marks: the dates would be in the wrong place.
        ("p1,x,y,a,2026-01-01,,1,2", Fault.TOO_MANY_CELLS, None),
    ],
)
def test_a_row_that_cannot_count_is_located_and_the_others_go_on(row: str, code: Fault, column: str | None) -> None:
    players, problems = of_players(f"{HEADINGS}good,x\n{row}\nalso,y\n")
    assert set(players) == {"good", "also"}
    assert problems == [(code, 3, column)]


@pytest.mark.parametrize(
    ("cells", "code", "column"),
    [
        ("p1,=cmd|' /C calc'!A0", Fault.FORMULA, "name"),
        ("p1,a\u202eb", Fault.CONTROL_CHARACTER, "name"),
        ('p1,"a\nb"', Fault.CONTROL_CHARACTER, "name"),
        ("p1," + "n" * 129, Fault.TOO_LONG, "name"),
        ("p1,,-2+3", Fault.FORMULA, "aliases"),
        ("p1,,a\u00adb", Fault.CONTROL_CHARACTER, "aliases"),
        ("p1,,,2026-02-30", Fault.NOT_A_DATE, "member_from"),
        ("p1,,,01/02/2026", Fault.NOT_A_DATE, "member_from"),
        ("p1,,,2026-1/2", Fault.NOT_A_DATE, "member_from"),
        ("p1,,,2026-01-01,soon", Fault.NOT_A_DATE, "member_to"),
        ("p1,,,2026-01-02,2026-01-01", Fault.MEMBER_TO_EARLIER, "member_to"),
        ("p1,,,,2026-01-01", Fault.MEMBER_FROM_MISSING, "member_to"),
        ("p1,,,,,1e3", Fault.NOT_A_NUMBER, "opening_four"),
        ("p1,,,,,,1.2345", Fault.NOT_A_NUMBER, "opening_five"),
        ("p1,,,,,,nan", Fault.NOT_A_NUMBER, "opening_five"),
        ("p1,,,,,1000000000000", Fault.NOT_A_NUMBER, "opening_four"),
        ("p1,,,,,-1000000000000", Fault.NOT_A_NUMBER, "opening_four"),
        ('p1,,,,,"1,5"', Fault.NOT_A_NUMBER, "opening_four"),
        ("p1,,,,," + "9" * 5000, Fault.NOT_A_NUMBER, "opening_four"),
    ],
)
def test_of_a_bad_cell_nothing_is_taken_but_the_rest_of_its_row_is(cells: str, code: Fault, column: str) -> None:
    players, problems = of_players(f"{HEADINGS}good,x\n{cells}\n")
    assert players == {"good": Player("good", "x"), "p1": Player("p1")}
    assert problems == [(code, 3, column)]


def test_amounts_within_the_limits_are_exact() -> None:
    players, problems = of_players(HEADINGS + "p1,,,,,999999999999.999,-0\np2,,,,,1.5000,0.001\n")
    assert problems == []
    assert players["p1"].opening_four == Decimal("999999999999.999")
    assert str(players["p1"].opening_five) == "0.000"
    assert (players["p2"].opening_four, players["p2"].opening_five) == (Decimal("1.5"), Decimal("0.001"))


def test_what_a_spreadsheet_would_run_may_be_written_with_an_apostrophe() -> None:
    # As every export of ours writes it.
    players, problems = of_players(HEADINGS + "'+8613800000000,'=x,'-a;'@b\n")
    assert problems == []
    assert players == {"+8613800000000": Player("+8613800000000", "=x", ("-a", "@b"))}


def test_of_two_rows_of_one_id_the_first_counts() -> None:
    players, problems, _ = read_players((HEADINGS + "p1,first,a\n\np1,second,b\np1,first,a\n").encode())
    assert players == (Player("p1", "first", ("a",)),)
    assert [(one.code, one.row, one.column, one.entry) for one in problems] == [
        (Fault.ID_TWICE, 4, "id", "p1"),
        (Fault.ID_TWICE, 5, "id", "p1"),
    ]
    assert "row 2" in problems[0].message("en")
    assert "第 2 行" in problems[0].message("zh")
    # What does not count claims no alias either.
    assert of_players(HEADINGS + "p1,,a\np1,,b\np2,,b\n")[0]["p2"].aliases == ("b",)


def test_an_alias_of_two_players_is_nobodys() -> None:
    players, problems = of_players(HEADINGS + "p1,,a;b\np2,,b;c\np3,,b\n")
    assert [player.aliases for player in players.values()] == [("a",), ("c",), ()]
    assert problems == [(Fault.ALIAS_OF_TWO, row, "aliases") for row in (2, 3, 4)]


def test_an_alias_that_is_a_players_id_stays_that_players_so_there_are_no_chains() -> None:
    # p1 would be p2, who would be p3, who would be p1.
    players, problems = of_players(HEADINGS + "p1,,p2;x\np2,,p3\np3,,p1\n")
    assert [player.aliases for player in players.values()] == [("x",), (), ()]
    assert problems == [(Fault.ALIAS_IS_ID, row, "aliases") for row in (2, 3, 4)]


def test_an_alias_that_says_nothing_is_told() -> None:
    players, problems = of_players(HEADINGS + "p1,,p1;a;a\n")
    assert players["p1"].aliases == ("a",)
    assert problems == [(Fault.ALIAS_OWN_ID, 2, "aliases"), (Fault.ALIAS_TWICE, 2, "aliases")]


@pytest.mark.parametrize(
    ("content", "code", "row"),
    [
        (b"", Fault.NO_TABLE, 1),
        (b"\n\n", Fault.NO_TABLE, 1),
        (b"p1,x\np2,y\n", Fault.NO_TABLE, 1),
        (b"\nname,aliases\nx,y\n", Fault.NO_TABLE, 2),
        (b'id,"name"x\np1,y\n', Fault.NO_TABLE, 1),
        (b"id,name,ID\np1,x,p2\n", Fault.COLUMN_TWICE, 1),
        ("id,编号\np1,p2\n".encode(), Fault.COLUMN_TWICE, 1),
        ("id,name\np1,x\n".encode("utf-16"), Fault.NOT_TEXT, None),
        (b"PK\x03\x04\x14\x00\x06\x00\x08\x00", Fault.NOT_TEXT, None),
        (b"id,name\np1,\xff\xff\n", Fault.NOT_TEXT, None),
    ],
)
def test_a_file_that_is_no_table_is_one_problem(content: bytes, code: Fault, row: int | None) -> None:
    players, problems, _ = read_players(content)
    assert players == ()
    assert [(one.code, one.row) for one in problems] == [(code, row)]


def test_a_quotation_mark_that_is_never_closed_is_located_where_it_begins() -> None:
    assert of_players(HEADINGS + 'p1,x\np2,"y\np3,z\n') == ({"p1": Player("p1", "x")}, [(Fault.ROW_BROKEN, 3, None)])


def test_rows_are_counted_as_a_spreadsheet_counts_them() -> None:
    # A line end within a cell makes no row.
    assert of_players('id,name,备注\np1,x,"a\nb\nc"\n\n,y,\n')[1] == [(Fault.ID_MISSING, 4, "id")]


def test_a_file_has_limits(tmp_path: Path) -> None:
    text = "id\n" + "".join(f"p{number}\n" for number in range(MOST_ROWS + 2))
    players, problems = of_players(text)
    assert len(players) == MOST_ROWS
    assert problems == [(Fault.TOO_MANY_ROWS, MOST_ROWS + 2, None)]
    for name, limit in LARGEST.items():
        (tmp_path / name).write_bytes(b"#" * (limit + 1))
    known = read_registry(tmp_path, Rulesets())
    assert [(one.code, one.file) for one in known.problems] == [(Fault.TOO_LARGE, PLAYERS), (Fault.TOO_LARGE, CLUBS)]


GOOD = """\
# a comment
[jiaxing]
names = { zh = "嘉兴", en = "Jiaxing" }
zone = "Europe/Berlin"
ruleset = "five-atomic"
base = 0.50

[[jiaxing.seasons]]
name = "later"
first = 2026-07-01
last = 2026-07-01
[[jiaxing.seasons]]
name = "spring"
first = "2026-01-01"
last = 2026-06-30

["湖州"]
names.zh = "湖州社"
names.en = "Huzhou"
"""


def test_clubs_with_their_seasons_in_order() -> None:
    clubs, problems = of_clubs("\ufeff" + GOOD)
    assert problems == []
    spring = Season("spring", date(2026, 1, 1), date(2026, 6, 30))
    later = Season("later", date(2026, 7, 1), date(2026, 7, 1))
    assert clubs == {
        "jiaxing": Club("jiaxing", {"zh": "嘉兴", "en": "Jiaxing"}, "Europe/Berlin", "five-atomic", Decimal("0.5"),
                        (spring, later)),
        "湖州": Club("湖州", {"zh": "湖州社", "en": "Huzhou"}, "Asia/Shanghai", None, Decimal(1)),
    }  # fmt: skip


def test_sheets_name_a_club_by_its_key_or_either_name() -> None:
    known = Registry(clubs=read_clubs(GOOD.encode(), Rulesets())[0])
    own = ClubDefaults("Europe/Berlin", "five-atomic", Decimal("0.5"))
    usual = dict.fromkeys(("湖州", "湖州社", "Huzhou"), ClubDefaults())
    assert known.sheet_defaults() == {"jiaxing": own, "嘉兴": own, "Jiaxing": own, **usual}


BOTH = 'names = {zh = "甲", en = "A"}\n'


@pytest.mark.parametrize(
    ("entry", "code", "line", "path"),
    [
        ("x = 1", Fault.ENTRY_UNKNOWN, 3, "k.x"),
        ("names.fr = 'x'", Fault.ENTRY_UNKNOWN, 3, "k.names.fr"),
        ("zone = 'Asia'", Fault.ZONE_UNKNOWN, 3, "k.zone"),
        ("zone = 'Asia/Nowhere'", Fault.ZONE_UNKNOWN, 3, "k.zone"),
        ("zone = 'localtime'", Fault.ZONE_UNKNOWN, 3, "k.zone"),
        ("zone = '../../etc/passwd'", Fault.ZONE_UNKNOWN, 3, "k.zone"),
        ("zone = 8", Fault.ZONE_UNKNOWN, 3, "k.zone"),
        ("ruleset = 'nope'", Fault.RULESET_UNKNOWN, 3, "k.ruleset"),
        ("ruleset = 1", Fault.RULESET_UNKNOWN, 3, "k.ruleset"),
        ("base = 0", Fault.BASE_WRONG, 3, "k.base"),
        ("base = 0.001", Fault.BASE_WRONG, 3, "k.base"),
        ("base = nan", Fault.BASE_WRONG, 3, "k.base"),
        ("base = true", Fault.BASE_WRONG, 3, "k.base"),
        ("base = '1'", Fault.BASE_WRONG, 3, "k.base"),
        ("base = 0x" + "f" * 5000, Fault.BASE_WRONG, 3, "k.base"),
        ("seasons = 1", Fault.NOT_A_SEASON, 3, "k.seasons"),
        ("seasons = [1]", Fault.NOT_A_SEASON, 3, "k.seasons[0]"),
        ("[[k.seasons]]\nname='s'\nfirst=2026-01-02\nlast=2026-01-01", Fault.SEASON_EARLIER, 6, "k.seasons[0].last"),
        ("[[k.seasons]]\nname='s'\nfirst=2026-01-02", Fault.SEASON_DAY, 3, "k.seasons[0].last"),
        ("[[k.seasons]]\nname='s'\nlast=2026-01-02\nfirst=07:00:00", Fault.SEASON_DAY, 6, "k.seasons[0].first"),
        ("[[k.seasons]]\nname=''\nlast=2026-01-02\nfirst=2026-01-02", Fault.WRONG_TEXT, 4, "k.seasons[0].name"),
    ],
)
def test_a_bad_entry_of_a_club_is_located_and_its_default_counts(entry: str, code: Fault, line: int, path: str) -> None:
    names = BOTH if "names.fr" not in entry else 'names.zh = "甲"\nnames.en = "A"\n'
    clubs, problems = of_clubs(f"[k]\n{names}{entry}\n[other]\n{BOTH.replace('A', 'B').replace('甲', '乙')}")
    assert clubs["k"] == Club("k", {"zh": "甲", "en": "A"})
    assert "other" in clubs
    assert problems == [(code, line + names.count("\n") - 1, path)]


def test_of_seasons_that_exclude_each_other_the_one_that_stands_first_counts() -> None:
    def season(name: str, first: str, last: str) -> str:
        return f"[[k.seasons]]\nname = '{name}'\nfirst = 2026-{first}\nlast = 2026-{last}\n"

    text = (
        "[k]\n" + BOTH + season("b", "03-01", "04-30") + season("c", "04-30", "05-31") + season("b", "06-01", "06-02")
    )
    clubs, problems = of_clubs(text + season("a", "01-01", "02-28"))
    assert [one.name for one in clubs["k"].seasons] == ["a", "b"]
    assert problems == [(Fault.SEASON_OVERLAPS, 7, "k.seasons[1]"), (Fault.SEASON_TWICE, 12, "k.seasons[2].name")]


def test_a_name_of_two_clubs_stands_for_neither() -> None:
    text = "[a]\nnames = {zh = '甲', en = 'same'}\n[b]\nnames = {zh = 'a', en = 'same'}\n"
    clubs, problems = of_clubs(text)
    known = Registry(clubs=tuple(clubs.values()))
    assert set(known.sheet_defaults()) == {"a", "b", "甲"}
    assert sorted(problem[2] or "" for problem in problems) == ["a.names.en", "b.names.en", "b.names.zh"]
    assert {problem[0] for problem in problems} == {Fault.NAME_OF_TWO}


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"[a]\nzone = \n", Fault.NOT_TOML, 2),
        (b"[a]\n[a]\n", Fault.NOT_TOML, None),
        (b"a = " + b"[" * 100_000, Fault.NOT_TOML, None),
        (b"a = " + b"9" * 5000, Fault.NOT_TOML, None),
        ("[a]\nnames = {zh = '嘉兴', en = 'x'}".encode("gb18030"), Fault.NOT_UTF8, None),
    ],
)
def test_a_file_that_is_no_toml_is_one_problem(content: bytes, code: Fault, line: int | None) -> None:
    clubs, problems = read_clubs(content, Rulesets())
    assert clubs == ()
    assert [one.code for one in problems] == [code]
    assert line is None or problems[0].row == line


def test_what_is_no_club_is_located() -> None:
    clubs, problems = of_clubs("x = 1\ny = [1]\n[k]\n" + BOTH)
    assert set(clubs) == {"k"}
    assert problems == [(Fault.NOT_A_CLUB, 1, "x"), (Fault.NOT_A_CLUB, 2, "y")]


def test_a_missing_name_is_told_and_the_club_goes_on() -> None:
    clubs, problems = of_clubs("[a]\nnames = {zh = '甲'}\n[b]\nzone = 'UTC'\n")
    assert set(clubs) == {"a", "b"}
    assert [(code, path) for code, _, path in problems] == [
        (Fault.NAME_MISSING, "a.names.en"), (Fault.NAME_MISSING, "b.names.en"), (Fault.NAME_MISSING, "b.names.zh")
    ]  # fmt: skip


def test_a_clubs_own_ruleset_may_be_the_default(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('extends = "four-classic"\nwind = "partner"\n')
    clubs, problems = of_clubs("[k]\n" + BOTH + "ruleset = 'house'\n", Rulesets(tmp_path))
    assert (clubs["k"].ruleset, problems) == ("house", [])
    (tmp_path / "house.toml").write_text("broken")
    assert of_clubs("[k]\n" + BOTH + "ruleset = 'house'\n", Rulesets(tmp_path))[1] == [
        (Fault.RULESET_UNKNOWN, 3, "k.ruleset")
    ]


def registry_of(home: Path, players: str | None = None, clubs: str | None = None) -> Registry:
    """The registries of a home in which these two files stand."""
    home.mkdir(exist_ok=True)
    for name, text in ((PLAYERS, players), (CLUBS, clubs)):
        (home / name).unlink(missing_ok=True)
        if text is not None:
            (home / name).write_bytes(text.encode())
    return read_registry(home, Rulesets())


def test_the_hash_is_that_of_what_counts(tmp_path: Path) -> None:
    rows = ["p1,张三,a;b,2026-03-01,,1.5,", "p2,李四,,,,,-3"]
    one = registry_of(tmp_path, HEADINGS + "\n".join(rows), GOOD)
    again = registry_of(
        tmp_path,
        "\ufeff备注;五人期初;编号;别名;姓名;入会;退会;四人期初\n\n;-3.000; p2 ;;李四;;;\n"
        'x;;p1;"b；a";张三;2026年3月1日;;+1.50\n',
        GOOD.replace("# a comment", "\n\n").replace("base = 0.50", "base = 0.5  # half"),
    )
    assert one.problems == again.problems == ()
    assert again.ignored == ("备注",)
    assert (one.hash, one.sheets_hash) == (again.hash, again.sheets_hash)
    assert one.content == again.content
    for changed in (rows[0].replace("a;b", "a"), rows[0].replace("1.5", "1.6"), rows[0].replace("张", "章")):
        assert registry_of(tmp_path, HEADINGS + "\n".join([changed, rows[1]]), GOOD).hash != one.hash
    # Only what decides how sheets are read is in the other hash: no player, no season, no club that says nothing.
    assert registry_of(tmp_path, None, GOOD.replace("spring", "summer")).sheets_hash == one.sheets_hash
    assert registry_of(tmp_path, None, GOOD + "[x]\n" + BOTH).sheets_hash == one.sheets_hash
    assert registry_of(tmp_path, None, GOOD.replace("0.50", "2")).sheets_hash != one.sheets_hash
    assert registry_of(tmp_path, None, GOOD.replace('en = "Jiaxing"', 'en = "X"')).sheets_hash != one.sheets_hash
    assert registry_of(tmp_path, "id\n", "").hash == registry_of(tmp_path).hash == Registry().hash


def test_what_is_stored_comes_back(tmp_path: Path) -> None:
    known = registry_of(tmp_path, HEADINGS + "p1,张三,a;b,2026-03-01,,1.5,\n,x\n", GOOD + "[k]\nzone = 1\n")
    assert len(known.problems) == 4
    back = stored_registry(known.content)
    assert (back.players, back.clubs, back.problems) == (known.players, known.clubs, known.problems)
    assert (back.hash, back.content, back.aliases) == (known.hash, known.content, {"a": "p1", "b": "p1"})


def test_a_registry_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / PLAYERS).mkdir()
    (tmp_path / CLUBS).symlink_to(tmp_path / "nowhere")
    known = read_registry(tmp_path, Rulesets())
    assert [(one.code, one.file) for one in known.problems] == [(Fault.UNREADABLE, PLAYERS), (Fault.UNREADABLE, CLUBS)]
    assert known.found == (PLAYERS, CLUBS)
    assert read_registry(tmp_path / "none", Rulesets()) == Registry()


def test_each_fault_has_its_sentence() -> None:
    for lang in LANGS:
        found = [key for key in keys("registry", lang) if key.startswith("registry.fault.")]
        assert found == [f"registry.fault.{fault}" for fault in Fault]


CELLS = st.sampled_from([
    "p1", "p2", "a", "a;b", "p1;p2", "", " ", "=1", "'=1", "2026-01-01", "2026-01-40", "1.5", "x" * 200, '"', '"q"',
    "\u202e", "１２", "\n", "；", "1e9",
])  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(CELLS, max_size=9), max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_rows_decides_nothing_but_which_of_one_id_counts(
    rows: list[list[str]], chance: random.Random
) -> None:
    def read(lines: list[str]) -> tuple[Player, ...]:
        players, problems, _ = read_players((HEADINGS + "\n".join(lines)).encode())
        assert [one.id for one in players] == sorted({one.id for one in players})
        claimed = [alias for one in players for alias in one.aliases]
        # No alias is anybody else's, nor an id.
        assert len(claimed) == len(set(claimed))
        assert not set(claimed) & {one.id for one in players}
        for problem in problems:
            assert all(problem.message(lang) for lang in LANGS)
        return players

    lines = [",".join(row) for row in rows if not any('"' in cell or "\n" in cell for cell in row)]
    first: dict[str, str] = {}
    for line in lines:
        first.setdefault(line.split(",")[0].strip(), line)
    once = list(first.values())
    shuffled = [*once]
    chance.shuffle(shuffled)
    assert read(once) == read(shuffled)
    read([",".join(row) for row in rows])


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.text(max_size=200))
def test_no_content_raises(content: bytes, text: str) -> None:
    for data in (content, text.encode("utf-8", "surrogatepass"), b"id,name,aliases\n" + content, b"[k]\n" + content):
        for problem in (*read_players(data)[1], *read_clubs(data, Rulesets())[1]):
            assert all(problem.message(lang) for lang in LANGS)
