"""Matches that break a rule: what, where and by which clause; each leads to its match."""

from __future__ import annotations

import streamlit as st

from dashboards.components import export, filters, findings
from dashboards.components.figures import count
from dashboards.components.frame import view
from dashboards.queries import violations

SIZE = 15

page = view()
title = st.empty()
chosen = findings.choose(page, "violation")
kinds = violations.kinds(page.cursor, chosen)
total = findings.of_kind(kinds, chosen.code)
title.title(page.say("violations.title", count=count(total)), anchor=False)
findings.kinds(page, "violation", kinds, chosen.code)
if not total:
    st.info(page.say("violations.none"))
for found in violations.violations(page.cursor, chosen, SIZE, filters.offset(total, SIZE)):
    findings.violation_card(page, found)
filters.paging(total, SIZE)
if total:
    export.download(page, "violations", lambda cursor, most: violations.violations(cursor, chosen, most, 0), total)
