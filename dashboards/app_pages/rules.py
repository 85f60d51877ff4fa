"""The rulebook in the reader's language, searchable; each option with what it changes; the words; about the two games.

It needs no results. ``?clause=E1`` is one clause, ``?section=E`` a section.
"""

from __future__ import annotations

import streamlit as st

from dashboards.components import address, filters
from dashboards.components.clauses import clause_buttons
from dashboards.components.figures import count
from dashboards.components.frame import Frame, frame
from dashboards.components.markup import joined, link, show, tag
from dashboards.components.rules import options_table, presets_table, words_table
from yuanzi_core.cards import VARIANTS
from yuanzi_core.rulebook import Rulebook, rulebook
from yuanzi_core.ruleset import options

PARTS = ("book", "options", "words", "games")


def contents(page: Frame, book: Rulebook) -> None:
    """All sections with their clauses, each a link."""
    with st.grid(columns=2, min_column_width=280):
        for letter, section in book.sections.items():
            with st.container(border=True):
                lines = [
                    tag("li", link(page.href("rules", clause=number), f"{number} {book.clauses[number].title}"))
                    for number in section.clauses
                ]
                head = tag("h3", link(page.href("rules", section=letter), f"{letter}. {section.title}"))
                show(joined(head, tag("ul", *lines, class_="yz-contents")))


def clause(page: Frame, book: Rulebook, number: str) -> None:
    """One clause with the options that decide on it."""
    st.subheader(f"{number} {book.clauses[number].title}", anchor=False)
    st.markdown(book.clauses[number].body)
    named = [option.name for option in options().values() if f"`{option.name}`" in book.clauses[number].body]
    if named:
        show(options_table(page, named))


def whole_book(page: Frame, book: Rulebook) -> None:
    """A clause, a section, what a search found, or the contents."""
    wanted, letter = (address.asked(name) or "" for name in ("clause", "section"))
    search = filters.search("find", page.say("rules.find"), page.say("rules.find_example"))
    number, letter = wanted.upper(), letter.upper()
    if search:
        found = book.having(search)
        st.caption(page.say("rules.found", count=count(len(found))))
        for each in found:
            clause(page, book, each)
    elif number in book.clauses:
        page.page_link("rules", page.say("rules.contents"))
        clause(page, book, number)
        before, after = book.neighbours(number)
        with st.container(horizontal=True, horizontal_alignment="distribute"):
            for near, arrow in ((before, "←"), (after, "→")):
                if near is not None:
                    page.page_link("rules", f"{arrow} {near} {book.clauses[near].title}", clause=near)
    elif letter in book.sections:
        page.page_link("rules", page.say("rules.contents"))
        st.header(f"{letter}. {book.sections[letter].title}", anchor=False)
        for each in book.sections[letter].clauses:
            clause(page, book, each)
    else:
        contents(page, book)


def all_options(page: Frame) -> None:
    """Every option: what it changes, its values, where it is on, and its clause."""
    st.caption(page.say("rules.options_intro"))
    show(options_table(page, list(options())))
    st.subheader(page.say("rules.clauses_of_options"), anchor=False)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        clause_buttons(page, [option.clause for option in options().values()])


def games(page: Frame, book: Rulebook) -> None:
    """What the two games are."""
    st.markdown(book.introduction)
    for variant in VARIANTS:
        st.subheader(page.say(f"rules.game_{variant}"), anchor=False)
        st.markdown(page.say(f"rules.about_{variant}"))
    st.subheader(page.say("rules.rulesets"), anchor=False)
    show(presets_table(page))


page = frame()
book = rulebook(page.lang)
st.title(page.say("rules.title"), anchor=False)
part = filters.tabs("part", page.say("rules.part"), PARTS, lambda name: page.say(f"rules.part_{name}"), hidden=True)
if part == "book":
    whole_book(page, book)
elif part == "options":
    all_options(page)
elif part == "words":
    search = filters.search("find", page.say("rules.find_word"), page.say("filters.any_part"))
    show(words_table(page, book.glossary, search))
else:
    games(page, book)
