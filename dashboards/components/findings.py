"""Violations and discrepancies as cards, and the filters that their lists share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from dashboards.components import filters
from dashboards.components.clauses import clause_buttons
from dashboards.components.clubs import choose_club, club
from dashboards.components.comparison import comparison
from dashboards.components.figures import TIME_ZONE, count, word
from dashboards.components.frame import View
from dashboards.components.markup import chip, data, joined, link, show, tag, with_cards
from dashboards.components.places import file_and_line, game, place, source_line
from dashboards.queries import files, overview
from dashboards.queries.rows import Chosen, Row
from yuanzi_core.cards import VARIANTS, Variant
from yuanzi_core.reasons import Discrepancy, Violation

Kind = Literal["violation", "discrepancy"]


def name(view: View, kind: Kind, code: str) -> str:
    """A code's name in words."""
    return word(f"reasons.{kind}.{code}.name", view.lang, code)


def choose(view: View, kind: Kind) -> Chosen:
    """The filters of a list of findings, and what was chosen in them."""
    codes = [str(code) for code in (Violation if kind == "violation" else Discrepancy)]
    with st.grid(columns=6, min_column_width=150):
        everything = view.say("filters.all")
        at_club = choose_club(view, overview.club_names(view.cursor))
        code = filters.choice(
            "code", view.say("filters.code"), codes, everything, lambda found: name(view, kind, found)
        )
        variant = filters.choice(
            "game", view.say("filters.game"), VARIANTS, everything, lambda found: game(view, found)
        )
        since = filters.day("from", view.say("filters.since"))
        until = filters.day("to", view.say("filters.until"))
        part = filters.search("name", view.say("filters.file_name"), view.say("filters.any_part"))
    file = filters.asked("file")
    if file is not None:
        known = files.file(view.cursor, file)
        named = data(file if known is None else known["file_name"])
        page = "violations" if kind == "violation" else "discrepancies"
        without = {one: value for one, value in filters.chosen().items() if one != "file"}
        said = joined(view.say("filters.one_file"), " ", named, " ✕")
        show(tag("p", link(view.href(page, **without), chip(said, "chosen"))))
    return Chosen(at_club, variant, code, file, since, until, TIME_ZONE, part)


def of_kind(counted: Sequence[Row], code: str | None) -> int:
    """How many of a code, or in all."""
    return sum(row["found"] for row in counted if code in (None, row["code"]))


def kinds(view: View, kind: Kind, counted: Sequence[Row], code: str | None) -> None:
    """How many of each kind, each a link that chooses it; the chosen one is marked, and its link gives it up."""
    if counted:
        page = "violations" if kind == "violation" else "discrepancies"
        now = filters.chosen()
        chips = [
            link(
                view.href(page, **{**now, "code": None if row["code"] == code else row["code"]}),
                chip(
                    f"{name(view, kind, row['code'])} {count(row['found'])}",
                    "chosen" if row["code"] == code else "plain",
                ),
            )
            for row in counted
        ]
        show(tag("p", joined(*chips, between=" ")))


def _head(view: View, kind: Kind, found: Row, linked: bool) -> None:
    where = place(view, found["variant"], found["deal"], found.get("play"))
    title = tag("h4", name(view, kind, found["code"]), " ", chip(where) if where else None)
    if not linked:
        show(title)
        return
    line = source_line(
        view.match_link(found["match_id"]),
        club(view, found["club"]),
        found["played"],
        game(view, found["variant"]),
        file_and_line(view, found["file_id"], found["file_name"], found["line"]),
    )
    show(joined(title, line))


def _rule(kind: Kind, code: str, variant: Variant) -> str:
    # A newer snapshot may have codes that are not known here.
    if kind == "discrepancy" and code in Discrepancy.__members__:
        return Discrepancy[code].rule_key(variant)
    return f"reasons.{kind}.{code}.rule"


def _foot(view: View, kind: Kind, found: Row, linked: bool) -> None:
    show(tag("p", word(_rule(kind, found["code"], found["variant"]), view.lang, ""), class_="yz-muted"))
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        clause_buttons(view, found["clauses"] or ())
        if linked:
            # The replay opens where the play is; what comes before any play has no place there.
            play = found.get("play")
            at = {} if play is None else {"deal": found["deal"] or None, "play": play + 1}
            view.page_link("match", view.say("findings.open_match"), match=found["match_id"], **at)


def violation_card(view: View, found: Row, linked: bool = True) -> None:
    """One violation: what, where, why, by which clause. ``linked``: with the way to its match."""
    with st.container(border=True, gap="xsmall"):
        _head(view, "violation", found, linked)
        show(tag("p", with_cards(found[f"message_{view.lang}"] or "")))
        _foot(view, "violation", found, linked)


def discrepancy_card(
    view: View, found: Row, names: Sequence[str | None] | None, ids: Sequence[str] | None, linked: bool = True
) -> None:
    """One discrepancy: claimed against recomputed. ``linked``: with the way to its match."""
    with st.container(border=True, gap="xsmall"):
        _head(view, "discrepancy", found, linked)
        if found["code"] == "CLAIM_BALANCE" and view.audience == "public":
            show(tag("p", view.say("findings.standings_for_auditors"), class_="yz-muted"))
        else:
            show(comparison(view, found["code"], found["variant"], found["claimed"], found["recomputed"], names, ids))
        _foot(view, "discrepancy", found, linked)
