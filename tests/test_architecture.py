"""The rooms of the house: who imports whom, what is loaded when, what a file of SQL may be, what nothing is called."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from yuanzi_core.engine import LEFT_OUT
from yuanzi_core.ruleset import PRESETS, Rulesets, options

ROOT = Path(__file__).parent.parent
PACKAGES = ("yuanzi_core", "pipelines", "dashboards")
#: What a room may not import.
FORBIDDEN = {
    "yuanzi_core": {"dagster", "streamlit", "pipelines", "dashboards", "tests"},
    "dashboards": {"pipelines", "dagster", "tests"},
    "pipelines": {"streamlit", "tests"},
}
#: Drawers into which anything goes.
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "tools", "lib", "stuff"}
LONGEST_FILE = 490


def sources(suffix: str, *packages: str) -> list[Path]:
    """The files of packages with that suffix, without what Python keeps beside them."""
    found = [path for package in packages for path in (ROOT / package).rglob(f"*{suffix}")]
    return sorted(path for path in found if "__pycache__" not in path.parts)


def shown(paths: list[Path]) -> list[str]:
    """Names of test cases."""
    return [str(path.relative_to(ROOT)) for path in paths]


def imports(path: Path) -> Iterator[str]:
    """The packages that a module imports anywhere, also inside its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.split(".")[0]


MODULES = sources(".py", *PACKAGES)
STATEMENTS = sources(".sql", *PACKAGES)


@pytest.mark.parametrize("path", MODULES, ids=shown(MODULES))
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    assert not FORBIDDEN[room] & set(imports(path))


def test_the_oracle_imports_nothing_of_the_rules() -> None:
    for path in sources(".py", "tests/oracle"):
        assert not {*PACKAGES, "numpy", "numba", "duckdb"} & set(imports(path)), path


def imported_files(path: str) -> Iterator[str]:
    """The files of yuanzi_core, by their paths in it, that one of them imports anywhere."""
    package = ROOT / "yuanzi_core"
    for node in ast.walk(ast.parse((package / path).read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("yuanzi_core"):
            continue
        module = str(node.module).split(".")[1:]
        for parts in (module, *([*module, alias.name] for alias in node.names)):
            for name in ("/".join(parts) + ".py", "/".join([*parts, "__init__.py"])):
                if (package / name).is_file():
                    yield name


def test_what_the_engine_version_leaves_out_decides_nothing() -> None:
    # From here records become verdicts, standings and players; the texts only say so.
    reached: set[str] = set()
    pending = ["stream.py", "lake.py", "ledger.py", "registry.py"]
    while pending:
        if (path := pending.pop()) not in reached:
            reached.add(path)
            pending += imported_files(path)
    assert {"referee.py", "sheet_deal.py", "settlement/__init__.py", "registry_players.py"} <= reached
    assert all((ROOT / "yuanzi_core" / name).exists() for name in LEFT_OUT)
    package = [path.relative_to(ROOT / "yuanzi_core") for path in sources(".py", "yuanzi_core")]
    left_out = {path.as_posix() for path in package if path.as_posix() in LEFT_OUT or path.parts[0] in LEFT_OUT}
    assert reached & left_out <= {"texts/__init__.py"}
    # And what it takes in is there for a verdict.
    assert {path.as_posix() for path in package} - left_out <= reached | {"__init__.py", "engine.py"}


LOADED = """
import sys
import yuanzi_core.answers, yuanzi_core.stream
from yuanzi_core.answers import answers
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import judge_files
found = [answer for judged in judge_files([sys.argv[1]], Rulesets()) for answer in answers(judged, sys.argv[2])]
assert len(found) == 60, len(found)
print(*sorted({name.split(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_judging_a_small_file_loads_nothing_heavy(lang: str) -> None:
    cases = ROOT / "tests" / "cases" / "claims.jsonl"
    run = subprocess.run([sys.executable, "-c", LOADED, str(cases), lang], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert {"numba", "duckdb", "msgspec"} <= loaded
    assert not loaded & {"polars", "dagster", "streamlit", "pandas", "pyarrow", "altair", "zstandard", "typer", "rich"}
    assert not loaded & {"pipelines", "dashboards", "tests"}


def test_nothing_is_a_drawer() -> None:
    for suffix in (".py", ".sql", ".toml"):
        for path in sources(suffix, *PACKAGES, "tests"):
            assert path.stem not in DRAWERS, path
            assert not DRAWERS & set(path.relative_to(ROOT).parent.parts), path


@pytest.mark.parametrize("path", MODULES, ids=shown(MODULES))
def test_a_file_can_be_read_at_one_sitting_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= LONGEST_FILE
    assert ast.get_docstring(ast.parse(text)) or not text.strip()


def without_comments(text: str) -> str:
    """A statement without its comments and texts."""
    text = re.sub(r"--[^\n]*", "", text)
    return re.sub(r"'(?:[^']|'')*'", "''", text)


@pytest.mark.parametrize("path", STATEMENTS, ids=shown(STATEMENTS))
def test_a_file_of_sql_is_one_select_with_its_purpose_and_nothing_else(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("-- "), "says what one row is"
    bare = without_comments(text)
    assert ";" not in bare.rstrip().removesuffix(";")
    assert re.match(r"\s*(with|select|from)\b", bare, re.IGNORECASE)
    words = set(re.findall(r"[a-z_]+", bare.lower()))
    forbidden = {"create", "drop", "insert", "update", "delete", "alter", "attach", "copy", "install", "pragma", "call"}
    assert not words & forbidden


NUMBERS_OF_THE_GAME = re.compile(r"(?<![\w.$\[])(60|25|100|105|200|205|300|305|500|1\.5)(?![\w.\]])")
SETTLEMENT = sources(".sql", "yuanzi_core/settlement")


@pytest.mark.parametrize("path", SETTLEMENT, ids=shown(SETTLEMENT))
def test_numbers_of_the_game_stand_in_the_rulesets_and_in_no_statement(path: Path) -> None:
    assert not NUMBERS_OF_THE_GAME.findall(without_comments(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", SETTLEMENT, ids=shown(SETTLEMENT))
def test_scores_are_never_binary_floats(path: Path) -> None:
    bare = without_comments(path.read_text(encoding="utf-8")).lower()
    assert not re.search(r"\b(float|double|real|float4|float8)\b", bare)
    # "/" divides to a binary float; "//" does not.
    assert not re.search(r"(?<!/)/(?!/)", bare)


@pytest.mark.parametrize("preset", PRESETS)
def test_no_number_of_a_ruleset_is_a_binary_float(preset: str) -> None:
    ruleset = Rulesets()[preset]
    assert not [name for name, value in {**ruleset.constants, **ruleset.options}.items() if isinstance(value, float)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_option_and_each_of_its_values_is_in_the_rulebook(lang: str) -> None:
    book = (files("yuanzi_core") / f"rulebook.{lang}.md").read_text(encoding="utf-8")
    for option in options().values():
        assert f"`{option.name}`" in book, option.name
        assert option.clause in book
        for value in [value for values in option.values.values() for value in values]:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            assert re.search(rf"(?<!\w){re.escape(text)}(?!\w)", book), (option.name, value)


def test_packages_carry_their_types() -> None:
    assert all((ROOT / package / "py.typed").is_file() for package in PACKAGES)
