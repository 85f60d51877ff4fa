"""``yuanzi report``: what became of each file received, as a receipt for whoever handed it in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipelines.commands.pages import home_folder
from pipelines.commands.report import STATUSES, Report
from pipelines.commands.terminal import CallFailed, clean, clean_json, columns, painted, say, write_bytes
from pipelines.warehouse import Received, Warehouse
from yuanzi_core.history import Histories, History
from yuanzi_core.texts import Lang, text

#: Of what is wrong in a file so many of each sort are told.
_SHOWN = 5
_RULESETS_SHOWN = 6
_FILE = "select * from out_audit__files where file_id = $file"
_COUNT = "select count(*) from out_audit__records where file_id = $file"
_RULESETS = """
select distinct ruleset_name, ruleset
from core_record
where file_id = $file and ruleset is not null
order by ruleset_name, ruleset
"""
_VIOLATIONS = """
select line, match_id, code, deal, play, message_en, message_zh
from out_audit__violations
where file_id = $file
order by line
limit $most
"""


def report(wanted: str | None, home: str | None, as_json: bool, lang: Lang) -> int:
    """Tell of one file, or of all. Returns the exit status: 1 where a file failed or its counts do not add up.

    :raises CallFailed: nothing was received, or no such file.
    """
    from pipelines.defs.publish.snapshot import pointer

    folder = home_folder(home)
    warehouse = Warehouse(folder)
    files = _chosen(warehouse, wanted, lang)
    name, histories = pointer(warehouse), Histories(warehouse.lake)
    with Report(None if name is None else warehouse.published / name, lang) as published:
        found = [_about(file, histories.of(file.file_id), published) for file in files]
        if as_json:
            _write_json(found)
        else:
            for about in found:
                _tell(about, published, lang)
    return int(any(about["failed"] is not None or about.get("adds_up") is False for about in found))


def _chosen(warehouse: Warehouse, wanted: str | None, lang: Lang) -> list[Received]:
    """The files meant by a name or a file_id; all of them by nothing."""
    received = sorted(warehouse.all_received(), key=lambda file: (file.name, file.file_id))
    if not received:
        raise CallFailed(text("cli.receipt.nothing", lang, home=clean(warehouse.home)))
    return received if wanted is None else matching(warehouse, wanted, lang)


def matching(warehouse: Warehouse, wanted: str, lang: Lang) -> list[Received]:
    """The files meant by a name in the inbox, a file_id or the beginning of one. :raises CallFailed: there is none."""
    received = sorted(warehouse.all_received(), key=lambda file: (file.name, file.file_id))
    histories = Histories(warehouse.lake)
    names = {file.file_id: {file.name, *histories.of(file.file_id).names} for file in received}
    found = (
        [file for file in received if file.file_id.startswith(wanted.lower()) and len(wanted) >= 4]
        or [file for file in received if wanted in names[file.file_id]]
        or [file for file in received if Path(wanted).name in {Path(name).name for name in names[file.file_id]}]
    )
    if not found:
        raise CallFailed(text("cli.receipt.no_file", lang, file=clean(wanted), home=clean(warehouse.home)))
    return found


def _about(file: Received, history: History, published: Report) -> dict[str, Any]:
    """All that is told of a file, under the names that the JSON has."""
    judging = history.judging
    about: dict[str, Any] = {
        "file_id": file.file_id,
        "names": list(history.names) or [file.name],
        "received": history.received,
        "bytes": file.bytes,
        "judged": None,
        "failed": None if judging is None else judging.failed,
    }
    if judging is not None and judging.failed is None:
        rate = round(judging.records / judging.seconds) if judging.seconds else None
        about["judged"] = {
            "at": judging.at, "engine": judging.engine, "seconds": judging.seconds, "records": judging.records,
            "records_per_second": rate,
        }  # fmt: skip
    counted = published.named_rows(_FILE, file=file.file_id)
    about["published"] = bool(counted)
    if counted:
        counts = counted[0]
        about |= {name: counts[name] for name in ("read", *STATUSES, "discrepancies")}
        ((rows,),) = published.rows(_COUNT, file=file.file_id)
        about["adds_up"] = counts["read"] == sum(counts[status] for status in STATUSES) == rows
        about |= {"damage": counts["damage"], "engine": counts["engine"]}
        at = counts["withdrawn_at"]
        about["withdrawn_at"] = None if at is None else at.isoformat()
        about["withdrawn_reason"] = counts["withdrawn_reason"]
        names = published.rows(_RULESETS, file=file.file_id)
        about["rulesets"] = [{"name": name, "hash": hash_} for name, hash_ in names]
        about["violations"] = published.named_rows(_VIOLATIONS, file=file.file_id, most=_SHOWN)
    return about


def _write_json(found: list[dict[str, Any]]) -> None:
    line = json.dumps(found, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
    write_bytes(b"\n".join(clean_json(part) for part in line.split(b"\n")) + b"\n")


def _tell(about: dict[str, Any], published: Report, lang: Lang) -> None:
    def put(key: str, **fields: object) -> str:
        return text(f"cli.receipt.{key}", lang, **fields)

    first, *others = map(clean, about["names"])
    say("", painted(f"{first}  {about['file_id']}", "bold"))
    rows = [[put("received"), put("when", at=about["received"] or "?", bytes=f"{about['bytes']:,}")]]
    if others:
        rows.append([put("also"), ", ".join(others)])
    if about["published"]:
        parts = [
            text("cli.check.part", lang, count=about[status], status=text(f"terms.status.{status}", lang))
            for status in STATUSES
            if about[status]
        ]
        line = text("cli.check.sum", lang, read=about["read"], parts=" + ".join(parts) or "0")
        rows.append([put("records"), line if about["adds_up"] else f"{line}  {put('wrong_sum')}"])
        rows.append([put("claims"), str(about["discrepancies"])])
        if about["damage"] is not None:
            rows.append([put("damage"), put("damaged")])
        if about["withdrawn_at"] is not None:
            reason = clean(about["withdrawn_reason"] or put("no_reason"))
            rows.append([put("standing"), put("withdrawn", at=about["withdrawn_at"], reason=reason)])
    elif about["failed"] is not None:
        rows.append([put("failed"), clean(about["failed"])])
    else:
        rows.append([put("standing"), put("waiting")])
    if about["judged"] is not None:
        judged = about["judged"]
        fields = {"at": judged["at"], "seconds": f"{judged['seconds']:.1f}"}
        rows.append([put("judged"), put("time", **fields, rate=f"{judged['records_per_second'] or 0:,}")])
        rows.append([put("engine"), clean(judged["engine"])])
    rulesets = about.get("rulesets", [])
    for number, ruleset in enumerate(rulesets[:_RULESETS_SHOWN]):
        rows.append([put("rulesets") if number == 0 else "", f"{clean(ruleset['name'])}  {ruleset['hash']}"])
    if len(rulesets) > _RULESETS_SHOWN:
        rows.append(["", put("more", count=len(rulesets) - _RULESETS_SHOWN)])
    say(*columns(rows))
    if about["published"]:
        published.tell_findings(_SHOWN, [about["file_id"]])
