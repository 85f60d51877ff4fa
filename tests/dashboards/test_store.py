"""Where pages find their data, how they are started, and what the package never does."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import duckdb
import pytest

import dashboards
from dashboards import store
from dashboards.launch import APP, AUDIENCES, Audience, address, command
from tests.dashboards.snapshot import point, publish


def test_the_home_is_the_command_s_else_the_environment_s_else_data() -> None:
    environ = {"YUANZI_HOME": "/from/environment"}
    app = str(APP)
    assert store.arguments([app, "--home", "/from/command", "--lang", "zh"], environ) == store.Arguments(
        Path("/from/command"), "zh"
    )
    assert store.arguments([app], environ) == store.Arguments(Path("/from/environment"), None)
    assert store.arguments([app], {}) == store.Arguments(Path("data"), None)
    assert store.arguments([app, "--for", "auditor"], {}).audience == "auditor"
    assert store.arguments([app], {"YUANZI_FOR": "auditor"}).audience == "auditor"
    # A word that is none of the two opens nothing.
    assert store.arguments([app, "--for", "everyone"], {"YUANZI_FOR": "auditor"}).audience == "public"
    # Another program's arguments are its own.
    assert store.arguments(["pytest", "--home", "x", "-q"], {}) == store.Arguments(Path("data"), None)


def test_the_command_serves_this_machine_alone() -> None:
    line = command(Path("home"), 8123, "zh")
    assert line[:5] == [sys.executable, "-m", "streamlit", "run", str(APP)]
    assert "--server.address=127.0.0.1" in line
    assert "--server.port=8123" in line
    assert "--server.headless=true" in line
    assert "--server.fileWatcherType=none" in line
    assert "--browser.gatherUsageStats=false" in line
    script = [str(APP), *line[line.index("--") + 1 :]]
    assert store.arguments(script, {}) == store.Arguments(Path("home").resolve(), "zh")
    assert command(Path("home"), 8123)[-4:] == ["--home", str(Path("home").resolve()), "--for", "public"]
    assert address(8123) == "http://127.0.0.1:8123"


def test_a_snapshot_is_opened_read_only(tmp_path: Path) -> None:
    publish(tmp_path)
    cursor = store.open_cursor(store.pointer(tmp_path), "auditor")
    assert cursor.execute("select count(*) from out_audit__files").fetchone() == (3,)
    with pytest.raises(duckdb.InvalidInputException, match="read-only"):
        cursor.execute("delete from out_audit__files")


def test_G3_a_cursor_asks_the_schema_of_its_audience(tmp_path: Path) -> None:
    publish(tmp_path)
    asked = "select count(*) from out_matches where standings_before is not null"
    (known,) = store.open_cursor(store.pointer(tmp_path), "auditor").execute(asked).fetchall()
    assert known > (0,)
    assert store.open_cursor(store.pointer(tmp_path), "public").execute(asked).fetchone() == (0,)


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("view", ["out_matches", "core_ledger__movement"])
def test_G3_a_snapshot_without_public_views_is_not_opened(audience: Audience, view: str, tmp_path: Path) -> None:
    # DuckDB would look into main for what it does not find in public.
    with duckdb.connect(str(publish(tmp_path))) as con:
        con.execute(f"drop view public.{view}")
    with pytest.raises(store.NoSnapshot, match="outdated"):
        store.open_cursor(store.pointer(tmp_path), audience)


def test_a_snapshot_of_the_same_name_but_other_content_is_another(tmp_path: Path) -> None:
    publish(tmp_path)
    first = store.pointer(tmp_path)
    other = '{"name": "snapshot-test.duckdb", "hash": "2"}'
    (tmp_path / "published" / "current.json").write_text(other, encoding="utf-8")
    assert store.pointer(tmp_path) != first
    point(tmp_path, "snapshot-test.duckdb")
    assert store.pointer(tmp_path) == first


def test_pages_import_the_core_and_never_the_pipeline() -> None:
    for path in Path(next(iter(dashboards.__path__))).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] in ("pipelines", "dagster", "tests")], path
