"""What Dagster sees: the assets, their names and files, the jobs, and the UI's way of running them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from pipelines.definitions import BY_FILE as ASSETS_BY_FILE
from pipelines.definitions import INTAKE, defs
from pipelines.defs.partitions import FILES
from pipelines.run import dagster_home, run
from pipelines.tables import BY_FILE, BY_STATE, CHAINED
from pipelines.warehouse import Warehouse
from tests.pipelines.homes import ask, hand_in, hashes, lines_of, snapshot

ROOT = Path(__file__).parents[2]
STAGES = ROOT / "pipelines" / "defs"
#: Statements that are part of a table's making, and no table.
PARTS = {
    "verdict", "rival", "contested", "verdicts", "entry", "opening", "movement", "counting_match", "ruleset",
    "contradiction", "changed", "calendar", "core_member__today", "legal_deal", "rated",
}  # fmt: skip


def keys() -> set[str]:
    return {key.to_user_string() for key in defs.resolve_asset_graph().get_all_asset_keys()}


def test_key_table_and_file_have_one_name() -> None:
    assert keys() == {"raw_file", *BY_FILE, *BY_STATE, "published"}
    statements = {path.stem for path in STAGES.rglob("*.sql")}
    assert statements - PARTS <= keys()
    assert statements >= PARTS
    # What a fold leaves is written as it comes.
    assert statements >= {*BY_STATE} - {*CHAINED}


def test_every_statement_is_one_select_without_ddl() -> None:
    for path in STAGES.rglob("*.sql"):
        code = "\n".join(line.partition("--")[0] for line in path.read_text(encoding="utf-8").splitlines())
        assert code.split()[0] in ("select", "with"), path
        assert ";" not in code, path
        assert path.read_text(encoding="utf-8").startswith("-- "), path


def test_definitions_load_without_a_home_and_read_none_at_import() -> None:
    environ = {name: value for name, value in os.environ.items() if name != "YUANZI_HOME"}
    code = "import dagster, pipelines.definitions as d; dagster.Definitions.validate_loadable(d.defs)"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, env=environ, check=True)


def test_blocking_checks_block_and_the_others_warn() -> None:
    graph = defs.resolve_asset_graph()
    assert {key.name: graph.get_check_spec(key).blocking for key in graph.asset_check_keys} == {
        "card_points_are_conserved": True,
        "scores_sum_to_zero": True,
        "scores_sum_to_zero_unless_capped": True,
        "parts_sum_to_the_score": True,
        "movements_of_a_match_sum_to_zero": True,
        "every_record_has_one_verdict": True,
        "counts_add_up": True,
        "few_violations": False,
        "claims_agree": False,
        "standing_is_opening_plus_movements": True,
        "days_come_to_the_standings": True,
        "events_go_the_way_of_their_levels": True,
        "sums_reconcile": True,
        "tables_do_not_shrink": False,
        "rating_changes_add_up": True,
        "rated_matches_change_both_sides": True,
        "players_sum_to_their_total": True,
        "matches_sum_to_their_total": True,
        "values_are_counted_once": True,
        "kinds_bring_home_what_was_captured": True,
    }


@pytest.mark.slow
def test_the_jobs_of_the_ui_do_what_a_run_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(tmp_path, "a.jsonl", lines_of("logs", 0, 5))
    hand_in(tmp_path, "b.jsonl", lines_of("claims", 0, 5))
    monkeypatch.setenv("YUANZI_HOME", str(tmp_path))
    with dg.DagsterInstance.from_config(str(dagster_home(tmp_path))) as instance:
        assert defs.resolve_job_def("receive").execute_in_process(instance=instance).success
        files = instance.get_dynamic_partitions(str(FILES.name))
        assert files == [file.file_id for file in Warehouse(tmp_path).all_received()]
        # One file at a time, as a click on a partition does.
        for file in files:
            judged = defs.resolve_job_def("judge").execute_in_process(instance=instance, partition_key=file)
            assert judged.success
            assert {event.partition for event in judged.asset_materializations_for_node("judged")} == {file}
        published = defs.resolve_job_def("publish").execute_in_process(instance=instance)
        assert published.success
        evaluations = {check.check_name: check.passed for check in published.get_asset_check_evaluations()}
        assert evaluations["every_record_has_one_verdict"]
        runs = instance.get_runs_count()
        by_hand = hashes(tmp_path)
    before = snapshot(tmp_path)
    report = run(tmp_path)
    assert (report.ok, report.snapshot) == (True, before)
    assert hashes(tmp_path) == by_hand
    # A home that the UI has been opened on keeps a record of runs.
    with dg.DagsterInstance.from_config(str(dagster_home(tmp_path))) as instance:
        assert instance.get_runs_count() == runs + 1
    assert ask(tmp_path, "select count(*) from out_audit__files") == [(2,)]


def test_a_backfill_of_good_and_bad_files_records_the_good_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        hand_in(tmp_path, name, [*lines_of("logs", 0, 1), name.encode()])
    warehouse = Warehouse(tmp_path)
    with dg.DagsterInstance.ephemeral() as instance:
        resources = {"warehouse": warehouse}
        dg.materialize(INTAKE, instance=instance, resources=resources)
        files = instance.get_dynamic_partitions(str(FILES.name))
        bad = next(file for file in warehouse.all_received() if file.name == "b.jsonl")
        warehouse.content_of(bad).unlink()
        result = dg.materialize(
            [*INTAKE, *ASSETS_BY_FILE], selection=ASSETS_BY_FILE, instance=instance,
            resources=resources, raise_on_error=False,
            tags={"dagster/asset_partition_range_start": files[0], "dagster/asset_partition_range_end": files[-1]},
        )  # fmt: skip
        assert not result.success
        done = instance.get_materialized_partitions(dg.AssetKey("raw_record"))
    assert done == {file for file in files if file != bad.file_id}
    assert list(warehouse.failures) == ["b.jsonl"]
