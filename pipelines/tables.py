"""The tables of a warehouse, by how they are kept and in the order in which they are made.

What each holds is not known here: see ``defs``.
"""

#: Tables by file, in the order in which they are made.
BY_FILE = (
    "raw_record", "core_record", "core_claim", "core_deal", "core_ruleset", "core_settlement__deal",
    "core_settlement__match",
)  # fmt: skip
#: Tables made for a whole state: small ones, and those in which a row is about all that a player has done.
WHOLE = (
    "raw_withdrawal", "core_match__contested", "core_player", "out_audit__registry", "out_players", "out_clubs",
    "out_seasons", "out_levels__step", "out_levels__event", "out_standings__player", "out_standings__day",
    "out_standings__sums", "core_member", "out_ratings__player", "out_ratings__role", "out_ratings__unrated",
    "out_ratings__calibration",
    "out_snapshot",
)  # fmt: skip
#: Tables made for each group of a state, and which of its keys names them: "files", the group itself; "chosen", which
#: of its records count; "moved", what they move in the ledger and where it stands then; "settled", what they move.
GROUPED = {
    "core_match__candidate": "files", "core_match": "chosen", "core_ledger__movement": "moved",
    "core_settlement__scores": "settled", "core_discrepancy": "settled", "out_audit__records": "chosen",
    "out_audit__discrepancies": "settled", "out_audit__violations": "chosen", "out_audit__files": "settled",
    "out_matches": "settled", "core_balance__deal": "files", "core_balance__match": "settled",
    "out_balance__players": "settled", "out_balance__matches": "settled", "out_balance__values": "settled",
    "out_balance__kinds": "settled",
}  # fmt: skip
#: Grouped tables that count and add up, and what they sum: a club's evening may lie in several groups, each with its
#: share of a row. Readers see one row.
SUMS = {
    "out_balance__players": ("players", "won", "score"),
    "out_balance__matches": ("matches", "first_known", "won", "score"),
    "out_balance__values": ("count", "total"), "out_balance__kinds": ("led", "answered", "beaten", "won", "points"),
}  # fmt: skip
#: Tables in blocks of matches in ledger order; the keys "rated" of a state name its blocks.
CHAINED = ("out_ratings__match", "core_rating__checkpoint")
#: All of these, in the order in which they are made.
BY_STATE = (
    "raw_withdrawal", "core_match__candidate", "core_match__contested", "core_match", "core_player",
    "out_audit__registry", "out_players", "out_clubs", "out_seasons", "core_ledger__movement",
    "core_settlement__scores", "core_discrepancy", "out_audit__records", "out_audit__discrepancies",
    "out_audit__violations", "out_audit__files", "out_matches", "out_levels__step", "out_levels__event",
    "out_standings__player", "out_standings__day", "out_standings__sums", "core_member", "core_rating__checkpoint",
    "out_ratings__match", "out_ratings__player", "out_ratings__role", "out_ratings__unrated",
    "out_ratings__calibration",
    "core_balance__deal", "core_balance__match", "out_balance__players", "out_balance__matches", "out_balance__values",
    "out_balance__kinds", "out_snapshot",
)  # fmt: skip
