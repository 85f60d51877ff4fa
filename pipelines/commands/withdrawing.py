"""``yuanzi withdraw``: a received file taken out of what counts, or put back, and the result published at once."""

from __future__ import annotations

from pipelines.commands.changes import tell_changes
from pipelines.commands.file_reports import matching
from pipelines.commands.pages import home_folder
from pipelines.commands.terminal import CallFailed, clean, complain, say
from pipelines.commands.warehousing import FAILED, in_use, run_pipeline
from pipelines.lock import Busy
from pipelines.warehouse import Received, Warehouse, write_json
from pipelines.withdrawals import Withdrawal, withdrawals
from pipelines.withdrawals import withdraw as put_on_record
from yuanzi_core.history import now
from yuanzi_core.texts import Lang, text

#: So many of the changes are told.
_SHOWN = 15


def withdraw(wanted: str, reason: str | None, undo: bool, home: str | None, rulesets: str | None, lang: Lang) -> int:
    """Put on record that a file counts no longer, or does again, and publish. Returns the exit status as `yuanzi run`.

    The content stays, and so do the rows of ``raw_*`` and those of the file judged alone. What lies in the inbox is not
    looked at, so nothing else changes. A file that is withdrawn already stays so, for the reason first given.

    :raises CallFailed: no such file, or several; another run works on the home, or the disk is full.
    """
    folder = home_folder(home)
    warehouse = Warehouse(folder)
    file = _the_one(warehouse, wanted, lang)
    try:
        with warehouse.lock:
            known = {event.file_id: event for event in withdrawals(warehouse.lake)}.get(file.file_id)
            withdrawn = known is not None and known.withdrawn
            if withdrawn != undo:
                said = "already" if withdrawn else "not_withdrawn"
                say(text(f"withdraw.{said}", lang, file=clean(file.name), at=known.at if known else ""))
                return 0
            event = Withdrawal(file.file_id, file.name, not undo, now(), reason)
            put_on_record(warehouse.lake, event, write_json)
    except Busy as busy:
        raise in_use(busy, lang) from None
    say(text("withdraw.back" if undo else "withdraw.done", lang, file=clean(file.name), id=file.file_id))
    report = run_pipeline(folder, rulesets, lang, only={})
    tell_changes(report.changes, _SHOWN, lang)
    for name, why in report.failures.items():
        complain(text("cli.report.failed", lang, name=clean(name), why=clean(why)))
    return 0 if report.ok else FAILED


def _the_one(warehouse: Warehouse, wanted: str, lang: Lang) -> Received:
    """The file that is meant. :raises CallFailed: none, or several: their names and file_ids are told."""
    found = matching(warehouse, wanted, lang)
    if len(found) > 1:
        candidates = "\n".join(f"  {clean(file.name)}  {file.file_id}" for file in found)
        raise CallFailed(text("withdraw.several", lang, file=clean(wanted), count=len(found)) + "\n" + candidates)
    return found[0]
