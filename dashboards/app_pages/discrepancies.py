"""Claims that the recomputation does not bear out, seat by seat; each leads to its match."""

from __future__ import annotations

import streamlit as st

from dashboards.components import export, filters, findings
from dashboards.components.figures import count
from dashboards.components.frame import view
from dashboards.queries import discrepancies

SIZE = 15

page = view()
title = st.empty()
chosen = findings.choose(page, "discrepancy")
kinds = discrepancies.kinds(page.cursor, chosen)
total = findings.of_kind(kinds, chosen.code)
title.title(page.say("discrepancies.title", count=count(total)), anchor=False)
findings.kinds(page, "discrepancy", kinds, chosen.code)
if not total:
    st.info(page.say("discrepancies.none"))
standings = page.audience == "auditor"
for found in discrepancies.shown(page.cursor, chosen, SIZE, filters.offset(total, SIZE), standings):
    findings.discrepancy_card(page, found, found["player_names"], found["player_ids"])
filters.paging(total, SIZE)
if total:
    export.download(
        page, "discrepancies", lambda cursor, most: discrepancies.discrepancies(cursor, chosen, most, 0), total
    )
