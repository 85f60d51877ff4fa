-- One row a settled match that counts, with all that it may be told apart by. Key: match_id. Lists by seat.
-- first_seat is the dealer, in the four-player game the player who leads the first deal; the hands are those of that deal.
-- What a record does not say (a score sheet knows no hands) is null.
with
deals as (
    select
        s.*,
        b.draw,
        b.atoms as atoms_held,
        b.hbombs as hbombs_held,
        b.bombs as bombs_held,
        b.knives as knives_held,
        b.jokers as jokers_held,
        b.reveal_tricks[1] as reveal_trick,
        s.variant = 'four' and s."end" = 'out' and s.players_out = 2 as double_out
    from core_settlement__deal as s
    left join core_balance__deal as b using (file_id, line, deal)
),
matches as (
    select
        m.match_id,
        m.file_id,
        m.line,
        m.variant,
        m.ruleset,
        m.source,
        m.registry_club as club,
        m.evening,
        m.base,
        m.outcome,
        m.winner,
        m.sides,
        m.roles,
        m.scores,
        m.side_points,
        case when m.variant = 'five' then m.dealer else u.leader end as first_seat,
        u.knife,
        u.leader,
        u.upstream,
        u.upstream_side,
        u.double_out as upper_double_out,
        coalesce(l.double_out, false) as lower_double_out,
        coalesce(l."end", u."end") as ending,
        case when m.variant = 'five' then len(list_filter(m.sides, lambda side: side = 0)) end as dealer_side,
        case when m.variant = 'five' and u.atoms_held is not null then coalesce(u.reveal_trick, 0) end as reveal_trick,
        len(list_filter(m.scores, lambda score, place: score <> m.scores_before_cap[place])) as capped,
        u.draw,
        u.atoms_held,
        u.hbombs_held,
        u.bombs_held,
        u.knives_held,
        u.jokers_held,
        len(m.sides) as players
    from out_matches as m
    join deals as u on u.file_id = m.file_id and u.line = m.line and u.deal = 0
    left join deals as l on l.file_id = m.file_id and l.line = m.line and l.deal = 1
    where m.status = 'settled'
)
select
    * exclude (leader, upstream, upstream_side, upper_double_out, lower_double_out, players),
    sides[first_seat + 1] as first_side,
    scores[first_seat + 1] as first_score,
    coalesce(winner = sides[first_seat + 1], false) as first_won,
    -- Decimals all the way: as binary fractions 0.3 of a base of 0.1 are less than 3 of it.
    list_transform(
        scores, lambda score: cast(round((score - (score % base + base) % base) / base) as integer)
    ) as scores_in_bases,
    -- E1: (a) a double out comes first; (b) too few points.
    case
        when variant = 'four' then
            case when outcome <> 'double' then 'none' when upper_double_out then 'double_out' else 'points' end
    end as clamp,
    case
        when variant = 'four' then
            case
                when upper_double_out and lower_double_out then 'both'
                when upper_double_out then 'upper'
                when lower_double_out then 'lower'
                else 'none'
            end
    end as double_outs,
    -- E2: the totals of both halves are equal.
    case when variant = 'four' and side_points is not null then outcome = 'normal' and side_points[1] = side_points[2] end
        as tie,
    list_transform(range(players), lambda seat: draw[seat + 1] + 1) as draws,
    list_transform(range(players), lambda seat: (seat - leader + players) % players + 1) as leads,
    list_transform(
        range(players),
        lambda seat:
            case
                when upstream is null then 'nobody'
                when seat = upstream then 'upstream'
                when sides[seat + 1] = upstream_side then 'with_upstream'
                else 'against'
            end
    ) as upstreams,
    case
        when variant = 'five' then
            list_transform(
                range(players),
                lambda seat:
                    case when sides[seat + 1] = 0 then 'dealer_' else 'defenders_' end
                    || len(list_filter(sides, lambda side: side = sides[seat + 1]))
            )
    end as side_sizes
from matches
order by match_id
