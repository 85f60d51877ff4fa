-- D0–D3: the card points of each deal after the transfers. One row a deal that the referee judged.
-- Keys: file_id, line, deal. Card points are whole. Seats and sides count from 0, list places from 1.
-- An escape, and a deal with a violation, keep what was captured: points, side_points and downstream are null.
with
deal as (
    select
        d.*,
        o.variant,
        o.players,
        o.downstream as downstream_rule,
        d.finish[1] as upstream,
        d.side[d.finish[1] + 1] as upstream_side,
        len(d.finish) as players_out,
        -- A2, E3, F7: unplayed card points.
        list_sum(d.hand) as unplayed,
        list_filter(range(o.players), lambda seat: d.cards[seat + 1] > 0) as holders,
        d.judged and d.violation is null and d."end" <> 'escape' as finished
    from core_deal as d
    join core_record as r using (file_id, line)
    join ruleset as o using (ruleset)
),
-- D1, D2, D3: downstream is a single remaining player, or by option every player who still holds cards; nobody is
-- when play stopped by C5.
downstream as (
    select
        *,
        case
            when "end" = 'out' and (len(holders) = 1 or downstream_rule = 'all_holders') then holders
            else []
        end as downstream_players
    from deal
),
-- What every downstream player captured goes to the upstream player (D1, D3).
handed_over as (
    select
        *,
        coalesce(list_sum(list_transform(downstream_players, lambda seat: captured[seat + 1])), 0) as handed_over
    from downstream
),
transfers as (
    select
        *,
        list_transform(
            range(players),
            lambda seat:
                case when list_contains(downstream_players, seat) then 0 else captured[seat + 1] end
                + case when seat = upstream then handed_over else 0 end
                -- D1: in the four-player game the last player's hand goes to the third player out.
                + case when variant = 'four' and players_out = 3 and seat = finish[3] then unplayed else 0 end
        ) as points_after
    from handed_over
),
-- D0: a side has its players' points, and what D2 or D3 gives to the side as a whole.
sides as (
    select
        *,
        list_transform(
            [0, 1],
            lambda this:
                list_sum(
                    list_transform(
                        range(players),
                        lambda seat:
                            case
                                when side[seat + 1] = this then points_after[seat + 1]
                                -- D3: unplayed points of a player go to the other side.
                                when variant = 'five' then hand[seat + 1]
                                else 0
                            end
                    )
                )
                -- D2: unplayed points of a double out go to the upstream side.
                + case when variant = 'four' and players_out = 2 and upstream_side = this then unplayed else 0 end
        ) as side_points_after
    from transfers
)
select
    file_id,
    line,
    deal,
    variant,
    "end",
    escaped,
    violation,
    play,
    knife,
    leader,
    side as sides,
    finish,
    upstream,
    upstream_side,
    players_out,
    captured,
    hand,
    unplayed,
    open_points,
    holders,
    tricks,
    atoms,
    revealed,
    case when finished then downstream_players else [] end as downstream_players,
    case when finished and len(downstream_players) = 1 then downstream_players[1] end as downstream,
    case when finished then handed_over end as handed_over,
    case when finished then points_after end as points,
    case when finished then side_points_after end as side_points
from sides
