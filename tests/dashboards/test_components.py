"""Components with values that no page of the small snapshot has."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from dashboards.components.clauses import clauses
from dashboards.components.comparison import comparison
from dashboards.components.figures import parsed, size
from dashboards.components.frame import View
from dashboards.components.markup import Html, data, escaped, tag, with_cards
from dashboards.components.places import place, player
from dashboards.store import Pointer
from yuanzi_core.texts import LANGS, Lang

VIEW = View("en", Path("home"), {}, Pointer(Path("x.duckdb"), "1"), duckdb.connect())


def test_what_is_not_html_is_escaped() -> None:
    assert escaped("<b>&\"'") == "&lt;b&gt;&amp;&quot;&#x27;"
    assert escaped(Html("<b>")) == "<b>"
    assert tag("p", "<", Html("<i>"), None, class_='a"b', data_label="x", href=None) == (
        '<p class="a&quot;b" data-label="x">&lt;<i></p>'
    )
    # A text made of HTML and a text is a text again.
    assert escaped(Html("<b>") + "<i>") == "&lt;b&gt;&lt;i&gt;"
    assert data("a\x00\n") == '<bdi class="yz-data" dir="auto" title="a␀␊">a␀␊</bdi>'
    # A link that nobody sees could not be followed.
    assert data(" \u200b\u3000") == '<bdi class="yz-data" dir="auto" title=" \u200b\u3000">␣␣␣</bdi>'
    assert data(" a") == '<bdi class="yz-data" dir="auto" title=" a"> a</bdi>'
    with pytest.raises(AssertionError):
        tag("p", **{"on click": "x"})


def test_red_cards_are_red_and_everything_else_is_text() -> None:
    red = '<span class="yz-red">'
    assert with_cards("<i> ♠7♥10♦K ♥") == (
        f'<bdi class="yz-long" dir="auto">&lt;i&gt; ♠7{red}♥10</span>{red}♦K</span> ♥</bdi>'
    )


@pytest.mark.parametrize(
    ("code", "claimed", "recomputed"),
    [
        ("CLAIM_SCORES", "[1, 2]", "[1, 2, 3, 4, 5]"),
        ("CLAIM_SCORES", "[1.50, -0.5]", "[1.5, 2]"),
        ("CLAIM_FINISH", '[9, -1, "<b>"]', "[0]"),
        ("CLAIM_CAPTURED", "null", "[1]"),
        ("CLAIM_OUTCOME", '"<b>"', '"normal"'),
        ("CLAIM_WINNER", "7", "0"),
        ("CLAIM_BALANCE", "[100.125, null]", "[99, 4]"),
        ("CLAIM_BALANCE", "1e3", "12"),
        ("CLAIM_NEW", '{"a": ["<b>"]}', "[[1], true]"),
        ("CLAIM_NEW", "not JSON <b>", "NaN"),
        ("CLAIM_NEW", "[[[", "1"),
    ],
)
def test_any_two_values_can_be_compared(code: str, claimed: str, recomputed: str) -> None:
    for variant in ("four", "five", "six"):
        shown = comparison(VIEW, code, variant, claimed, recomputed, ["<b>", None], ["a", "b"])
        assert "<b>" not in shown
        assert "yz-differs" in shown


def test_differences_are_exact() -> None:
    shown = comparison(VIEW, "CLAIM_SCORES", "five", "[0.1, 0.2]", "[0.3, 0.20]", None, None)
    assert ">+0.2<" in shown
    assert shown.count("yz-differs") == 1


@pytest.mark.parametrize("lang", LANGS)
def test_the_rulebook_has_each_clause_once_with_a_text(lang: Lang) -> None:
    book = clauses(lang)
    assert {"A1", "B8", "C5", "D0", "E5", "F7", "G4", "H2"} <= set(book)
    assert all(clause.title and clause.body for clause in book.values())
    assert "### " not in "".join(clause.body for clause in book.values())


def test_figures() -> None:
    assert [size(number) for number in (0, 1023, 1024, 1536, 300 * 1024, 5 << 20, 7 << 40)] == [
        *("0 B", "1023 B", "1.0 KiB", "1.5 KiB", "300 KiB", "5.0 MiB", "7168 GiB")
    ]
    assert parsed("[1.10]") == [Decimal("1.10")]
    assert parsed("[" * 100_000) == "[" * 100_000
    assert parsed(None) is None


def test_places() -> None:
    assert place(VIEW, "four", 1, 3) == "lower half, play 4"
    assert place(VIEW, "four", 0, None) == "upper half"
    assert place(VIEW, "five", 0, None) == ""
    assert player(["<b>", None], ["a", "b"], 0) == data("<b>")
    assert player(["<b>", None], ["a", "b"], 1) == data("b")
    assert player(None, None, 1) is None
