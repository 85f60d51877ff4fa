"""Logs with faults: one violation a match, records that cannot be read, claims that do not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from tests.samples import faults
from tests.samples.dealt import Deal, five, four, left_after, plays_of
from tests.samples.evening import HUZHOU, JIAXING, Evening, Match, Standings, encode, exact


def violations() -> Iterator[Match]:
    """An evening at Huzhou at two tables, kept badly: each violation at least once."""
    table = Evening(HUZHOU, "2026-03-13", "four-classic", table=1, begins="17:30")

    def of_four(deals: list[Deal], **fields: Any) -> Match:
        return table.match(deals, claims="none", **fields)

    def upper(number: int) -> Deal:
        return four(number, halves=1)[0]

    yield of_four([faults.misread_card(upper(6), seat=1)])
    yield of_four([upper(24) | {"knife": "9"}])
    first, second = four(47)
    yield of_four([first, second | {"knife": "K"}])  # a K was drawn in the lower half
    yield of_four([upper(19) | {"first_draw": 1}])
    yield of_four([faults.moved_card(upper(20), giver=1, taker=3)])
    yield of_four([upper(25) | {"leader": faults.without_the_drawn_card(upper(25))}])
    yield of_four([faults.played_on(upper(27))])
    yield of_four([upper(31), four(33)[1]])  # a lower half after a double clamp
    yield of_four([faults.lost_pass(upper(36), 20)])
    first, second = four(14)
    yield of_four([first, faults.passed_lead(second, 30)])
    yield of_four([faults.wrong_suit(upper(40), 24)])
    yield of_four([faults.two_ranks(upper(43), 12)])
    yield of_four([faults.knife_with_joker(upper(44), 0)])
    yield of_four([faults.equal_single(upper(11), 16)])
    yield of_four([faults.bomb_on_knife(upper(13), 0)])
    yield of_four([faults.stopped_early(upper(5), 60)])

    table_of_five = Evening(HUZHOU, "2026-03-13", "five-classic", table=2, begins="17:30")

    def of_five(deal: Deal, **fields: Any) -> Match:
        return table_of_five.match([deal], claims="none", **fields)

    yield of_five(faults.lost_card(five(2)[0], seat=3))
    yield of_five(five(3)[0] | {"drawn": "XB"})
    yield of_five(five(847)[0] | {"called": faults.card_of_the_dealer(five(847)[0])})
    (deal,) = five(273)
    yield of_five(deal | {"leader": (deal["dealer"] + 1) % 5})
    yield of_five(faults.pair_on_single(five(362)[0], 10))
    (deal,) = five(7)
    leads = [play.place for play in plays_of(deal) if not play.on_table]
    yield of_five(faults.stopped_early(deal, leads[4]))  # said to stop with enough points, after four tricks
    yield of_five(faults.stopped_early(five(640)[0], -1))  # … and with a trick open
    yield of_five(five(4)[0] | {"end": "points"})
    yield of_five(five(696)[0], rules={"early_stop": "never"})


def rejects() -> Iterator[bytes]:
    """Lines handed in by Huzhou, most of them not records: each reject at least once."""
    table = Evening(HUZHOU, "2026-03-14", "four-classic", begins="14:00")
    numbers = iter(range(40, 64))

    def made(**fields: Any) -> Match:
        return table.match([left_after(four(next(numbers))[0], 1, seat=3)], claims="none", **fields)

    def with_deal(**fields: Any) -> bytes:
        match = made()
        deal = match["deals"][0] | fields
        kept = {name: value for name, value in deal.items() if value is not None}
        return encode(match | {"deals": [kept]})

    good = encode(made())
    yield good
    yield "# 3月14日下午 1号桌 记录人：费玉珍".encode()
    yield encode(made())[:420]
    yield encode(made()).decode().encode("gb18030")
    yield b"[" + encode(made()) + b"]"
    yield b'{"format":"yuanzi-log/1","match_id":"hz-20260314-t1-05","deals":' + b"[" * 2500
    yield b""
    yield encode({name: value for name, value in made().items() if name != "format"})
    yield encode(made() | {"format": "yuanzi-log/2"})
    yield with_deal(leader=None)
    yield encode(made()).replace(b'"table":', b'"revision":2.0,"table":')
    match = made()
    yield encode(match | {"players": match["players"][:3]})
    yield encode(made() | {"played_at": "2026-03-14 17:00"})
    yield with_deal(leader=4)
    match = made()
    match["players"][2]["balance"] = "128分"
    yield encode(match)
    yield encode(made() | {"ruleset": "huzhou-house"})
    yield encode(made(rules={"early_stop": "must"}))
    yield encode(made(rules={"knife_bomb": "by_count"}))
    yield encode(made() | {"ruleset": "five-classic"})
    match = made()
    hands = list(match["deals"][0]["hands"])
    hands[2] = f"{hands[2][:20]}1s{hands[2][22:]}"
    yield encode(match | {"deals": [match["deals"][0] | {"hands": hands}]})
    match = made()
    plays = re.sub(r"^\d", "4", match["deals"][0]["plays"])
    yield encode(match | {"deals": [match["deals"][0] | {"plays": plays}]})
    match = made()
    hands = [hand.replace("c", "♣") if seat == 1 else hand for seat, hand in enumerate(match["deals"][0]["hands"])]
    hands[1] = f"黑桃{hands[1][0]}{hands[1][2:]}"
    yield encode(match | {"deals": [match["deals"][0] | {"hands": hands}]})
    twice = made()
    yield encode(twice)
    yield encode(twice | {"deals": [twice["deals"][0] | {"escaped": 1}]})
    yield good.replace(b",", b", ")


def claims(standings: Standings) -> Iterator[Match]:
    """An evening at Jiaxing at two tables, whose scorer makes each mistake at least once."""
    table = Evening(JIAXING, "2026-03-20", "four-classic", table=1)

    def write(match: Match, deal: int | None = None, **values: Any) -> Match:
        """The match with other claims; of the match, or of a deal."""
        holder = match if deal is None else match["deals"][deal]
        holder["claimed"] = holder.get("claimed", {}) | values
        return match

    yield table.match(four(6))
    # 2 was out first, not 3.
    yield write(table.match(four(5)), 0, finish=[3, 2, 0])
    # 10 points written to the neighbour.
    yield write(table.match(four(20)), 0, captured=[45, 80, 135, 40])
    # D1 forgotten: what the downstream player captured stays.
    yield write(table.match(four(3)), 0, side_points=[125, 175])
    # 35 points are a double clamp.
    yield write(table.match(four(30)), outcome="normal", scores=[-1, 1, -1, 1])
    # 300 to 300: the side that was upstream in the upper half wins, not the one that won the lower half.
    yield write(table.match(four(41)), winner=1, scores=[-1, 1, -1, 1])
    # There is no double clamp in a lower half.
    yield write(table.match(four(28)), outcome="double")
    # A match without its lower half has no result.
    yield write(table.match(four(35, halves=1)), outcome="normal", winner=0, scores=[1, -1, 1, -1])
    match = table.match(four(2))
    write(match, 0, finish=[3, 2, 0], captured=[70, 75, 70, 85], side_points=[70, 230])
    write(match, 1, finish=[1, 3], captured=[0, 110, 30, 70], side_points=[270, 30])
    yield write(match, outcome="double", winner=0, scores=[2, -2, 2, -2])
    match = write(table.match(four(10)), 0, finish="2-3-0", captured=[65, 150, 85])
    yield write(match, outcome=2, winner="南北", scores=["2", "-2", "2", "-2"])

    table = Evening(JIAXING, "2026-03-20", "five-atomic", table=2, standings=standings, begins="22:30")
    # F6: the cap forgotten. Seat 1 came with 2 points.
    yield write(table.match(five(2), claims="scores"), scores=[-3, 4.5, -3, -3, 4.5])
    # F4: a half rounded up.
    yield write(table.match(five(13), claims="scores"), scores=[3, -5, 3, -5, 3])
    # D3: 10 points left in the hands go to the other side.
    yield write(table.match(five(10)), 0, side_points=[290, 200])
    # F7: the old rule's bounds leave room for 12 in place of 16, but not for 8 in place of 10.
    yield write(table.match([left_after(five(27)[0], 34, seat=4)], claims="scores"), scores=[0, 1, 0, 1, -12])
    yield write(table.match([left_after(five(1)[0], 6, seat=3)], claims="scores"), scores=[1, 1, 0, -8, 1])


def notebook() -> list[Match]:
    """Jiaxing's notebook, as it was typed in that night."""
    table = Evening(JIAXING, "2026-03-27", "four-classic")
    return [
        table.match([faults.lost_pass(four(36)[0], 40)], claims="none"),
        table.match(four(40)),
        table.match(four(44), claims="scores"),
        table.match(four(43), claims="scores"),
        table.match(four(24)),
    ]


def corrections() -> Iterator[bytes]:
    """What Jiaxing sent the day after, of the same matches."""
    _, second, third, fourth, fifth = notebook()
    first = Evening(JIAXING, "2026-03-27", "four-classic").match(four(36))
    yield encode(first | {"revision": 2})
    # The same content, its fields the other way round and spread out.
    yield msgspec.json.format(encode(dict(reversed(second.items()))), indent=0)
    yield encode(third | {"claimed": {"scores": [exact(-score) for score in third["claimed"]["scores"]]}})
    yield encode(fourth | {"base": 2, "claimed": {"scores": [2 * score for score in fourth["claimed"]["scores"]]}})
    yield encode(fourth | {"revision": 2})
    yield encode(fifth | {"revision": 2, "played_at": "3月27日"})
