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


def statuses(cursor: Cursor, file_id: str | None) -> list[Row]:
    """``status`` and ``records`` (how many), of one file or of all."""
    return rows(
        cursor,
        """
        select status, count(*) as records
        from out_audit__records
        where ($file is null or file_id = $file)
        group by status
        """,
        {"file": file_id},
    )


def records(cursor: Cursor, file_id: str | None, status: str | None, limit: int, offset: int) -> list[Row]:
    """Records in order of file and line, all columns of ``out_audit__records``."""
    return rows(
        cursor,
        """
        select *
        from out_audit__records
        where ($file is null or file_id = $file) and ($status is null or status = $status)
        order by file_name, file_id, line
        limit $limit offset $offset
        """,
        {"file": file_id, "status": status, "limit": limit, "offset": offset},
    )
