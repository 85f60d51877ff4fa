"""Where compiled code is kept: never beside the sources, and never in a folder of somebody else's."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import platformdirs
import pytest

from yuanzi_core import compiled
from yuanzi_core.engine import code_version, engine_version


def no_folder_can_be_made(tmp_path: Path) -> str:
    """A path below a file: nobody, root included, can make a folder there."""
    file = tmp_path / "file"
    file.write_text("")
    return str(file / "cache")


def test_the_users_cache_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(tmp_path / "cache"))
    assert compiled.cache_folder() == tmp_path / "cache" / "compiled" / code_version()


def test_a_home_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: no_folder_can_be_made(tmp_path))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    folder = compiled.cache_folder()
    assert folder.name == code_version()
    assert folder.parent.parent == tmp_path
    assert folder.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner to compare there")
def test_a_folder_of_somebody_else_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: no_folder_can_be_made(tmp_path))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    # The folder was made by the user of this test; the one who asks is another.
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    (tmp_path / f"yuanzi-{other}").mkdir()
    folder = compiled.cache_folder()
    assert folder.parent == tmp_path
    assert folder.name != f"yuanzi-{other}"


def test_the_engine_version_names_the_release_and_the_rules() -> None:
    release, plus, rules = engine_version().partition("+")
    assert release.count(".") == 2
    assert plus
    assert len(rules) == 12
