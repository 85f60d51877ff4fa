"""Texts that a spreadsheet would run as formulas, made harmless by an apostrophe; every export goes through here.

A text beginning with ``=``, ``+``, ``-`` or ``@`` (also full-width, also behind blanks), a tab or a line end gets an
apostrophe, and so does one with apostrophes in front of that: thus there is exactly one way back. Numbers are no texts
and are never changed.
"""

from __future__ import annotations

import re

_RUNS = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])")


def defused(text: str) -> str:
    """A text as it may stand in a cell.

    >>> defused("=1+1"), defused("'=1+1"), defused("p17")
    ("'=1+1", "''=1+1", 'p17')
    """
    return f"'{text}" if _RUNS.match(text) else text


def restored(cell: str) -> str:
    """The text that was :func:`defused`; any other stays as it is.

    >>> restored("'=1+1"), restored("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell
