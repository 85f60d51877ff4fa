"""An empty score sheet to be filled in, as XLSX: headings with notes, drop-downs, and a second sheet that explains each
column and works an example.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from yuanzi_core.calculator import Entry, calculate, columns_of
from yuanzi_core.cards import SEATS, Variant
from yuanzi_core.deals import ENDS
from yuanzi_core.explanation import cited
from yuanzi_core.ruleset import USUAL, RuleSet, RulesetError, Rulesets
from yuanzi_core.sheet_columns import Column, heading_of
from yuanzi_core.sheet_writer import in_words, width_of, write_cell
from yuanzi_core.texts import Lang, has, text
from yuanzi_core.whole_file import whole_file
from yuanzi_core.words import listed, seat_named, seat_word

#: Rows below the headings that have drop-downs.
_PREPARED = 2000
_OUTCOMES: dict[Variant, tuple[str, ...]] = {
    "four": ("double", "normal", "escape", "unfinished"),
    "five": ("normal", "low", "zero", "escape"),
}
#: Excel takes so many signs for the choices of a drop-down, and for its message.
_LONGEST_CHOICES, _LONGEST_MESSAGE, _LONGEST_TITLE = 255, 255, 32
#: The example: a match of two halves, and one of the other game.
_EXAMPLES: dict[Variant, tuple[dict[str, str], list[dict[str, str]]]] = {
    "four": (
        {
            "match_id": "hz-2026-0301-t4-07", "played_at": "2026-03-01 20:15", "club": "西湖", "table": "4",
            "ruleset": "four-classic", **{f"player{seat}": f"p{17 + seat}" for seat in range(4)},
        },
        [
            {"finish": "2 1 0", "captured": "95 70 65 40", "hand": "0 0 0 30", "tricks": "31", "atoms": "2"},
            {"finish": "1 3", "captured": "80 100 30 60", "hand": "10 0 20 0", "tricks": "28", "atoms": "1",
             "claimed": "1 -1 1 -1", "claimed_outcome": "normal"},
        ],
    ),
    "five": (
        {
            "match_id": "hz-2026-0301-t5-02", "played_at": "2026-03-01 20:15", "club": "西湖", "table": "5",
            "ruleset": "five-atomic", "base": "2", "balance": "40 36 25 120 8",
            **{f"player{seat}": f"p{17 + seat}" for seat in range(5)},
        },
        [
            {"finish": "2 0", "captured": "150 60 90 80 40", "hand": "0 30 0 20 30", "tricks": "36", "atoms": "2",
             "dealer": "0", "partners": "2", "claimed": "12 -8 12 -8 -8", "claimed_outcome": "normal"},
        ],
    ),
}  # fmt: skip


def example(variant: Variant) -> Entry:
    """The example of a game: in its texts a value a seat stands for the columns of the seats."""

    def spread(cells: dict[str, str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, value in cells.items():
            if name in ("captured", "hand", "balance", "claimed"):
                found |= {f"{name}{seat}": part for seat, part in enumerate(value.split())}
            else:
                found[name] = value
        return found

    of_match, deals = _EXAMPLES[variant]
    return Entry(variant, spread(of_match), [spread(deal) for deal in deals])


def choices(column: Column, variant: Variant, rulesets: Rulesets, lang: Lang) -> list[str]:
    """What a drop-down of a column offers; nothing for a column that has none."""
    if column.kind == "half":
        return [text(f"template.half.{half}", lang) for half in (1, 2)] if variant == "four" else []
    if column.kind == "variant":
        return [text(f"template.variant.{variant}", lang)]
    if column.kind == "end":
        ends = [end for end in ENDS if variant == "five" or end != "points"]
        return [text(f"template.end.{end}", lang) for end in ends]
    if column.kind == "outcome":
        return [text(f"template.outcome.{outcome}", lang) for outcome in _OUTCOMES[variant]]
    if column.kind == "seat":
        return [str(seat) for seat in range(SEATS[variant])]
    if column.name == "ruleset":
        return _rulesets(variant, rulesets)
    return []


def _rulesets(variant: Variant, rulesets: Rulesets) -> list[str]:
    names: list[str] = []
    for name in rulesets.names():
        try:
            if rulesets[name].variant == variant:
                names.append(name)
        except RulesetError:
            # Whoever uses it will be told; a template is none the worse.
            continue
    while len(",".join(names)) > _LONGEST_CHOICES:
        names.pop()
    return names


def note(column: Column, ruleset: RuleSet, lang: Lang) -> str:
    """What goes into a column, in words."""
    name, seat = column.name.rstrip("01234"), column.name[-1]
    variant = ruleset.variant
    # Seats of the five-player game have numbers for names.
    key = f"template.seat.{variant}"
    seats = [text(key, lang, number=number, seat=seat_word(variant, number, lang)) for number in range(ruleset.players)]
    named = seat_named(variant, int(seat), lang) if seat.isdigit() else ""
    case = f"template.column.{name}_{variant}"
    fields = {"seat": named, "total": ruleset.total_points, "seats": listed(seats, lang)}
    return text(case if has(case, lang) else f"template.column.{name}", lang, **fields)


def write_template(path: Path, variant: Variant, rulesets: Rulesets, lang: Lang) -> None:
    """Write the template of a game. What was there under that name is replaced when it is complete.

    :raises OSError: it cannot be written.
    """
    import xlsxwriter

    with whole_file(path) as file:
        book = xlsxwriter.Workbook(file)
        _entry(book, variant, rulesets, lang)
        _help(book, variant, rulesets, lang)
        book.close()


def _entry(book: Any, variant: Variant, rulesets: Rulesets, lang: Lang) -> None:
    sheet = book.add_worksheet(text("template.sheet.entry", lang))
    heading = book.add_format({"bold": True, "bg_color": "#E8EEF7", "border": 1, "text_wrap": True, "valign": "top"})
    # As text, so that 007 stays 007 and seats do not become a date.
    plain = book.add_format({"num_format": "@"})
    usual = rulesets[USUAL[variant]]
    for place, column in enumerate(columns_of(variant)):
        shown = heading_of(column, lang)
        numeric = column.kind in ("number", "whole")
        sheet.set_column(place, place, max(width_of(column), 2 * len(shown) if lang == "zh" else len(shown) + 2),
                         None if numeric else plain)  # fmt: skip
        sheet.write_string(0, place, shown, heading)
        said = note(column, usual, lang)
        sheet.write_comment(0, place, said, {"author": "", "x_scale": 2.2, "y_scale": 1.5, "font_size": 10})
        offered = choices(column, variant, rulesets, lang)
        if offered:
            sheet.data_validation(1, place, _PREPARED, place, {
                "validate": "list", "source": offered, "error_type": "warning",
                "error_title": text("template.drop.title", lang)[:_LONGEST_TITLE],
                "error_message": text("template.drop.message", lang, column=shown)[:_LONGEST_MESSAGE],
            })  # fmt: skip
    sheet.freeze_panes(1, 1)


def _help(book: Any, variant: Variant, rulesets: Rulesets, lang: Lang) -> None:
    sheet = book.add_worksheet(text("template.sheet.help", lang))
    title = book.add_format({"bold": True, "font_size": 14})
    bold = book.add_format({"bold": True, "bottom": 1, "valign": "top"})
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    plain = book.add_format({"valign": "top", "align": "left"})
    shown = example(variant)
    rows = shown.rows()
    sheet.set_column(0, 0, 16)
    sheet.set_column(1, 1, 84)
    sheet.set_column(2, 1 + len(rows), 26)
    game = text(f"terms.game.{variant}", lang)
    sheet.write_string(0, 0, text("template.page.title", lang, game=game), title)
    sheet.merge_range(1, 0, 1, 1, text("template.page.intro", lang), wrapped)
    sheet.set_row(1, 64)
    headings = [text("template.page.column", lang), text("template.page.meaning", lang)]
    headings += [text("template.page.example", lang, row=row + 2) for row in range(len(rows))]
    for place, heading in enumerate(headings):
        sheet.write_string(3, place, heading, bold)
    usual = rulesets[USUAL[variant]]
    line = 4
    for column in columns_of(variant):
        sheet.write_string(line, 0, heading_of(column, lang), plain)
        offered = choices(column, variant, rulesets, lang)
        said = note(column, usual, lang)
        if len(offered) > 1:
            said = text("template.page.one_of", lang, note=said, choices=listed(offered, lang))
        sheet.write_string(line, 1, said, wrapped)
        for place, row in enumerate(rows):
            cell = in_words(column, row.get(column.name), lang)
            if cell is not None:
                write_cell(sheet, line, 2 + place, cell, plain)
        line += 1
    _worked(sheet, line + 1, shown, rulesets, lang, bold, wrapped)
    sheet.freeze_panes(4, 1)


def _worked(sheet: Any, line: int, shown: Entry, rulesets: Rulesets, lang: Lang, bold: Any, wrapped: Any) -> None:
    """The settlement of the example, clause by clause, from the line on."""
    sheet.write_string(line, 0, text("template.page.result", lang), bold)
    sheet.write_blank(line, 1, None, bold)
    for section in calculate(shown, rulesets, lang).sections:
        line += 1
        sheet.write_string(line, 0, section.heading)
        for said in section.lines:
            sheet.write_string(line, 1, cited(said, lang), wrapped)
            line += 1
