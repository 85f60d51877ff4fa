"""The page of the rules: every clause can be found, sent and read, and every option says what it changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.components.markup import escaped
from tests.dashboards.reading import links, shown, titles
from tests.dashboards.snapshot import HOSTILE
from yuanzi_core.rulebook import rulebook
from yuanzi_core.ruleset import options
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]


@pytest.fixture
def page(tmp_path: Path, open_page: Open) -> Open:
    """The page of a home where nothing was published: rules need no results."""
    return lambda **address: open_page(tmp_path, "rules", **address)


@pytest.mark.parametrize("lang", LANGS)
def test_the_contents_lead_to_every_clause(lang: Lang, page: Open) -> None:
    app = page(lang=lang)
    assert titles(app) == [text("pages.rules.title", lang)]
    for number, clause in rulebook(lang).clauses.items():
        named = escaped(f"{number} {clause.title}")
        assert f'href="./rules?clause={number}&amp;lang={lang}">{named}</a>' in shown(app)


@pytest.mark.parametrize("lang", LANGS)
def test_a_clause_has_an_address_and_its_neighbours(lang: Lang, page: Open) -> None:
    app = page(lang=lang, clause="E1")
    book = rulebook(lang)
    assert [heading.value for heading in app.subheader] == [f"E1 {book.clauses['E1'].title}"]
    assert book.clauses["E1"].body in [said.value for said in app.markdown]
    # The options of the clause stand below it.
    assert text("terms.options.clamp.name", lang) in shown(app)
    assert links(app)[1:] == [
        f"← D4 {book.clauses['D4'].title}", f"→ E2 {book.clauses['E2'].title}",
    ]  # fmt: skip
    assert len(page(lang=lang, section="F").subheader) == 7


@pytest.mark.parametrize(("lang", "wanted", "found"), [("en", "DOUBLE CLAMP", "E1"), ("zh", "接风", "C3")])
def test_a_search_finds_clauses_by_their_words(lang: Lang, wanted: str, found: str, page: Open) -> None:
    app = page(lang=lang)
    app.text_input(key="filter-find").set_value(wanted).run()
    assert app.query_params["find"] == wanted
    headings = [heading.value for heading in app.subheader]
    assert any(heading.startswith(found) for heading in headings)
    assert 0 < len(headings) < len(rulebook(lang).clauses)


@pytest.mark.parametrize("lang", LANGS)
def test_every_option_says_what_it_changes(lang: Lang, page: Open) -> None:
    body = shown(page(lang=lang, part="options"))
    for option in options().values():
        assert f"<code>{option.name}</code>" in body
        assert f'clause={option.clause}&amp;lang={lang}">{option.clause}</a>' in body


@pytest.mark.parametrize("lang", LANGS)
def test_the_glossary_and_the_two_games(lang: Lang, page: Open) -> None:
    assert "双夹" in shown(page(lang=lang, part="words"))
    assert "双夹" not in shown(page(lang=lang, part="words", find="wind"))
    games = page(lang=lang, part="games")
    # A2: 162 cards and 300 points, 270 and 500.
    for number in ("162", "270", "300", "500"):
        assert f">{number}</span>" in shown(games)


@pytest.mark.parametrize("part", ["book", "words"])
def test_a_hostile_address_breaks_nothing(part: str, page: Open) -> None:
    for name in HOSTILE[1:8]:
        app = page(part=part, clause=name, section=name, find=name)
        titles(app)
        assert not any(name in said.value for said in [*app.markdown, *app.caption])
        assert "<script" not in shown(app)
