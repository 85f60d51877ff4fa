"""What the audit must add up to, and what in it is worth a look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

if TYPE_CHECKING:
    import duckdb

#: Violations among the records of a file from which on it is more likely its writer than its players: one in ten.
_MANY_VIOLATIONS = 0.1

_VERDICTS = """
    select
        count(*) filter (r.line is null or a.line is null or a.verdicts <> 1),
        count(*)
    from raw_record as r
    full join (select file_id, line, count(*) as verdicts from out_audit__records group by file_id, line) as a
        using (file_id, line)
"""
_SUMS = """
    select count(*)
    from out_audit__files
    where read <> settled + unfinished + violation + rejected + duplicate + superseded + withdrawn
"""
_VIOLATIONS = """
    select file_name, violation, read from out_audit__files where violation > $share * read order by file_name, file_id
"""
_CLAIMS = "select code, count(*) from out_audit__discrepancies group by code order by code"


def every_record_has_one_verdict(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads raw_record and out_audit__records."""
    wrong, read = con.execute(_VERDICTS).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="every_record_has_one_verdict", passed=wrong == 0, metadata={"records": read, "wrong": wrong}
    )


def counts_add_up(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_audit__files."""
    (wrong,) = con.execute(_SUMS).fetchall()[0]
    return dg.AssetCheckResult(check_name="counts_add_up", passed=wrong == 0, metadata={"wrong": wrong})


def few_violations(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_audit__files; a warning with the share of violations of each file that has many."""
    found = con.execute(_VIOLATIONS, {"share": _MANY_VIOLATIONS}).fetchall()
    return dg.AssetCheckResult(
        check_name="few_violations",
        passed=not found,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={
            f"{number}. {name}": f"{violations} of {read}" for number, (name, violations, read) in enumerate(found, 1)
        },
    )


def claims_agree(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_audit__discrepancies; a warning with the number of claims of each code that disagree."""
    found = con.execute(_CLAIMS).fetchall()
    return dg.AssetCheckResult(
        check_name="claims_agree",
        passed=not found,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={str(code): count for code, count in found},
    )
