"""Options, rulesets and words of the game as tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dashboards.components.figures import word
from dashboards.components.frame import Frame
from dashboards.components.markup import Html, joined, link, tag
from dashboards.components.tables import Column, Line, table
from yuanzi_core.cards import CARDS
from yuanzi_core.ruleset import PRESETS, Option, Rulesets, options

_CITED = re.compile(r"\b([A-H]\d+)\b")


def written(value: object) -> str:
    """A value of an option as files have it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def with_clauses(page: Frame, said: str) -> Html:
    """A sentence of our own whose clauses lead to the rulebook."""
    parts = _CITED.split(said)
    return joined(
        *[link(page.href("rules", clause=part), part) if place % 2 else part for place, part in enumerate(parts)]
    )


def _values(page: Frame, option: Option) -> Html | None:
    """What it can be, and what that means; None for a number, whose bounds its description gives."""
    values = list(dict.fromkeys(written(value) for values in option.values.values() for value in values))
    if not values:
        return None
    lines = [
        tag("li", tag("code", value), " ", word(f"terms.options.{option.name}.values.{value}", page.lang, ""))
        for value in values
    ]
    return tag("ul", *lines)


def options_table(page: Frame, names: Sequence[str]) -> Html:
    """Options: the name in words and in files, what it changes, values, games, defaults of the presets."""
    rulesets = Rulesets()
    columns = [Column(page.say(f"rules.option.{name}")) for name in ("name", "changes", "values", "game", "default")]
    lines = []
    for name in names:
        option = options()[name]
        defaults = {
            preset: written(rulesets[preset].options[name])
            for preset in PRESETS
            if rulesets[preset].variant in option.variants
        }
        same = len(set(defaults.values())) == 1
        said = [tag("code", next(iter(defaults.values())))] if same else []
        said += [] if same else [tag("div", preset, " ", tag("code", value)) for preset, value in defaults.items()]
        named = joined(
            tag("strong", word(f"terms.options.{name}.name", page.lang, name)), tag("div", tag("code", name))
        )
        meaning = with_clauses(page, word(f"terms.options.{name}.help", page.lang, ""))
        played = joined(
            *[tag("div", page.say(f"score.players_{variant}"), class_="yz-whole") for variant in option.variants]
        )
        lines.append(Line([named, meaning, _values(page, option), played, joined(*said)]))
    return table(columns, lines)


def words_table(page: Frame, words: Sequence[tuple[str, str, str]], search: str | None) -> Html:
    """Words of the game in both languages with their meaning, those that have some letters in them."""
    wanted = (search or "").casefold()
    columns = [Column(page.say(f"rules.word.{name}")) for name in ("zh", "en", "meaning")]
    found = [row for row in words if wanted in " ".join(row).casefold()]
    return table(columns, [Line([tag("strong", zh), en, with_clauses(page, said)]) for zh, en, said in found])


def presets_table(page: Frame) -> Html:
    """The rulesets that come with the program, side by side: the game's numbers, as the rulesets have them."""
    rulesets = [Rulesets()[name] for name in PRESETS]
    columns = [Column(page.say("rules.rulesets"))] + [Column(ruleset.names[page.lang]) for ruleset in rulesets]
    lines = [Line([page.say("rules.preset.name"), *[tag("code", ruleset.name) for ruleset in rulesets]])]
    for name, numbers in (
        ("players", [ruleset.players for ruleset in rulesets]),
        ("decks", [ruleset.decks for ruleset in rulesets]),
        ("cards", [ruleset.decks * len(CARDS) for ruleset in rulesets]),
        ("points", [ruleset.total_points for ruleset in rulesets]),
    ):
        lines.append(Line([page.say(f"rules.preset.{name}"), *numbers]))
    return table(columns, lines)
