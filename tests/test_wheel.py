"""The wheel: what is in it, and that it works alone, from a folder that is not the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from yuanzi_core.ruleset import Rulesets
from yuanzi_core.texts import text

ROOT = Path(__file__).parent.parent
PACKAGES = ("yuanzi_core", "pipelines", "dashboards")
#: What code finds beside itself by its suffix.
READ = (".sql", ".toml", ".md", ".css", ".js", ".svg", ".typed")

# Runs where only the wheel's folder comes before the libraries. The first file of samples is the only argument.
WORKS_ALONE = """
import json, sys
from pathlib import Path
import pipelines, yuanzi_core
from yuanzi_core.answers import answers
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import judge_files
from yuanzi_core.texts import text

samples = Path(pipelines.__file__).parent / "samples"
judged = judge_files([str(samples / sys.argv[1])], Rulesets())
statuses = [answer["status"] for chunk in judged for answer in answers(chunk, "zh")]
found = {
    "core": yuanzi_core.__file__,
    "hash": Rulesets()["four-classic"].hash,
    "named": Rulesets()["four-classic"].names["zh"],
    "said": text("terms.outcome.double", "zh"),
    "statuses": statuses,
}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    if find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the wheel, is not installed here")
    folder = tmp_path_factory.mktemp("wheel")
    line = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    run = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    (found,) = folder.glob("yuanzi-*.whl")
    return found


def test_the_wheel_holds_all_that_code_reads_and_no_more(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    wanted = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix in (".py", *READ) and "__pycache__" not in path.parts
    }
    assert {Path(name).suffix for name in wanted} == {".py", *READ}
    assert {"dashboards/icon.svg", "yuanzi_core/rulebook.zh.md", "yuanzi_core/py.typed"} <= wanted
    assert wanted <= held
    samples = {path.name for path in (ROOT / "data" / "samples").iterdir() if not path.name.startswith(".")}
    assert samples
    assert {f"pipelines/samples/{name}" for name in samples} <= held
    rooms = {name.split("/")[0] for name in held}
    assert {room for room in rooms if not room.endswith(".dist-info")} == set(PACKAGES)
    assert not [name for name in held if name.endswith((".pyc", ".nbi", ".nbc"))]


def test_the_wheel_names_the_command_and_the_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        about = {name.split("/", 1)[1]: name for name in archive.namelist() if ".dist-info/" in name}
        assert "yuanzi = pipelines.cli:main" in archive.read(about["entry_points.txt"]).decode()
        assert "licenses/LICENSE" in about


@pytest.mark.slow
def test_the_wheel_works_where_there_is_no_checkout(wheel: Path, tmp_path: Path) -> None:
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    sample = "jiaxing-2026-03-20-claims.jsonl"
    environ = {**os.environ, "PYTHONPATH": str(unpacked), "PYTHONSAFEPATH": "1", "PYTHONUTF8": "1"}
    run = subprocess.run(
        [sys.executable, "-c", WORKS_ALONE, sample], cwd=tmp_path, env=environ, capture_output=True, text=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert Path(found["core"]).is_relative_to(unpacked)
    assert found["hash"] == Rulesets()["four-classic"].hash
    assert found["named"] == Rulesets()["four-classic"].names["zh"]
    assert found["said"] == text("terms.outcome.double", "zh") == "双夹"
    # As README has it: 14 settled, 1 unfinished.
    assert sorted(found["statuses"]) == ["settled"] * 14 + ["unfinished"]
