"""``yuanzi levels``, ``rules`` and ``schema``: what can be looked up without any match."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from importlib.resources import files

from pipelines.commands.inputs import ruleset_error, ruleset_of, rulesets_of
from pipelines.commands.terminal import CallFailed, clean, columns, padded, painted, say, width_of_page, wrapped
from yuanzi_core import levels as g
from yuanzi_core.ruleset import PRESETS, RuleSet, RulesetError, Rulesets, Value, options
from yuanzi_core.texts import Lang, has, text

_INDENT = 4
#: Whole numbers longer than this are no standings (LOG_FORMAT: balances are below 10¹²).
_LONGEST_NUMBER = 40


def levels(standing: str | None, level: int | None, lang: Lang) -> None:
    """The level of a standing, the bounds of a level, or the whole table (G1, G2)."""
    if standing is not None and level is not None:
        raise CallFailed(text("cli.levels.one_of_both", lang))
    if standing is not None:
        say(_level_of(_number(standing, lang), lang))
    elif level is not None:
        if not 0 <= level < g.LEVELS:
            raise CallFailed(text("cli.levels.no_level", lang, last=g.LEVELS - 1))
        say(text("cli.levels.level", lang, level=level, name=g.name(level, lang), bounds=_bounds(level, lang)))
    else:
        heading = [text(f"cli.levels.{name}", lang) for name in ("number", "name", "points")]
        rows = [[str(number), g.name(number, lang), _bounds(number, lang)] for number in range(g.LEVELS)]
        first, *rest = columns([heading, *rows])
        say(painted(first, "bold"), *rest)


def _number(written: str, lang: Lang) -> Decimal:
    try:
        number = Decimal(written.replace("−", "-"))
        if number.is_finite() and abs(number.adjusted()) < _LONGEST_NUMBER:
            return number
    except InvalidOperation:
        pass
    raise CallFailed(text("cli.levels.no_number", lang, found=clean(written)))


def _level_of(standing: Decimal, lang: Lang) -> str:
    level, missing = g.level_of(standing), g.points_to_next(standing)
    fields = {"standing": f"{standing:f}", "level": level, "name": g.name(level, lang), "bounds": _bounds(level, lang)}
    if missing is None:
        return text("cli.levels.highest", lang, **fields)
    following = {"next": level + 1, "next_name": g.name(level + 1, lang), "missing": f"{missing:f}"}
    return text("cli.levels.standing", lang, **fields, **following)


def _bounds(level: int, lang: Lang) -> str:
    least = g.floor(level)
    above = g.floor(level + 1) if level < g.LEVELS - 1 else None
    if least is None:
        return text("cli.levels.below", lang, above=above)
    if above is None:
        return text("cli.levels.from", lang, least=f"{least:,}")
    return text("cli.levels.between", lang, least=f"{least:,}", most=f"{above - 1:,}")


def rules(name: str | None, changes: Sequence[str], clause: str | None, folder: str | None, lang: Lang) -> None:
    """A clause of the rulebook, a ruleset with its options, or the list of rulesets."""
    if clause is not None:
        say(*rulebook_clause(clause, lang))
        return
    rulesets = rulesets_of(folder, lang)
    if name is None:
        if changes:
            raise CallFailed(text("cli.rules.set_what", lang))
        _list(rulesets, lang)
    else:
        _one(ruleset_of(name, changes, rulesets, lang), rulesets, lang)


def _list(rulesets: Rulesets, lang: Lang) -> None:
    rows = []
    for name in rulesets.names():
        try:
            found = rulesets[name]
            rows.append([clean(name), text(f"terms.game.{found.variant}", lang), found.hash, clean(found.names[lang])])
        except RulesetError as error:
            rows.append([clean(name), "-", "-", ruleset_error(error, lang)])
    first, *rest = columns([[text(f"cli.rules.{name}", lang) for name in ("ruleset", "game", "hash", "name")], *rows])
    say(painted(first, "bold"), *rest, "", text("cli.rules.more", lang))


def _one(ruleset: RuleSet, rulesets: Rulesets, lang: Lang) -> None:
    preset = ruleset
    while preset.name not in PRESETS and preset.extends is not None:
        preset = rulesets[preset.extends]
    defaults = rulesets[preset.name].options
    extends = text("cli.rules.extends", lang, ruleset=clean(ruleset.extends)) if ruleset.extends else ""
    say(f"{painted(clean(ruleset.name), 'bold')}  {clean(ruleset.names[lang])}  {extends}".rstrip())
    say(text("cli.rules.of_game", lang, game=text(f"terms.game.{ruleset.variant}", lang), hash=ruleset.hash))
    width = max(map(len, ruleset.options))
    for option, known in options().items():
        if option not in ruleset.options:
            continue
        value = ruleset.options[option]
        line = f"{painted(padded(option, width), 'cyan')} = {painted(_shown(value), 'bold')}"
        if value != defaults[option]:
            line += f"  {painted(text('cli.rules.default', lang, value=_shown(defaults[option])), 'yellow')}"
        meaning = text(f"terms.options.{option}.help", lang)
        key = f"terms.options.{option}.values.{_shown(value)}"
        if has(key, lang):
            meaning = text("cli.rules.means", lang, help=meaning, value=_shown(value), meaning=text(key, lang))
        allowed = text("cli.rules.allowed", lang, values=known.allowed(ruleset.variant))
        say("", line)
        parts = [part for shown in (meaning, allowed) for part in wrapped(shown, width_of_page() - _INDENT)]
        say(*[" " * _INDENT + part for part in parts])


def _shown(value: Value) -> str:
    return json.dumps(value) if isinstance(value, bool) else f"{value:f}" if isinstance(value, Decimal) else str(value)


def rulebook_clause(wanted: str, lang: Lang) -> list[str]:
    """A clause of the rulebook as lines of text, or all clauses of a section (``A``).

    :raises CallFailed: there is no such clause.
    """
    book = (files("yuanzi_core") / f"rulebook.{lang}.md").read_text(encoding="utf-8").splitlines()
    level = r"## " if len(wanted) == 1 else r"### "
    heading = re.compile(rf"{level}{re.escape(wanted.upper())}\b")
    start = next((at for at, line in enumerate(book) if heading.match(line)), None)
    if start is None:
        clauses = [line.split()[1] for line in book if re.match(r"### [A-Z]\d", line)]
        raise CallFailed(text("cli.rules.no_clause", lang, found=clean(wanted), clauses=" ".join(clauses)))
    deeper = "## " if level == "## " else "#"
    after = next((at for at in range(start + 1, len(book)) if book[at].startswith(deeper)
                  and not (level == "## " and book[at].startswith("###"))), len(book))  # fmt: skip
    lines = book[start:after]
    while lines and not lines[-1].strip():
        lines.pop()
    return [painted(line.lstrip("# "), "bold") if line.startswith("#") else line for line in lines]


def schema() -> None:
    """The JSON Schema of a line of a log."""
    from yuanzi_core.log import json_schema

    say(json.dumps(json_schema(), indent=2, ensure_ascii=False))
