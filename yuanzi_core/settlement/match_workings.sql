-- E1–E5 and F1–F5, F7, clause by clause, with every figure on the way. One row a record: core_settlement__match takes
-- the result from here, the explanation the rest.
-- Keys: file_id, line. Scores are points, exact to four decimals; a stake is a multiple of the base.
with
halves as (
    select
        r.file_id,
        r.line,
        r.base,
        r.ruleset,
        o.variant,
        o.halves,
        o.clamp,
        o.clamp_points,
        u.sides,
        -- Seats by side: four players sit two a side, five two or three.
        cast(list_sum(u.sides) as integer) as size1,
        o.players - size1 as size0,
        u.violation as upper_violation,
        u.play as upper_play,
        u."end" as upper_end,
        u.players_out as upper_out,
        u.upstream_side,
        u.side_points[1] as upper_points0,
        u.side_points[2] as upper_points1,
        u.sides[u.holders[1] + 1] as last_side,
        -- F5 counts the atoms in every match; F4 uses them with atom doubling only.
        case when o.atom_doubling then u.atoms else 0 end as atoms,
        l.deal is not null as has_lower,
        l.violation as lower_violation,
        l.play as lower_play,
        l.side_points[1] as lower_points0,
        l.side_points[2] as lower_points1,
        -- E3, F7: the half that somebody left.
        case when u."end" = 'escape' then 0 when l."end" = 'escape' then 1 end as escape_deal,
        case when u."end" = 'escape' then u.escaped else l.escaped end as escaper
    from core_record as r
    join ruleset as o using (ruleset)
    join core_settlement__deal as u on u.file_id = r.file_id and u.line = r.line and u.deal = 0
    left join core_settlement__deal as l on l.file_id = r.file_id and l.line = r.line and l.deal = 1
),
-- E1: the side that loses the upper half by double clamp.
clamp as (
    select
        *,
        case
            when variant <> 'four' or upper_end <> 'out' or upper_violation is not null then null
            -- (a) Double out comes first and holds under all three readings of (b).
            when upper_out = 2 then 1 - upstream_side
            -- (b) Three out, and a side with too few points. Which side, the texts put in three ways.
            when clamp = 'both_out' then
                case when case last_side when 0 then upper_points0 else upper_points1 end < clamp_points then last_side end
            when clamp = 'any_side' then
                case when upper_points0 < clamp_points then 0 when upper_points1 < clamp_points then 1 end
            when clamp = 'upstream_side' then
                case
                    when case upstream_side when 0 then upper_points1 else upper_points0 end < clamp_points
                        then 1 - upstream_side
                end
        end as clamped_side
    from halves
),
judged as (
    select
        *,
        case when clamped_side is not null then case upper_out when 2 then 'double_out' else 'points' end end as clamped_by,
        -- H2: a half after the match is over is AFTER_END, before anything else in it is checked.
        has_lower and (upper_end = 'escape' or clamped_side is not null or halves = 1) as surplus_half,
        case
            when upper_violation is not null then upper_violation
            when surplus_half then 'AFTER_END'
            else lower_violation
        end as violation,
        case
            when upper_violation is not null then 0
            when surplus_half or lower_violation is not null then 1
        end as violation_deal,
        case
            when upper_violation is not null then upper_play
            when not surplus_half then lower_play
        end as violation_play,
        -- E2: the totals of both halves decide.
        upper_points0 + coalesce(lower_points0, 0) as total0,
        upper_points1 + coalesce(lower_points1, 0) as total1
    from clamp
),
result as (
    select
        j.*,
        -- F1: a side's target.
        case
            when size0 = 3 and upstream_side = 0 then o.target_of_three_upstream
            when size0 = 3 then o.target_of_three
            when upstream_side = 0 then o.target_of_two_upstream
            else o.target_of_two
        end as target0,
        case
            when size1 = 3 and upstream_side = 1 then o.target_of_three_upstream
            when size1 = 3 then o.target_of_three
            when upstream_side = 1 then o.target_of_two_upstream
            else o.target_of_two
        end as target1,
        case
            when violation is not null then null
            when escape_deal is not null then 'escape'
            when clamped_side is not null then 'double'
            -- E4: no lower half where there should be one.
            when j.variant = 'four' and j.halves = 2 and not has_lower then 'unfinished'
            else 'decided'
        end as kind,
        case
            when violation is not null then null
            -- E3: the other side wins an escape in the four-player game; F7: nobody does in the five-player game.
            when escape_deal is not null then case when j.variant = 'four' then 1 - sides[escaper + 1] end
            when clamped_side is not null then 1 - clamped_side
            when j.variant = 'four' and j.halves = 2 and not has_lower then null
            -- F1: the side that has its target.
            when j.variant = 'five' then case when total0 >= target0 then 0 else 1 end
            -- E2: more card points; when equal, the side of the upper half's upstream player.
            when total0 <> total1 then case when total0 > total1 then 0 else 1 end
            else upstream_side
        end as winner
    from judged as j
    join ruleset as o using (ruleset)
),
-- F3: the points of the losing side decide whether the result is doubled or tripled.
outcome as (
    select
        r.*,
        o.low_points_a_player * case winner when 0 then size1 else size0 end as low_limit,
        case
            when kind is null or kind <> 'decided' then kind
            when r.variant = 'four' then 'normal'
            when case winner when 0 then total1 else total0 end = 0 then 'zero'
            when case winner when 0 then total1 else total0 end < low_limit then 'low'
            else 'normal'
        end as outcome
    from result as r
    join ruleset as o using (ruleset)
),
-- F2, F4: a player of a side of three plays for 2 and the atoms, of a side of two for 3 and one and a half times the
-- atoms. F3 multiplies the sum, or by option F2 alone. What a player of each side wins or loses is the stake.
stakes as (
    select
        r.*,
        case outcome when 'zero' then o.zero_factor when 'low' then o.low_factor else 1 end as factor,
        case when size0 = 3 then o.win_of_three else o.win_of_two end as win0,
        case when size1 = 3 then o.win_of_three else o.win_of_two end as win1,
        case when size0 = 3 then o.atom_factor_of_three else o.atom_factor_of_two end * atoms as atoms0,
        case when size1 = 3 then o.atom_factor_of_three else o.atom_factor_of_two end * atoms as atoms1,
        case when o.low_applies = 'base_only' then 1 else factor end as atom_low,
        cast(
            case
                when outcome = 'double' then o.double_clamp
                when r.variant = 'four' then o.normal
                else win0 * factor + atoms0 * atom_low
            end as decimal(12, 2)
        ) as stake0,
        cast(
            case
                when outcome = 'double' then o.double_clamp
                when r.variant = 'four' then o.normal
                else win1 * factor + atoms1 * atom_low
            end as decimal(12, 2)
        ) as stake1,
        -- F6: winners' gains are capped with atom doubling; an escape never is.
        coalesce(kind = 'decided' and o.atom_doubling and o.cap = 'winner_only', false) as has_cap
    from outcome as r
    join ruleset as o using (ruleset)
),
-- E3, F7: what the player who left a half pays, and what each player of the other side receives.
escapes as (
    select
        d.file_id,
        d.line,
        d.deal as escape_deal,
        d.deal = 1 as escaped_lower,
        1 - d.sides[d.escaped + 1] as other_side,
        d.tricks >= o.escape_min_tricks as compensation_due,
        cast(list_sum(d.captured) as integer) as captured_in_tricks,
        -- F7: the penalty, and what each player of the other side receives, both before the atoms.
        o.escape_penalty,
        o.escape_penalty_points,
        case when d.players_out > 0 then o.escape_penalty_head_out else 0 end as penalty_head_out,
        o.escape_penalty_each_out * least(d.players_out, o.escape_penalty_each_out_most) as penalty_each_out,
        least(captured_in_tricks // o.escape_penalty_points, o.escape_penalty_points_most) as penalty_captured,
        cast(o.escape_penalty + penalty_head_out + penalty_each_out + penalty_captured as integer) as penalty,
        o.escape_penalty + o.escape_penalty_head_out + o.escape_penalty_each_out * o.escape_penalty_each_out_most
            + o.escape_penalty_points_most as penalty_most,
        o.escape_compensation,
        case when compensation_due and d.players_out > 0 then o.escape_compensation else 0 end as compensation_head_out,
        case when compensation_due and d.players_out >= o.escape_compensation_two_out then o.escape_compensation else 0
        end as compensation_two_out,
        case when compensation_due then o.escape_compensation + compensation_head_out + compensation_two_out else 0
        end as compensation,
        case when compensation_due and o.atom_doubling then d.atoms else 0 end as escape_atoms,
        len(list_filter(d.sides, lambda side: side = other_side)) as compensated,
        case
            when o.variant = 'five' then penalty + escape_atoms * compensated
            when escaped_lower then o.escape_lower
            else o.escape_upper
        end as paid,
        case
            when o.variant = 'five' then compensation + escape_atoms
            when escaped_lower then o.escape_lower_compensation
            when compensation_due then o.escape_upper_compensation
            else 0
        end as received
    from core_settlement__deal as d
    join core_record as r using (file_id, line)
    join ruleset as o using (ruleset)
    where d."end" = 'escape'
)
-- E5, F2, F7: all scores are multiples of the base.
select
    s.*,
    e.* exclude (file_id, line, escape_deal),
    cast(case winner when 0 then stake0 else -stake0 end * base as decimal(18, 4)) as score0,
    cast(case winner when 1 then stake1 else -stake1 end * base as decimal(18, 4)) as score1,
    cast(-paid * base as decimal(18, 4)) as escaper_score,
    cast(received * base as decimal(18, 4)) as received_score
from stakes as s
left join escapes as e on e.file_id = s.file_id and e.line = s.line and e.escape_deal = s.escape_deal
