"""A violation in words: the rule, the table when the referee stopped, the hand of the player, and what would have
been legal."""

from __future__ import annotations

from collections.abc import Iterator

from yuanzi_core import deals as d
from yuanzi_core.cards import BIG_JOKER, PASS, RANKS, SMALL_JOKER, code_of, counts_of
from yuanzi_core.combos import why_it_does_not_beat
from yuanzi_core.explain_deal import plays_in_words
from yuanzi_core.explanation import Line, Section, Speaker
from yuanzi_core.messages import table_in_words, violation_text
from yuanzi_core.reasons import Violation
from yuanzi_core.replay import Play, Replay, State, Step
from yuanzi_core.shapes import ATTACK, shapes
from yuanzi_core.texts import text
from yuanzi_core.words import cards_word, hand_word

#: How many legal plays are named.
_NAMED = 5


def verdict_section(say: Speaker, replay: Replay, code: str, deal: int, play: int | None) -> Section:
    """What is wrong, where, and what the rule says."""
    violation = Violation[code]
    half = say.half(deal) if say.variant == "four" else say.text("verdict.the_deal")
    place = (
        say.line("verdict.place_play", half=half, play=play)
        if play is not None
        else say.line("verdict.place_deal", half=half)
    )
    lines = [
        Line(violation_text(replay, code, deal, play, say.lang)),
        place,
        say.line("verdict.rule", rule=text(f"{violation.key}.rule", say.lang)),
        say.line("verdict.consequence", "H1"),
    ]
    return say.section("verdict", lines, name=text(f"{violation.key}.name", say.lang))


def stop_section(say: Speaker, replay: Replay, code: str, deal: int, play: int) -> Section:
    """The table and the hand at the moment of a play that breaks a rule, or behind the last play."""
    violation = Violation[code]
    state = replay.state(deal, play)
    made = replay.play(deal, play)
    lines = [_trick_line(say, replay, deal), say.line("stop.captured", points=say.by_seat(state.captured))]
    if state.finish:
        lines.append(say.line("stop.out", seats=say.seats(state.finish)))
    if state.ended:
        lines.append(say.line("stop.ended"))
    else:
        lines.append(say.line("stop.turn", seat=say.seat(state.turn)))
    if made is not None:
        lines += _play_lines(say, replay, deal, state, made, violation)
    return say.section("stop", lines, deal)


def _trick_line(say: Speaker, replay: Replay, deal: int) -> Line:
    trick: list[Step] = []
    for step in replay.steps(deal):
        trick = [] if step.ends_trick else [*trick, step]
    if not trick:
        return say.line("stop.no_trick")
    plays, _ = plays_in_words(say, trick)
    last = trick[-1].after
    return say.line("stop.trick", number=last.tricks + 1, seat=say.seat(trick[0].play.seat), plays=plays,
                    table=table_in_words(replay, last, say.lang))  # fmt: skip


def _play_lines(say: Speaker, replay: Replay, deal: int, state: State, made: Play, violation: Violation) -> list[Line]:
    hand = state.hand(made.seat)
    shown = text("words.list.pass", say.lang) if made.is_pass else cards_word(made.cards, say.lang)
    lines = [
        say.line(
            "stop.hand", seat=say.person(made.seat), cards=hand_word(hand, state.knife, say.lang), count=len(hand)
        ),
        say.line("stop.play", seat=say.seat(made.seat), cards=shown),
    ]
    ruleset = replay.deals.rulesets[int(replay.deals.head[d.RULES, deal])]
    if violation is Violation.CANNOT_BEAT:
        lines.append(why_it_does_not_beat(ruleset, state.knife, made.code, state.on_table, say.lang))
    if violation in (Violation.CANNOT_BEAT, Violation.NOT_A_COMBO, Violation.NOT_HELD) and state.on_table != PASS:
        legal = [cards for cards in answers_to_try(hand) if replay.verdict(deal, state.plays, made.seat, cards) is None]
        table = shapes(say.variant)
        legal.sort(key=lambda cards: int(table.table[table.shape_of[code_of(cards)], ATTACK]))
        named = say.listed([cards_word(cards, say.lang) for cards in legal[:_NAMED]])
        lines.append(say.line("stop.legal", cards=named) if legal else say.line("stop.nothing_legal"))
    return lines


def answers_to_try(hand: list[int]) -> Iterator[list[int]]:
    """Plays of a hand that are worth asking the referee about: for each rank every size, without jokers as long as
    possible, and whatever the same cards may be beyond that (atoms, H-bombs)."""
    counts = counts_of(hand)
    jokers = _mixed(SMALL_JOKER, counts[SMALL_JOKER:])
    for rank in range(len(RANKS)):
        own = counts[4 * rank : 4 * rank + 4]
        mixed = _mixed(4 * rank, own)
        for size in range(1, len(mixed) + len(jokers) + 1 if mixed else 1):
            yield (mixed + jokers)[:size]
        for suit in range(4):
            for size in range(3, own[suit] + 1):
                yield [4 * rank + suit] * size
        for each in (2, 3):
            if min(own) >= each:
                yield [4 * rank + suit for suit in range(4)] * each
    for size in range(1, len(jokers) + 1):
        yield jokers[:size]
    for joker in (SMALL_JOKER, BIG_JOKER):
        for size in range(3, counts[joker] + 1):
            yield [joker] * size


def _mixed(first: int, counts: list[int]) -> list[int]:
    """Cards of some kinds, one of each in turn, so that no atom comes about by chance."""
    return [first + kind for turn in range(max(counts)) for kind, count in enumerate(counts) if count > turn]
