"""A home that has been through the pipeline once, for all tests that only look at it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

# Assets warn when they are defined; within a test, where the filter of pipelines.defs is no longer set, that would be
# an error of whichever test comes first.
import pipelines.definitions  # noqa: F401
from pipelines.run import RunReport, run
from tests.pipelines.homes import CASES

Judged = tuple[Path, RunReport]


@pytest.fixture(scope="session")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """The handed cases as an inbox, after one run. Nobody changes it."""
    home = tmp_path_factory.mktemp("cases")
    (home / "inbox").mkdir()
    for path in CASES.glob("*.jsonl"):
        if ".expected" not in path.name:
            shutil.copy(path, home / "inbox")
    return home, run(home)
