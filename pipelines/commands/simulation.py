"""``yuanzi simulate``: matches of simulated players, written as logs or score sheets."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipelines.commands.inputs import ruleset_of, rulesets_of
from pipelines.commands.simulated_files import Files, Target, told
from pipelines.commands.terminal import CallFailed, clean, complain, progress
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from yuanzi_core.cards import Variant
    from yuanzi_core.dealing import Study
    from yuanzi_core.faults.injection import Injection
    from yuanzi_core.faults.kinds import Fault
    from yuanzi_core.log import Match
    from yuanzi_core.policies.players import Players
    from yuanzi_core.ruleset import RuleSet
    from yuanzi_core.selfplay import Block, Played


@dataclass(frozen=True)
class Table:
    """Who plays and what is fixed, as it is written on the command line; None is left as it is."""

    policy: str | None = None
    skill: str | None = None
    knife: str | None = None
    first: int | None = None
    hands: str | None = None

    def players(self, rules: RuleSet, lang: Lang) -> Players:
        """The players.

        :raises CallFailed: a policy or a skill that there is not, or not one or one a seat.
        """
        from yuanzi_core.policies import POLICIES
        from yuanzi_core.policies.players import Players, UnknownPolicy

        policies = ["random"] if self.policy is None else [name.strip() for name in self.policy.split(",")]
        try:
            skills = [1.0] if self.skill is None else [float(skill) for skill in self.skill.split(",")]
            return Players.of(rules.players, policies, skills)
        except UnknownPolicy as error:
            raise CallFailed(
                text("cli.simulate.no_policy", lang, policy=clean(str(error)), policies=" ".join(POLICIES))
            ) from None
        except ValueError:
            raise CallFailed(text("cli.simulate.bad_players", lang, seats=rules.players)) from None

    def study(self, rules: RuleSet, lang: Lang) -> Study:
        """What is not left to chance.

        :raises CallFailed: a rank or seat that there is not, hands or a knife that cannot be dealt.
        """
        from yuanzi_core.dealing import ImpossibleStudy, Study

        hands = None if self.hands is None else [hand.strip() for hand in self.hands.split(",")]
        try:
            return Study.of(rules, self.knife, hands, self.first)
        except ImpossibleStudy as error:
            raise CallFailed(text(f"cli.simulate.impossible.{error.part}", lang, seats=rules.players)) from None
        except ValueError:
            raise CallFailed(text("cli.simulate.bad_study", lang, last=rules.players - 1)) from None


def plan_of(asked: str | None, games: Collection[Variant], sheets: bool, lang: Lang) -> dict[Fault, float] | None:
    """The faults that a call asks for; None where it asks for none. :raises CallFailed: a plan that cannot be."""
    if asked is None:
        return None
    from yuanzi_core.faults.kinds import PlanError, parse_faults

    try:
        return parse_faults(asked, games, sheets)
    except PlanError as error:
        raise CallFailed(clean(error.sentence(lang))) from None


def tell_faults(injection: Injection, truth: str, lang: Lang) -> None:
    """Say how many faults there are, and which could not occur."""
    made = sum(injection.made.values())
    complain(text("cli.simulate.faults", lang, count=f"{made:,}", file=clean(truth)))
    owed = [f"{fault.value} ({count:,})" for fault, count in injection.owed.items() if count > 0]
    if owed:
        complain(text("cli.simulate.owed", lang, faults=", ".join(owed)))


def simulate(
    ruleset: str, changes: Sequence[str], matches: int, seed: int, escape_rate: float, table: Table, target: Target,
    faults: str | None, folder: str | None, lang: Lang,
) -> None:  # fmt: skip
    """Play matches into files and say how many; what is there is replaced only by force.

    :raises CallFailed: an unknown ruleset, option, value, policy, fault or ending, a number out of range, cards that
        cannot be dealt, a file that is there, a full disk.
    :raises OSError: a file cannot be written.
    """
    rules = ruleset_of(ruleset, changes, rulesets_of(folder, lang), lang)
    gc.enable()
    from yuanzi_core.selfplay import Played, play_matches, write_blocks

    files = target.files(f"sim-{rules.name}-{seed}", lang)
    plan = plan_of(faults, (rules.variant,), files.are_sheets, lang)
    players, study = table.players(rules, lang), table.study(rules, lang)
    begun, done = time.monotonic(), Played()
    injection = None
    with progress(text("cli.doing.playing", lang), matches, lang, "matches", quiet=True) as advance:
        try:
            # The standings of a simulation are drawn anew for each match. A home has a ledger, which keeps the players'
            # own and would contradict them.
            blocks = play_matches(
                rules, matches, seed, escape_rate=escape_rate, players=players, study=study, cut=files.shard,
                balances=None if files.home is None else False,
            )  # fmt: skip
        except ValueError:
            raise CallFailed(text("cli.simulate.bad_number", lang)) from None
        with told(files.shown, lang):
            files.make_folder()
            if plan is None and not files.are_sheets:
                write_blocks(blocks, files.path, done, advance)
            else:
                injection = _write_records(blocks, plan, seed, files, done, advance, lang)
            if plan is None:
                # Truths about files that have been replaced (by force) are none any more.
                for truth in files.truths():
                    truth.unlink()
    seconds = time.monotonic() - begun
    counts = {"matches": done.matches, "deals": done.deals, "plays": done.plays}
    fields = {name: f"{count:,}" for name, count in counts.items()}
    rate = f"{done.plays / max(seconds, 0.001):,.0f}"
    complain(text("cli.simulate.done", lang, file=clean(files.shown), seconds=f"{seconds:.1f}", rate=rate, **fields))
    if injection is not None and plan is not None:
        tell_faults(injection, files.shown_truth, lang)


def _write_records(
    blocks: Iterator[Block], plan: dict[Fault, float] | None, seed: int, files: Files, done: Played,
    advance: Callable[[int], None], lang: Lang,
) -> Injection:  # fmt: skip
    """Records one by one, with full claims, and with faults where there is a plan."""
    from yuanzi_core.canonical import fill_in
    from yuanzi_core.faults.injection import Injection
    from yuanzi_core.match_files import MatchFiles

    def played() -> Iterator[Match]:
        for headers, deals in blocks:
            yield from fill_in(headers, deals)
            done.matches += len(headers)
            done.deals += len(deals)
            done.plays += len(deals.plays)
            advance(len(headers))

    injection = Injection(plan or {}, seed, sheets=files.are_sheets)
    with MatchFiles(lang, None if plan is None else files.truth) as out:
        for place, record in enumerate(injection.run(played())):
            out.put(files.path(place), record)
        if not out.files:
            out.begin(files.path(0))
    return injection
