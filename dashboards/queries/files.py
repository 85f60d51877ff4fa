"""Files received and the records in them."""

from __future__ import annotations

from dashboards.queries.rows import Cursor, Row, row, rows


def found_files(cursor: Cursor, search: str | None, problems: bool) -> int:
    """How many files a list has. ``search`` is a part of the name; ``problems``: only files with a damage, a violation,
    a reject or a discrepancy.
    """
    found = row(
        cursor,
        """
        select count(*) as found
        from out_audit__files
        where ($search is null or contains(lower(file_name), lower($search)))
            and (not $problems or damage is not null or violation + rejected + discrepancies > 0)
        """,
        {"search": search, "problems": problems},
    )
    assert found is not None
    return int(found["found"])


def files(cursor: Cursor, search: str | None, problems: bool, limit: int, offset: int) -> list[Row]:
    """Those files by name, all columns of ``out_audit__files``."""
    return rows(
        cursor,
        """
        select *
        from out_audit__files
        where ($search is null or contains(lower(file_name), lower($search)))
            and (not $problems or damage is not null or violation + rejected + discrepancies > 0)
        order by file_name, file_id
        limit $limit offset $offset
        """,
        {"search": search, "problems": problems, "limit": limit, "offset": offset},
    )


def file(cursor: Cursor, file_id: str) -> Row | None:
    """One file's row of ``out_audit__files``."""
    return row(cursor, "select * from out_audit__files where file_id = $file_id", {"file_id": file_id})


#: The condition on records: of one file, and a part of the match's id or of the file's name.
_RECORDS = """
    where ($file is null or file_id = $file)
        and ($search is null or contains(lower(match_id), lower($search)) or contains(lower(file_name), lower($search)))
"""


def statuses(cursor: Cursor, file_id: str | None, search: str | None = None) -> list[Row]:
    """``status`` and ``records`` (how many), of one file or of all; with ``search`` those with that part in the match's
    id or in the file's name.
    """
    return rows(
        cursor,
        f"select status, count(*) as records from main.out_audit__records {_RECORDS} group by status",  # noqa: S608
        {"file": file_id, "search": search},
    )


def records(
    cursor: Cursor, file_id: str | None, status: str | None, limit: int, offset: int, search: str | None = None
) -> list[Row]:
    """Those records in order of file and line, all columns of ``out_audit__records``."""
    return rows(
        cursor,
        # Chosen in main first, so that what the public reads of a message is asked for these rows alone.
        f"""
        with page as (
            select file_id, line
            from main.out_audit__records
            {_RECORDS} and ($status is null or status = $status)
            order by file_name, file_id, line
            limit $limit offset $offset
        )
        select r.*
        from out_audit__records as r
        join page using (file_id, line)
        order by file_name, file_id, line
        """,  # noqa: S608
        {"file": file_id, "status": status, "search": search, "limit": limit, "offset": offset},
    )
