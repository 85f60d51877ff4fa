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
        cast(list_sum(d.hand) as integer) as unplayed,
        list_filter(range(o.players), lambda seat: d.cards[seat + 1] is distinct from 0) as holders,
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
        case
            when len(downstream_players) = 0 then 0
            else cast(list_sum(list_transform(downstream_players, lambda seat: captured[seat + 1])) as integer)
        end as handed_over,
        -- D1: in the four-player game the last player's hand goes to the third player out.
        variant = 'four' and players_out = 3 as hand_goes_to_third
    from downstream
),
transfers as (
    select
        *,
        case
            when len(downstream_players) = 0 and not hand_goes_to_third then captured
            else list_transform(
                captured,
                lambda taken, place:
                    case when list_contains(downstream_players, place - 1) then 0 else taken end
                    + case when place - 1 = upstream then handed_over else 0 end
                    + case when hand_goes_to_third and place - 1 = finish[3] then unplayed else 0 end
            )
        end as points_after
    from handed_over
),
-- D0: a side has its players' points, and what D2 or D3 gives to the side as a whole.
shares as (
    select
        *,
        cast(list_sum(points_after) as integer) as all_points,
        cast(
            coalesce(list_sum(list_filter(points_after, lambda points, place: side[place] = 1)), 0) as integer
        ) as points_of_side1,
        case
            -- D2: unplayed points of a double out go to the upstream side.
            when variant = 'four' then case when players_out = 2 and upstream_side = 1 then unplayed else 0 end
            -- D3: unplayed points of a player go to the other side.
            else cast(
                coalesce(list_sum(list_filter(hand, lambda points, place: side[place] = 0)), 0) as integer
            )
        end as given_to_side1,
        case
            when variant = 'four' then case when players_out = 2 then unplayed else 0 end
            else unplayed
        end as given_to_sides
    from transfers
),
sides as (
    select
        *,
        [
            all_points - points_of_side1 + given_to_sides - given_to_side1, points_of_side1 + given_to_side1
        ] as side_points_after
    from shares
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
