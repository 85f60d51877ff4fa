"""A match's facts, its result by seat, and lists of matches and of the records behind one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from dashboards.components.clubs import club
from dashboards.components.figures import parsed, tone, word
from dashboards.components.frame import View
from dashboards.components.markup import Html, chip, data, joined, link, tag, with_cards
from dashboards.components.places import file_and_line, game, player, player_link, players, seat, side
from dashboards.components.tables import Column, Line, linked_count, status_chip, table
from dashboards.queries.rows import Row
from yuanzi_core.words import number, signed


def _option(view: View, name: str, value: Any) -> Html:
    shown = json.dumps(value) if isinstance(value, bool) else str(value)
    named = word(f"terms.options.{name}.name", view.lang, name)
    said = data(word(f"terms.options.{name}.values.{shown}", view.lang, shown), class_="yz-long")
    return tag("li", data(named), ": ", said)


def _overrides(view: View, match: Row) -> Html | None:
    overrides = parsed(match["rules"])
    if not isinstance(overrides, dict) or not overrides:
        return None
    return tag("ul", *[_option(view, name, value) for name, value in overrides.items() if value is not None])


def facts(view: View, match: Row) -> Html:
    """When, where, by which rules, from which line of which file."""
    known: list[tuple[str, object]] = [
        ("played", match["played"]),
        ("club", club(view, match["club"])),
        ("table", data(match["table"]) if match["table"] else None),
        ("game", game(view, match["variant"])),
        ("ruleset", data(word(f"terms.ruleset.{match['ruleset']}", view.lang, match["ruleset"]))),
        ("base", number(match["base"])),
        ("source", word(f"pages.match.source.{match['source']}", view.lang, str(match["source"]))),
        ("file", file_and_line(view, match["file_id"], match["file_name"], match["line"])),
        ("revision", match["revision"]),
        ("tricks", match["tricks"]),
        ("atoms", match["atoms"]),
        ("overrides", _overrides(view, match)),
    ]
    shown = [
        tag("div", tag("dt", view.say(f"match.fact.{name}")), tag("dd", value), class_=f"yz-fact-{name}")
        for name, value in known
        if value is not None
    ]
    return tag("dl", *shown, class_="yz-facts")


def outcome(view: View, match: Row) -> Html:
    """The result in a line: status, outcome, the winning side and the points of both."""
    parts: list[Html] = [status_chip(view, match["status"])]
    if match["status"] == "settled" and match["outcome"] is not None:
        parts.append(tag("strong", word(f"terms.outcome.{match['outcome']}", view.lang, str(match["outcome"]))))
    if match["winner"] is not None:
        parts.append(tag("span", view.say("match.won_by", side=side(view, match["variant"], match["winner"]))))
    points = match["side_points"]
    if points is not None:
        named = [joined(side(view, match["variant"], place), f" {value}") for place, value in enumerate(points)]
        parts.append(tag("span", view.say("match.card_points"), " ", joined(*named, between=" : ")))
    return tag("p", *parts, class_="yz-line")


def result(view: View, match: Row) -> Html:
    """Seat by seat: player, side, standing before, score, and the score before the cap where it cut something off."""
    scores, uncapped = match["scores"], match["scores_before_cap"]
    standings = match["standings_before"]
    known = standings is not None and any(value is not None for value in standings)
    capped = scores is not None and uncapped is not None and scores != uncapped
    columns = [Column(view.say(f"comparison.{name}")) for name in ("seat", "player", "side")]
    columns += [Column(view.say("match.column.standing"), True)] if known else []
    columns += [Column(view.say("match.column.before_cap"), True)] if capped else []
    columns.append(Column(view.say("match.column.score"), True))

    def shown(values: Sequence[Decimal | None] | None, place: int, signs: bool) -> object:
        value = values[place] if values is not None else None
        return None if value is None else signed(value) if signs else number(value)

    lines = []
    for place, player_id in enumerate(match["player_ids"]):
        name = player(match["player_names"], match["player_ids"], place)
        if name is not None:
            name = link(view.href("player", player=player_id, game=match["variant"]), name)
        named = joined(name, " ", tag("span", data(player_id), class_="yz-muted")) if _named(match, place) else name
        sides = match["sides"]
        cells: list[object] = [seat(view, match["variant"], place), named]
        cells.append(side(view, match["variant"], sides[place]) if sides is not None else None)
        cells += [shown(standings, place, False)] if known else []
        cells += [shown(uncapped, place, True)] if capped else []
        score = shown(scores, place, True)
        cells.append(None if score is None else chip(score, tone(scores[place])))
        lines.append(Line(cells))
    return table(columns, lines)


def _named(match: Row, place: int) -> bool:
    names = match["player_names"]
    return names is not None and bool(names[place]) and names[place] != match["player_ids"][place]


def match_list(view: View, found: Sequence[Row]) -> Html:
    """Matches a row: id, time, club, players with their scores, result, discrepancies."""
    columns = [Column(view.say(f"match.list.{name}")) for name in ("match", "played", "club", "players", "result")]
    columns.append(Column(view.say("match.list.discrepancies"), True))
    lines = []
    for match in found:
        finding = f"reasons.violation.{match['code']}.name"
        if match["status"] == "settled":
            said = word(f"terms.outcome.{match['outcome']}", view.lang, str(match["outcome"]))
        else:
            said = word(finding, view.lang, match["code"] or "")
        lines.append(
            Line(
                [
                    view.match_link(match["match_id"]),
                    tag("span", match["played"], class_="yz-whole"),
                    club(view, match["club"]),
                    _scored(view, match)
                    if match["scores"] is not None
                    else players(match["player_names"], match["player_ids"]),
                    joined(status_chip(view, match["status"]), " ", said),
                    linked_count(match["discrepancies"], view.href("match", match=match["match_id"])),
                ]
            )
        )
    return table(columns, lines)


def _scored(view: View, match: Row) -> Html:
    parts = [
        tag(
            "span",
            player_link(
                view,
                (match["player_names"] or match["player_ids"])[place],
                match["player_ids"][place],
                match["variant"],
            ),
            " ",
            chip(signed(score), tone(score)),
            class_="yz-whole",
        )
        for place, score in enumerate(match["scores"])
    ]
    return joined(*parts, between=" ")


def received(view: View, records: Sequence[Row]) -> Html:
    """Every record that came under a match's id, and what became of it."""
    columns = [Column(view.say(f"records.column.{name}")) for name in ("place", "revision", "status", "finding")]
    lines = [
        Line([
            file_and_line(view, record["file_id"], record["file_name"], record["line"]),
            record["revision"],
            status_chip(view, record["status"]),
            finding(view, record),
        ])
        for record in records
    ]  # fmt: skip
    return table(columns, lines)


def finding(view: View, record: Row) -> Html | None:
    """A record's code and message, None where there is none."""
    if not record["code"]:
        return None
    kind = {"rejected": "reject", "violation": "violation"}.get(record["status"], "reject")
    name = word(f"reasons.{kind}.{record['code']}.name", view.lang, record["code"])
    message = record[f"message_{view.lang}"] or ""
    return joined(tag("strong", name), " ", with_cards(message))
