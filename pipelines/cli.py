"""The ``yuanzi`` command: its subcommands and their options, in the caller's language.

What a subcommand does stands in ``pipelines.commands`` and is loaded when it is called; here nothing is loaded that a
help page does not need.
"""

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import typer

from pipelines.commands.builder import Builder, Format, Language, Variant
from pipelines.commands.inputs import log_files, opening_database, rulesets_of
from pipelines.commands.reading import add_reading
from yuanzi_core.texts import Lang, pick_language

COMMANDS = (
    "demo", "run", "watch", "report", "withdraw", "changes", "registry", "check", "settle", "explain", "combo", "score",
    "sheet", "convert", "standings", "player", "predict", "levels", "rules", "schema", "simulate", "simulate league",
    "dashboard", "dev",
)  # fmt: skip
ReportFormat = Literal["text", "json"]
ScoreFormat = Literal["text", "json"]
Audience = Literal["public", "auditor"]


def main() -> None:
    """Run the command with the process's arguments and leave with its exit status."""
    # Starting makes many objects and no garbage. Commands that work for long switch this on again.
    gc.disable()
    arguments = sys.argv[1:]
    lang = language(arguments, os.environ)
    command = typer.main.get_command(build(lang, arguments[0] if arguments else None))
    status = command.main(arguments, prog_name="yuanzi", standalone_mode=False)
    if gc.isenabled():
        sys.exit(status)
    # A quick command has nothing to clear up that the system would not, and Python would take as long as the work did.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def language(arguments: Sequence[str], environ: Mapping[str, str]) -> Lang:
    """The language of a call: that of ``--lang``, else that of the environment."""
    wanted = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == "--lang":
            wanted = arguments[place + 1] if place + 1 < len(arguments) else None
        elif argument.startswith("--lang="):
            wanted = argument.removeprefix("--lang=")
    return pick_language(wanted, environ)


def build(lang: Lang, first: str | None = None) -> typer.Typer:
    """The command in a language. If the ``first`` argument of the call names a subcommand, the others stay away."""
    made = Builder(lang, first if first in COMMANDS else None)
    _overview(made)
    _warehouse(made)
    _matches(made)
    _score(made)
    _sheets(made)
    add_reading(made)
    _reference(made)
    _simulation(made)
    _pages(made)
    return made.app


def _overview(made: Builder) -> None:
    @made.app.callback(invoke_without_command=True)
    def overview(
        ctx: typer.Context,
        version: Annotated[bool, made.option("version", "--version")] = False,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> None:
        if version:
            from yuanzi_core.engine import engine_version

            print(f"yuanzi {engine_version()}")
            raise typer.Exit
        if ctx.invoked_subcommand is None:
            print(ctx.get_help())


def _warehouse(made: Builder) -> None:
    @made.command("demo")
    def demo(
        home: Annotated[str | None, made.home()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import warehousing

        return warehousing.demo(home, made.lang)

    @made.command("run")
    def run(
        home: Annotated[str | None, made.home()] = None,
        rulesets: Annotated[str | None, made.option("rulesets_of_home", "--rulesets", metavar="DIR")] = None,
        wait: Annotated[float | None, made.option("wait", "--wait", metavar="SECONDS")] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import warehousing

        return warehousing.run(home, rulesets, wait, made.lang)

    @made.command("watch")
    def watch(
        home: Annotated[str | None, made.home()] = None,
        every: Annotated[float, made.option("every", "--every", metavar="SECONDS")] = 10.0,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import watching

        return watching.watch(home, every, made.lang)

    @made.command("report")
    def report(
        file: Annotated[str | None, made.argument("received")] = None,
        home: Annotated[str | None, made.home()] = None,
        form: Annotated[ReportFormat, made.option("report_format", "--format", metavar="text|json")] = "text",
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import file_reports

        return file_reports.report(file, home, form == "json", made.lang)

    @made.command("withdraw")
    def withdraw(
        file: Annotated[str, made.argument("withdrawn")],
        reason: Annotated[str | None, made.option("reason", "--reason", metavar="TEXT")] = None,
        undo: Annotated[bool, made.option("undo", "--undo")] = False,
        home: Annotated[str | None, made.home()] = None,
        rulesets: Annotated[str | None, made.option("rulesets_of_home", "--rulesets", metavar="DIR")] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import withdrawing

        return withdrawing.withdraw(file, reason, undo, home, rulesets, made.lang)

    @made.command("changes")
    def changes(
        home: Annotated[str | None, made.home()] = None,
        form: Annotated[ReportFormat, made.option("report_format", "--format", metavar="text|json")] = "text",
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import changes as changed

        return changed.changes(home, form == "json", made.lang)

    @made.command("registry")
    def registry(
        home: Annotated[str | None, made.home()] = None,
        rulesets: Annotated[str | None, made.option("rulesets_of_home", "--rulesets", metavar="DIR")] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import registry as registries

        return registries.registry(home, rulesets, made.lang)


def _matches(made: Builder) -> None:
    @made.command("check")
    def check(
        paths: Annotated[list[str], made.argument("paths")],
        quiet: Annotated[bool, made.option("quiet", "--quiet", "-q")] = False,
        notes: Annotated[bool, made.option("notes", "--notes")] = False,
        rulesets: Annotated[str | None, made.rulesets()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        files, known = log_files(paths, made.lang), rulesets_of(rulesets, made.lang)
        with opening_database() as opening:
            from pipelines.commands import judging

            return judging.check(files, quiet, notes, known, opening, made.lang)

    @made.command("settle")
    def settle(
        paths: Annotated[list[str], made.argument("paths")],
        form: Annotated[Format | None, made.option("format", "--format", metavar="jsonl|table")] = None,
        rulesets: Annotated[str | None, made.rulesets()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        files, known = log_files(paths, made.lang), rulesets_of(rulesets, made.lang)
        with opening_database() as opening:
            from pipelines.commands import judging

            return judging.settle(files, None if form is None else form == "table", known, opening, made.lang)

    @made.command("explain")
    def explain(
        file: Annotated[str, made.argument("file")],
        match: Annotated[str, made.argument("match")],
        rulesets: Annotated[str | None, made.rulesets()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> None:
        known, _ = rulesets_of(rulesets, made.lang), log_files([file], made.lang)
        from pipelines.commands import explaining

        explaining.explain(file, match, known, made.lang)

    @made.command("combo")
    def combo(
        cards: Annotated[str, made.argument("cards")],
        knife: Annotated[str, made.option("knife", "--knife", metavar="RANK")],
        variant: Annotated[Variant | None, made.option("variant", "--variant", metavar="four|five")] = None,
        over: Annotated[str | None, made.option("over", "--over", metavar="CARDS")] = None,
        ruleset: Annotated[str | None, made.option("ruleset_of_combo", "--ruleset", metavar="NAME")] = None,
        changes: Annotated[list[str] | None, made.changes()] = None,
        rulesets: Annotated[str | None, made.rulesets()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> None:
        known = rulesets_of(rulesets, made.lang)
        from pipelines.commands import explaining

        explaining.combo(cards, knife, variant, over, ruleset, changes or (), known, made.lang)


def _score(made: Builder) -> None:
    @made.command("score")
    def score(
        variant: Annotated[Variant | None, made.option("variant", "--variant", metavar="four|five")] = None,
        ruleset: Annotated[str | None, made.option("ruleset_of_score", "--ruleset", metavar="NAME")] = None,
        changes: Annotated[list[str] | None, made.changes()] = None,
        finish: Annotated[str | None, made.option("finish", "--finish", metavar="SEATS")] = None,
        captured: Annotated[str | None, made.option("captured", "--captured", metavar="POINTS")] = None,
        hand: Annotated[str | None, made.option("hand", "--hand", metavar="POINTS")] = None,
        end: Annotated[str | None, made.option("end", "--end", metavar="out|points|escape")] = None,
        escaped: Annotated[str | None, made.option("escaped", "--escaped", metavar="SEAT")] = None,
        tricks: Annotated[str | None, made.option("tricks", "--tricks", metavar="COUNT")] = None,
        atoms: Annotated[str | None, made.option("atoms", "--atoms", metavar="COUNT")] = None,
        lower_finish: Annotated[str | None, made.option("lower", "--lower-finish", metavar="SEATS")] = None,
        lower_captured: Annotated[str | None, made.option("lower", "--lower-captured", metavar="POINTS")] = None,
        lower_hand: Annotated[str | None, made.option("lower", "--lower-hand", metavar="POINTS")] = None,
        lower_end: Annotated[str | None, made.option("lower", "--lower-end", metavar="out|escape")] = None,
        lower_escaped: Annotated[str | None, made.option("lower", "--lower-escaped", metavar="SEAT")] = None,
        lower_tricks: Annotated[str | None, made.option("lower", "--lower-tricks", metavar="COUNT")] = None,
        lower_atoms: Annotated[str | None, made.option("lower", "--lower-atoms", metavar="COUNT")] = None,
        dealer: Annotated[str | None, made.option("dealer", "--dealer", metavar="SEAT")] = None,
        partners: Annotated[str | None, made.option("partners", "--partners", metavar="SEATS")] = None,
        base: Annotated[str | None, made.option("base", "--base", metavar="NUMBER")] = None,
        balance: Annotated[str | None, made.option("balance", "--balance", metavar="NUMBERS")] = None,
        knife: Annotated[str | None, made.option("knife_of_score", "--knife", metavar="RANK")] = None,
        cells: Annotated[list[str] | None, made.option("cell", "--cell", metavar="COLUMN=VALUE")] = None,
        form: Annotated[ScoreFormat, made.option("score_format", "--format", metavar="text|json")] = "text",
        rulesets: Annotated[str | None, made.rulesets()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        known = rulesets_of(rulesets, made.lang)
        from pipelines.commands import scoring

        names = ("finish", "captured", "hand", "end", "escaped", "tricks", "atoms")
        upper = (finish, captured, hand, end, escaped, tricks, atoms)
        lower = (lower_finish, lower_captured, lower_hand, lower_end, lower_escaped, lower_tricks, lower_atoms)
        of_match = {"variant": variant, "ruleset": ruleset, "base": base, "balance": balance,
                    "dealer": dealer, "partners": partners}  # fmt: skip
        deals = [dict(zip(names, deal, strict=True)) for deal in (upper, lower)]
        return scoring.score(of_match, deals, knife, changes or (), cells or (), form == "json", known, made.lang)


def _sheets(made: Builder) -> None:
    @made.command("sheet")
    def sheet(
        what: Annotated[Literal["template"], made.argument("sheet")],
        variant: Annotated[Variant, made.option("variant_of_sheet", "--variant", metavar="four|five")],
        out: Annotated[str | None, made.option("out_of_sheet", "--out", "-o", metavar="FILE")] = None,
        force: Annotated[bool, made.option("force", "--force")] = False,
        rulesets: Annotated[str | None, made.rulesets()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> None:
        known = rulesets_of(rulesets, made.lang)
        from pipelines.commands import sheets

        sheets.template(variant, out, force, known, made.lang)

    @made.command("convert")
    def convert(
        source: Annotated[str, made.argument("source")],
        out: Annotated[str, made.argument("target")],
        force: Annotated[bool, made.option("force", "--force")] = False,
        rulesets: Annotated[str | None, made.rulesets()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        known = rulesets_of(rulesets, made.lang)
        from pipelines.commands import sheets

        return sheets.convert(source, out, force, known, made.lang)


def _reference(made: Builder) -> None:
    # A standing may be negative: what looks like an option is one only if it is known.
    @made.command("levels", context_settings={"ignore_unknown_options": True})
    def levels(
        standing: Annotated[str | None, made.argument("standing")] = None,
        level: Annotated[int | None, made.option("level", "--level", metavar="LEVEL")] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> None:
        from pipelines.commands import reference

        reference.levels(standing, level, made.lang)

    @made.command("rules")
    def rules(
        ruleset: Annotated[str | None, made.argument("ruleset")] = None,
        changes: Annotated[list[str] | None, made.changes()] = None,
        clause: Annotated[str | None, made.option("clause", "--clause", metavar="A6")] = None,
        rulesets: Annotated[str | None, made.rulesets()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> None:
        from pipelines.commands import reference

        reference.rules(ruleset, changes or (), clause, rulesets, made.lang)

    @made.command("schema")
    def schema(spoken: Annotated[Language | None, made.spoken()] = None) -> None:
        from pipelines.commands import reference

        reference.schema()


def _simulation(made: Builder) -> None:
    @made.command("simulate")
    def simulate(
        ruleset: Annotated[str, made.option("ruleset", "--ruleset", metavar="NAME")],
        matches: Annotated[int, made.option("matches", "--matches", "-n", metavar="COUNT")],
        out: Annotated[str | None, made.option("out", "--out", "-o", metavar="FILE")] = None,
        seed: Annotated[int, made.option("seed", "--seed", metavar="NUMBER")] = 0,
        changes: Annotated[list[str] | None, made.changes()] = None,
        escape_rate: Annotated[float, made.option("escape_rate", "--escape-rate", metavar="SHARE")] = 0.0,
        policy: Annotated[str | None, made.option("policy", "--policy", metavar="NAME[,NAME…]")] = None,
        skill: Annotated[str | None, made.option("skill", "--skill", metavar="SHARE[,SHARE…]")] = None,
        knife: Annotated[str | None, made.option("study_knife", "--knife", metavar="RANK")] = None,
        first: Annotated[int | None, made.option("study_first", "--first", metavar="SEAT")] = None,
        hands: Annotated[str | None, made.option("study_hands", "--hands", metavar="CARDS,CARDS…")] = None,
        faults: Annotated[str | None, made.option("faults", "--faults", metavar="NAME=SHARE,…")] = None,
        shard: Annotated[int | None, made.option("shard", "--shard", metavar="COUNT")] = None,
        kind: Annotated[str | None, made.option("kind", "--kind", metavar="jsonl|parquet|csv|…")] = None,
        inbox: Annotated[bool, made.option("inbox", "--inbox")] = False,
        home: Annotated[str | None, made.option("home_of_inbox", "--home", metavar="DIR")] = None,
        force: Annotated[bool, made.option("force", "--force")] = False,
        rulesets: Annotated[str | None, made.rulesets()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> None:
        from pipelines.commands import simulated_files, simulation

        table = simulation.Table(policy, skill, knife, first, hands)
        target = simulated_files.Target(out, kind, shard, inbox, home, force)
        simulation.simulate(
            ruleset, changes or (), matches, seed, escape_rate, table, target, faults, rulesets, made.lang
        )

    @made.command("simulate league")
    def simulate_league(
        players: Annotated[int, made.option("league_players", "--players", metavar="COUNT")] = 100,
        months: Annotated[int, made.option("league_months", "--months", metavar="COUNT")] = 3,
        out: Annotated[str | None, made.option("league_out", "--out", "-o", metavar="DIR")] = None,
        seed: Annotated[int, made.option("seed", "--seed", metavar="NUMBER")] = 0,
        drift: Annotated[float, made.option("league_drift", "--drift", metavar="SHARE")] = 0.0,
        base: Annotated[str, made.option("league_base", "--base", metavar="NUMBER")] = "10",
        first: Annotated[str | None, made.option("league_from", "--from", metavar="MONTH")] = None,
        escape_rate: Annotated[float | None, made.option("league_escapes", "--escape-rate", metavar="SHARE")] = None,
        faults: Annotated[str | None, made.option("faults", "--faults", metavar="NAME=SHARE,…")] = None,
        shard: Annotated[int | None, made.option("league_shard", "--shard", metavar="COUNT")] = None,
        kind: Annotated[str | None, made.option("league_kind", "--kind", metavar="jsonl|parquet|csv|…")] = None,
        inbox: Annotated[bool, made.option("league_inbox", "--inbox")] = False,
        home: Annotated[str | None, made.option("league_home", "--home", metavar="DIR")] = None,
        force: Annotated[bool, made.option("league_force", "--force")] = False,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> None:
        from pipelines.commands import simulated_files, simulated_league

        chosen = simulated_league.Chosen(players, months, seed, drift, base, first, escape_rate)
        target = simulated_files.Target(out, kind, shard, inbox, home, force)
        simulated_league.simulate(chosen, target, faults, made.lang)


def _pages(made: Builder) -> None:
    @made.command("dashboard")
    def dashboard(
        home: Annotated[str | None, made.home()] = None,
        port: Annotated[int, made.option("port", "--port", metavar="PORT")] = 8501,
        audience: Annotated[Audience, made.option("audience", "--for", metavar="public|auditor")] = "public",
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import pages

        return pages.dashboard(home, port, audience, spoken, made.lang)

    @made.command("dev")
    def dev(
        home: Annotated[str | None, made.home()] = None,
        port: Annotated[int, made.option("port", "--port", metavar="PORT")] = 3000,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import pages

        return pages.dev(home, port, made.lang)


if __name__ == "__main__":
    main()
