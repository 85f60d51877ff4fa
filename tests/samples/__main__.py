"""``python -m tests.samples``: bring ``data/samples`` up to date. Packed files that hold the same stay as they are."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.samples.contents import refresh

FOLDER = Path(__file__).parents[2] / "data" / "samples"

FOLDER.mkdir(parents=True, exist_ok=True)
changed = refresh(FOLDER)
sys.stdout.write("".join(f"{name}\n" for name in changed) or "nothing to do\n")
