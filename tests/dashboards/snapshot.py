"""A small published snapshot, made of handed cases and their handed answers, with names that try to break a page.

Only the tables that pages ask are made, in the form that the pipeline publishes; no code of pages is used.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from tests.dashboards.standing_tables import TABLES as STANDING_TABLES
from tests.dashboards.standing_tables import add_hostile, insert
from yuanzi_core.ruleset import Rulesets

CASES = Path(__file__).parents[1] / "cases"

RULESETS = Rulesets()

#: A copy of the last snapshot made, under its home.
TWIN = "twin.duckdb"

#: Names, clubs and ids as they come, and as somebody may send them on purpose.
HOSTILE = [
    "王小明",
    "<script>alert(1)</script>",
    "**bold** [a](javascript:alert(1)) `code` $x^2$ :red[r] :smile: ~~s~~ # h | t",
    '=HYPERLINK("x","y")',
    "很长的名字" * 40,
    "שלום عليكم\u202eabc",
    "🀄👨‍👩‍👧‍👦🂡",
    "' or 1=1; drop table out_matches; --",
    "a\x00b\nc\td",
    '&lt;i&gt; &amp; "q"',
    "{count} {0} %s {{",
]
#: A file of cases, its first and last line taken, and the name that it bears here.
FILES = (
    ("claims", 1, 60, "claims.jsonl"),
    ("logs", 141, 400, "<img src=x onerror=alert(1)>.jsonl"),
    ("dirty", 1, 146, "=1+1 | **dirty** שלום.jsonl"),
)
NOTES = [{"code": "CAP_ZERO", "seats": [0, 2]}, {"code": "UNKNOWN_FIELDS", "count": 3}, {"code": "NEW"}]
STATUSES = ("settled", "unfinished", "violation", "rejected", "duplicate", "superseded", "withdrawn")

TABLES = """
create table out_matches (
    match_id varchar, revision integer, file_id varchar, file_name varchar, line bigint, variant varchar,
    ruleset varchar, ruleset_hash varchar, rules varchar, played_at timestamptz, club varchar, registry_club varchar,
    day date, evening date, registry_ids varchar[], dealer integer, roles varchar[],
    upstream integer, "table" varchar,
    source varchar, base decimal(8, 2), status varchar, code varchar, deal integer, play integer, outcome varchar,
    winner integer,
    player_ids varchar[], player_names varchar[], sides integer[], scores decimal(18, 4)[],
    scores_before_cap decimal(18, 4)[], standings_before decimal(18, 4)[], side_points integer[], deals integer,
    tricks integer, atoms integer, discrepancies integer, notes varchar, engine varchar
);
create table out_audit__files (
    file_id varchar, file_name varchar, bytes bigint, read bigint, settled bigint, unfinished bigint, violation bigint,
    rejected bigint, duplicate bigint, superseded bigint, withdrawn bigint, discrepancies bigint, damage varchar,
    withdrawn_at timestamptz, withdrawn_reason varchar, engine varchar
);
create table out_audit__records (
    file_id varchar, file_name varchar, line bigint, record_hash varchar, match_id varchar, revision integer,
    status varchar, code varchar, deal integer, play integer, message_en varchar, message_zh varchar
);
create table out_audit__violations (
    file_id varchar, file_name varchar, line bigint, match_id varchar, club varchar, played_at timestamptz,
    variant varchar, ruleset varchar, code varchar, deal integer, play integer, clauses varchar[], message_en varchar,
    message_zh varchar
);
create table out_audit__discrepancies (
    file_id varchar, file_name varchar, line bigint, match_id varchar, club varchar, played_at timestamptz,
    variant varchar, ruleset varchar, code varchar, deal integer, claimed varchar, recomputed varchar,
    clauses varchar[], message_en varchar, message_zh varchar
);
create table out_balance__players (
    variant varchar, ruleset varchar, source varchar, club varchar, evening date, base decimal(8, 2),
    breakdown varchar, value varchar, players bigint, won bigint, score decimal(38, 4)
);
create table out_balance__matches (
    variant varchar, ruleset varchar, source varchar, club varchar, evening date, base decimal(8, 2),
    breakdown varchar, value varchar, matches bigint, first_known bigint, won bigint,
    score decimal(38, 4)
);
create table out_balance__values (
    variant varchar, ruleset varchar, source varchar, club varchar, evening date, base decimal(8, 2),
    measure varchar, width integer, value integer, count bigint, total decimal(38, 4)
);
create table out_balance__kinds (
    variant varchar, ruleset varchar, source varchar, club varchar, evening date, kind varchar, of_knife boolean,
    led bigint, answered bigint, beaten bigint, won bigint, points bigint
);
create table raw_record (file_id varchar, line bigint, record blob, rows bigint[]);
create table out_snapshot (name varchar, engine varchar, matches bigint, files bigint);
"""
# As G3 has it: who is a member is another's business, here nobody is.
HIDDEN = "standings_before"
# What the rulings name behind a finding, for the few codes that tests look at.
CLAUSES = {"CLAIM_FINISH": ["C4"], "CLAIM_CAPTURED": ["A2", "C2", "C3", "C4"], "CANNOT_BEAT": ["B4", "B5"]}


def _renamed(source: bytes, number: int) -> tuple[bytes, dict[str, Any] | None]:
    """A record with other names and clubs (which settle nothing), and its content; others stay as they are."""
    try:
        match = json.loads(source)
    except (ValueError, RecursionError):
        return source, None
    if not isinstance(match, dict) or not isinstance(match.get("players"), list):
        return source, None
    for seat, player in enumerate(match["players"]):
        if isinstance(player, dict):
            player["name"] = HOSTILE[(number + seat) % len(HOSTILE)]
    match["club"], match["table"] = HOSTILE[number % 7], HOSTILE[number % 5]
    return json.dumps(match, ensure_ascii=False).encode(), match


def _roles(match: dict[str, Any], deals: list[dict[str, Any]]) -> list[str] | None:
    if not deals or match["variant"] != "five":
        return None
    dealer, sides = match["deals"][0]["dealer"], deals[0]["sides"]
    return ["dealer" if seat == dealer else ("defender" if side else "partner") for seat, side in enumerate(sides)]


def _match(match: dict[str, Any], answer: dict[str, Any], place: dict[str, Any]) -> dict[str, Any]:
    deals = answer.get("deals") or []
    settled = answer["status"] == "settled"
    scores = answer.get("scores")
    ruleset = RULESETS[match["ruleset"]].with_options(match.get("rules") or {})
    return {
        "match_id": answer["match_id"], "revision": match.get("revision") or 1, **place, "variant": match["variant"],
        "ruleset": match["ruleset"], "ruleset_hash": ruleset.hash,
        "rules": json.dumps(match["rules"]) if match.get("rules") else None,
        "played_at": match["played_at"], "club": match["club"], "registry_club": match["club"],
        "day": match["played_at"][:10], "evening": match["played_at"][:10],
        "registry_ids": [player["id"] for player in match["players"]],
        "dealer": match["deals"][0]["dealer"] if deals and match["variant"] == "five" else None,
        "roles": _roles(match, deals),
        "upstream": deals[0]["finish"][0] if deals and deals[0]["finish"] else None, "table": match["table"],
        "source": match.get("source") or "real", "base": match.get("base") or 1, "status": answer["status"],
        "code": answer.get("code"), "deal": answer.get("deal"), "play": answer.get("play"),
        "outcome": answer.get("outcome"), "winner": answer.get("winner"),
        "player_ids": [player["id"] for player in match["players"]],
        "player_names": [player["name"] for player in match["players"]],
        "sides": deals[0]["sides"] if deals else None, "scores": scores,
        "scores_before_cap": [score + 1 for score in scores] if scores and len(scores) == 5 else scores,
        "standings_before": [player.get("balance") for player in match["players"]],
        "side_points": deals[-1]["side_points"] if deals and settled else None, "deals": len(match["deals"]),
        "tricks": sum(deal["tricks"] for deal in deals), "atoms": sum(deal["atoms"] for deal in deals),
        "discrepancies": len(answer.get("discrepancies") or []),
        "notes": json.dumps(NOTES),
        "engine": "test",
    }  # fmt: skip


def build(path: Path) -> None:
    """Write the snapshot."""
    con = duckdb.connect(str(path))
    con.begin()
    con.execute(TABLES + STANDING_TABLES)
    matches: dict[str, dict[str, Any]] = {}
    for case, first, last, file_name in FILES:
        lines = (CASES / f"{case}.jsonl").read_bytes().split(b"\n")
        expected = (CASES / f"{case}.expected.jsonl").read_text("utf-8").splitlines()
        file_id = hashlib.sha256(case.encode()).hexdigest()[:16]
        counts: Counter[str] = Counter()
        for at in range(first, last + 1):
            answer = json.loads(expected[at - 1])
            number = answer.get("line", at)
            raw, match = _renamed(lines[number - 1], number)
            place = {"file_id": file_id, "file_name": file_name, "line": number}
            # The cases judge each record alone; here the first of a match counts.
            status = "superseded" if answer.get("match_id") in matches else answer["status"]
            counts[status] += 1
            insert(con, "raw_record", [{"file_id": file_id, "line": number, "record": raw}])
            code = answer.get("code") if status != "superseded" else None
            message = HOSTILE[number % len(HOSTILE)]
            said = {f"message_{lang}": f"{lang}: {message}" if code else None for lang in ("en", "zh")}
            where = {"code": code, "deal": answer.get("deal"), "play": answer.get("play")}
            known = {"match_id": answer.get("match_id"), "revision": 1, "record_hash": "0"}
            insert(con, "out_audit__records", [{**place, **known, "status": status, **where, **said}])
            if match is None or status not in STATUSES[:3]:
                continue
            matches[answer["match_id"]] = _match(match, answer, place)
            about = {name: match[name] for name in ("match_id", "club", "played_at", "variant", "ruleset")}
            if status == "violation":
                clauses = CLAUSES.get(answer["code"], ["H2"])
                insert(con, "out_audit__violations", [{**place, **about, **where, "clauses": clauses, **said}])
            for claim in answer.get("discrepancies") or []:
                counts["discrepancies"] += 1
                values = {name: json.dumps(claim[name]) for name in ("claimed", "recomputed")}
                found = {"code": claim["code"], "deal": claim["deal"], "clauses": CLAUSES.get(claim["code"], ["E1"])}
                insert(con, "out_audit__discrepancies", [{**place, **about, **values, **found, **said}])
        row = {status: counts[status] for status in (*STATUSES, "discrepancies")}
        read = sum(counts[status] for status in STATUSES)
        damage = "broken" if case == "dirty" else None
        about = {"file_id": file_id, "file_name": file_name, "bytes": 1 << 21, "damage": damage, "engine": "test"}
        insert(con, "out_audit__files", [{**about, "read": read, **row}])
    insert(con, "out_matches", list(matches.values()))
    add_hostile(con, HOSTILE, next(iter(matches)))
    insert(con, "out_snapshot", [{"name": path.name, "engine": "test", "matches": len(matches), "files": len(FILES)}])
    give_public(con, {"out_matches": f"select * replace (null as {HIDDEN}) from main.out_matches"})
    con.commit()
    con.close()


def give_public(con: duckdb.DuckDBPyConnection, views: Mapping[str, str] | None = None) -> None:
    """The schema that the public asks: a view for each published table, those of ``views`` with their own statement."""
    con.execute("create schema if not exists public")
    for (name,) in con.execute(
        "select table_name from information_schema.tables where table_schema = 'main'"
    ).fetchall():
        if name.startswith("out_") or name == "core_ledger__movement":
            statement = (views or {}).get(name, f"select * from main.{name}")
            con.execute(f"create view if not exists public.{name} as {statement}")


def publish(home: Path, name: str = "snapshot-test.duckdb") -> Path:
    """Build a snapshot under a home folder and point to it. Returns its file."""
    folder = home / "published"
    folder.mkdir(parents=True, exist_ok=True)
    build(folder / name)
    shutil.copy(folder / name, home / TWIN)
    point(home, name)
    return folder / name


def point(home: Path, name: str) -> None:
    """Make a snapshot the one that counts."""
    folder = home / "published"
    folder.mkdir(parents=True, exist_ok=True)
    content = {"name": name, "hash": hashlib.sha256(name.encode()).hexdigest()}
    (folder / "current.json").write_text(json.dumps(content), encoding="utf-8")
