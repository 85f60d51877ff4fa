"""One match: its result, what is wrong with it, and how every point moved. Without an id, the list of matches."""

from __future__ import annotations

import streamlit as st

from dashboards.components import export, filters, findings, matches
from dashboards.components.clubs import choose_club
from dashboards.components.explanation import ELSEWHERE, STANDINGS, explanation, judged_again
from dashboards.components.figures import TIME_ZONE, count, word
from dashboards.components.frame import View, view
from dashboards.components.markup import data, show, tag
from dashboards.components.places import game
from dashboards.components.replay import replay
from dashboards.components.settlement import settlement
from dashboards.queries import discrepancies, overview, violations
from dashboards.queries import matches as asked
from dashboards.queries.rows import Row
from yuanzi_core.cards import VARIANTS
from yuanzi_core.files import Line, SheetRecord
from yuanzi_core.texts import text

SIZE = 25
SOURCES = ("real", "simulated")
STATUSES = ("settled", "unfinished", "violation")
#: Of a record as received no more is shown than this many bytes.
LONGEST = 20_000


def the_list(page: View) -> None:
    """All matches that count."""
    title = st.empty()
    with st.grid(columns=4, min_column_width=150):
        everything = page.say("filters.all")
        search = filters.search("find", page.say("filters.match_or_player"), page.say("filters.any_part"))
        variant = filters.choice(
            "game", page.say("filters.game"), VARIANTS, everything, lambda found: game(page, found)
        )
        source = filters.choice(
            "source", page.say("match.fact.source"), SOURCES, everything,
            lambda found: word(f"pages.match.source.{found}", page.lang, found),
        )  # fmt: skip
        club = choose_club(page, overview.club_names(page.cursor))
        status = filters.choice(
            "status",
            page.say("filters.status"),
            STATUSES,
            everything,
            lambda code: word(f"terms.status.{code}", page.lang, code),
        )
        since = filters.day("from", page.say("filters.since"))
        until = filters.day("to", page.say("filters.until"))
    wanted = asked.Wanted(search, variant, source, club, status, since, until, TIME_ZONE)
    total = asked.found_matches(page.cursor, wanted)
    title.title(page.say("match.list.title", count=count(total)), anchor=False)
    if total:
        show(matches.match_list(page, asked.matches(page.cursor, wanted, SIZE, filters.offset(total, SIZE))))
        filters.paging(total, SIZE)
        export.download(page, "matches", lambda cursor, most: asked.matches(cursor, wanted, most), total)
    else:
        st.info(page.say("match.list.none"))


def one(page: View, match_id: str) -> None:
    """One match."""
    page.page_link("match", page.say("match.all"))
    st.title(page.say("match.title"), anchor=False)
    show(tag("h4", data(match_id, class_="yz-long")))
    match = asked.match(page.cursor, match_id, TIME_ZONE)
    records = asked.records_of(page.cursor, match_id)
    if match is not None:
        counting(page, match)
        in_words(page, match, asked.raw_record(page.cursor, match["file_id"], match["line"]))
        st.subheader(page.say("match.about"))
        show(matches.facts(page, match))
    else:
        st.warning(page.say("match.none_counts") if records else page.say("match.unknown"))
    if records:
        st.subheader(page.say("match.records", count=count(len(records))))
        show(matches.received(page, records))


def counting(page: View, match: Row) -> None:
    """The record that counts."""
    show(matches.outcome(page, match))
    show(matches.result(page, match))
    for found in violations.of_match(page.cursor, match["match_id"]):
        findings.violation_card(page, found, linked=False)
    differing = discrepancies.of_match(page.cursor, match["match_id"])
    if differing:
        st.subheader(page.say("match.discrepancies", count=count(len(differing))))
        for found in differing:
            findings.discrepancy_card(page, found, match["player_names"], match["player_ids"], linked=False)


def in_words(page: View, match: Row, record: Line | SheetRecord | None) -> None:
    """How every point moved, and the line of the file, or what its sheet says."""
    if record is None:
        st.warning(page.say("match.no_raw"))
        return
    raw = record[1]
    again = judged_again(page, match["file_id"], record, asked.standings_before(page.cursor, match["match_id"]))
    names = [
        name or player
        for name, player in zip(match["player_names"] or match["player_ids"], match["player_ids"], strict=True)
    ]
    agrees, in_public = again.agrees(match), page.audience == "public"
    if not agrees:
        st.warning(page.say("match.explained_otherwise"))
    if again.played is not None:
        st.subheader(text("replay.label.title", page.lang))
        replay(page, again.played, match["match_id"], names)
    shown_above: tuple[str, ...] = ELSEWHERE if agrees else ("claims",) if in_public else ()
    if again.flow is not None:
        st.subheader(text("replay.flow.title", page.lang))
        settlement(page, again.flow, again.said, match["variant"], names, STANDINGS if in_public else None)
        shown_above += ("result",)
    st.subheader(page.say("match.explanation"))
    explanation(page, again.said, shown_above, STANDINGS if in_public else None)
    if in_public:
        # A record as received holds the standings that its table wrote down.
        st.caption(page.say("match.for_auditors"))
        return
    with st.expander(page.say("match.raw", bytes=count(len(raw))), icon=":material/data_object:"):
        st.code(raw[:LONGEST].decode(errors="replace"), language="json", wrap_lines=True)
        if len(raw) > LONGEST:
            st.caption(page.say("match.raw_cut", bytes=count(LONGEST)))


page = view()
match_id = filters.asked("match")
if match_id is None:
    the_list(page)
else:
    one(page, match_id)
