"""The engine version: a short hash of everything that can change a verdict.

Each verdict names the engine that gave it; a stored verdict of another engine is stale and is derived anew. Compiled
code is cached under a hash of all sources, so that a changed rule can never run from an old cache.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

__version__ = "0.1.0"

# Sources whose text decides a verdict. Texts, the rulebook, explanations and histories only describe it; simulated
# matches are judged like all others, whoever played them; what is written into files is judged when it is read.
_DECIDING = (".py", ".sql", ".toml")
_ONLY_DESCRIBING = (
    "texts", "answers.py", "combos.py", "explain.py", "explain_deal.py", "explain_settlement.py", "explain_verdict.py",
    "explanation.py", "history.py", "levels.py", "messages.py", "replay.py", "replay_view.py", "rulebook.py",
    "settlement_flow.py", "standing_words.py", "table_texts.py", "transfers.py", "words.py",
)  # fmt: skip
_ONLY_SIMULATING = (
    "batch_settlement.py", "canonical.py", "chance.py", "dealing.py", "duel.py", "faults", "league",
    "match_files.py", "parquet_log.py", "policies", "seating.py", "selfplay.py", "settlement/duel.sql",
    "settlement/seat_score.sql", "settlement/unfinished_half.sql", "writer.py",
)  # fmt: skip
_ONLY_WRITING = (
    "calculator.py", "conversion_report.py", "convert.py", "parquet_row.py", "sheet_copy.py", "sheet_of_log.py",
    "sheet_template.py", "sheet_writer.py", "table_export.py", "whole_file.py",
)  # fmt: skip
# Ratings and studies follow from verdicts and decide none: what they say is made anew, the matches stay as judged.
_ONLY_STUDYING = ("balance", "certainty.py", "ratings", "what_if")
#: Names of files and folders below the package that decide nothing.
LEFT_OUT = _ONLY_DESCRIBING + _ONLY_SIMULATING + _ONLY_WRITING + _ONLY_STUDYING


def _digest(kinds: tuple[str, ...], left_out: tuple[str, ...]) -> str:
    """Twelve hex digits over all sources of those kinds, line ends aside."""
    digest = hashlib.sha256()
    pending = [(entry.name, entry) for entry in files("yuanzi_core").iterdir()]
    found = []
    while pending:
        path, entry = pending.pop()
        if path in left_out or path == "__pycache__":
            continue
        if entry.is_dir():
            pending += [(f"{path}/{inner.name}", inner) for inner in entry.iterdir() if inner.name != "__pycache__"]
        elif path.endswith(kinds):
            found.append((path, entry))
    for path, entry in sorted(found, key=lambda item: item[0]):
        digest.update(path.encode() + b"\0" + entry.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:12]


@cache
def engine_version() -> str:
    """Version and hash of the deciding sources, for example ``0.1.0+3f9a6c0d1e2b``."""
    return f"{__version__}+{_digest(_DECIDING, LEFT_OUT)}"


@cache
def code_version() -> str:
    """Hash of all Python sources, under which compiled code is kept."""
    return _digest((".py",), ())
