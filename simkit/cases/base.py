"""Cases about one game of trictrac: what a roll scores, what may be played, how points become holes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from simkit import play, settle
from simkit.cases.match import partie_of, set_rows
from simkit.cases.reading import Check, Fields, MalformedError, NotUnderstoodError, shown
from simkit.cases.rule_sets import game_of
from simkit.rules import RuleSet

ROLLS: Final = tuple((high, low) for high in range(6, 0, -1) for low in range(high, 0, -1))
"""The 21 rolls, higher die first; a simple roll stands for two of the 36, a doublet for one."""

QUARTERS: Final = ("petit_jan", "grand_jan", "jan_de_retour")

Men = tuple[tuple[int, ...], int]
"""One side's men: on arrows 1 to 24, and off."""


# --- Positions --------------------------------------------------------------------------------------


def men(side: Fields) -> Men:
    """Read `{"1": 13, "12": 2, "off": 0}`: the men of one side in his own numbers."""
    arrows = [0] * 24
    off = 0
    for key in side:
        if key == "off":
            off = side.integer(key, high=15)
        elif re.fullmatch("[1-9][0-9]?", key) and int(key) <= 24:
            arrows[int(key) - 1] = side.integer(key, high=15)
        else:
            raise MalformedError(f"{side.place(key)}: an arrow is a number from 1 to 24, or 'off'")
    return tuple(arrows), off


def men_written(side: Men) -> dict[str, int]:
    """Write one side's men as case files do."""
    arrows, off = side
    found = {str(arrow): count for arrow, count in enumerate(arrows, start=1) if count}
    return found | ({"off": off} if off else {})


def board(mover: Men, other: Men) -> play.Position:
    """Put both sides on one board; `other` is in his own numbers, his arrow q being the mover's 25 - q."""
    return play.Position(mover=mover[0], other=other[0][::-1], off=(mover[1], other[1]))


def position(case: Fields) -> play.Position:
    """Read the position of a case."""
    part = case.part("position")
    return board(men(part.part("mover")), men(part.part("opponent")))


def finals(plays: Iterable[play.Position]) -> set[Men]:
    """Give the mover's men after each play."""
    return {(after.mover, after.off[0]) for after in plays}


def finals_wanted(expect: Fields, key: str) -> set[Men]:
    """Read a list of the mover's men after plays; the same play twice is an error of the case."""
    wanted = [men(side) for side in expect.parts(key)]
    for arrows, off in wanted:
        if sum(arrows) + off != play.MEN:
            raise MalformedError(f"{expect.place(key)} names a position of {sum(arrows) + off} men")
    if len(set(wanted)) < len(wanted):
        raise MalformedError(f"{expect.place(key)} names one position twice")
    return set(wanted)


def finals_written(positions: Iterable[Men]) -> list[dict[str, int]]:
    """Write positions in one order, so that two lists of them can be compared."""
    return [men_written(side) for side in sorted(positions, reverse=True)]


# --- Awards -----------------------------------------------------------------------------------------


def awards_found(scored: play.ScoredRoll) -> list[dict[str, object]]:
    """Write the awards of a roll as case files do."""
    found: list[dict[str, object]] = []
    for award in scored.awards:
        entry: dict[str, object] = {
            "jan": award.figure,
            "beneficiary": "mover" if award.to == "mover" else "opponent",
            "points": award.points,
            "ways": award.ways,
        }
        if award.target is not None:
            entry["target"] = award.target
        if award.dice_unplayed is not None:
            entry["dice_unplayed"] = award.dice_unplayed
        found.append(entry)
    return found


def compare_awards(check: Check, place: str, expect: Fields, scored: play.ScoredRoll) -> None:
    """Compare a complete list of awards; of each, the keys that the case gives."""
    wanted: list[dict[str, object]] = [
        {
            "jan": part.text("jan"),
            "beneficiary": part.word("beneficiary", ("mover", "opponent")),
            "points": part.integer("points"),
        }
        | {key: part.integer(key) for key in ("ways", "target", "dice_unplayed") if key in part}
        for part in expect.parts("awards")
    ]
    wanted.sort(key=lambda entry: (-len(entry), shown(entry)))
    left = sorted(awards_found(scored), key=shown)
    found: list[dict[str, object]] = []
    for want in wanted:
        match = next((award for award in left if want.items() <= award.items()), None)
        if match is not None:
            left.remove(match)
            found.append({key: match[key] for key in want})
    check.compare(place, sorted(wanted, key=shown), sorted(found + left, key=shown))


def ways_of(scored: play.ScoredRoll, figure: str) -> int:
    """Count the ways in which a roll makes a figure."""
    return sum(award.ways for award in scored.awards if award.figure == figure)


Property = Callable[[play.ScoredRoll], object]


def roll_property(name: str) -> Property:
    """Give the function that reads a property such as `fill_ways:grand_jan` off a scored roll."""
    kind, _, detail = name.partition(":")
    if kind == "fill_ways" and detail in QUARTERS:
        return lambda scored: ways_of(scored, f"fill_{detail}")
    if kind == "can_conserve" and detail in QUARTERS:
        return lambda scored: ways_of(scored, f"conserve_{detail}") > 0
    if kind == "true_hit_on" and re.fullmatch("[0-9]{1,2}", detail) and 1 <= int(detail) <= 24:
        return lambda scored: any(
            award.figure == "hit_true" and award.target == int(detail) for award in scored.awards
        )
    plain: Mapping[str, Property] = {
        "corner_hit": lambda scored: ways_of(scored, "corner_hit") > 0,
        "mover_points": lambda scored: scored.mover_points,
        "opponent_points": lambda scored: scored.other_points,
        "both_points": lambda scored: [scored.mover_points, scored.other_points],
        "false_hits_points": lambda scored: sum(
            award.points for award in scored.awards if award.figure == "hit_false"
        ),
    }
    if name not in plain:
        raise NotUnderstoodError(f"the property {name} is not known to this version")
    return plain[name]


def chances(values: Mapping[tuple[int, int], object]) -> int:
    """Count the rolls of 36 whose value is true or above 0."""
    if any(isinstance(value, list) for value in values.values()):
        raise NotUnderstoodError("chances_out_of_36 of a property with two values is not defined")
    return sum(1 if high == low else 2 for (high, low), value in values.items() if value)


# --- The kinds of case ------------------------------------------------------------------------------


def roll_score(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge everything that one roll scores."""
    expect = case.part("expect")
    scored = _scorer(case, rules)(case.dice())
    if "awards" in expect:
        compare_awards(check, "awards", expect, scored)
    check.compare_keys(
        expect,
        {
            "mover_points": scored.mover_points,
            "opponent_points": scored.other_points,
            "dice_unplayed": scored.dice_unplayed,
        },
    )
    if "legal_final_positions" in expect:
        _compare_finals(check, expect, "legal_final_positions", finals(scored.plays))


def legal_positions(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge what may be played."""
    expect = case.part("expect")
    scored = _scorer(case, rules)(case.dice())
    found = finals(scored.plays)
    check.compare_keys(expect, {"count": len(found), "dice_unplayed": scored.dice_unplayed})
    if "final_positions" in expect:
        _compare_finals(check, expect, "final_positions", found)
    if "must_include" in expect:
        wanted = finals_wanted(expect, "must_include")
        check.compare("must_include", finals_written(wanted), finals_written(wanted & found))
    if "must_exclude" in expect:
        unwanted = finals_wanted(expect, "must_exclude")
        check.compare("must_exclude", finals_written(unwanted), finals_written(unwanted - found))


def roll_table(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge one property of each of the 21 rolls."""
    expect = case.part("expect")
    read = roll_property(expect.text("property"))
    scored = _scorer(case, rules)
    values = {roll: read(scored(roll)) for roll in ROLLS}
    table = expect.part("by_roll")
    missing = [f"{high}-{low}" for high, low in ROLLS if f"{high}-{low}" not in table]
    if missing:
        raise MalformedError(f"{table.where} lacks the rolls " + ", ".join(missing))
    check.compare_keys(table, {f"{high}-{low}": value for (high, low), value in values.items()}, "by_roll.")
    if "chances_out_of_36" in expect:
        check.compare_keys(expect, {"chances_out_of_36": chances(values)})


def roll_count_series(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge in how many rolls of 36 a series of positions has a property."""
    expect = case.part("expect")
    read = roll_property(expect.text("property"))
    for number, item in enumerate(expect.parts("items")):
        scored = _scorer(item, rules)
        values = {roll: read(scored(roll)) for roll in ROLLS}
        wanted = item.integer("chances_out_of_36", high=36)
        check.compare(f"items[{number}].chances_out_of_36", wanted, chances(values))


def two_names(part: Fields) -> tuple[str, str]:
    """Read who the two players of an object with something for each are."""
    match tuple(part):
        case (first, second):
            return first, second
    raise MalformedError(f"{part.where} must hold two players")


def is_over(rules: RuleSet, score: play.Score, who: int) -> bool:
    """Tell whether a player's holes end the partie."""
    return "game_over" in play.options(rules.trictrac_match, play.Ledger(holes=score.holes), who)


def mark_roll(
    rules: RuleSet, score: play.Score, roller: int, points: tuple[int, int], goes: bool, sortie: bool
) -> play.MarkedRoll:
    """Mark a roll by the rules of a case."""
    return play.mark_roll(
        game_of(rules), rules.trictrac_match, score, roller, points, goes=goes, sortie=sortie
    )


def score_sequence(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge how points become holes, roll by roll, without a board."""
    initial = case.part("initial")
    names = two_names(initial)
    score = _score(initial, names, rules)
    for number, step in enumerate(case.part("expect").parts("steps")):
        at = f"steps[{number}]."
        roller = names.index(step.word("roller", names))
        decision = step.word("decision", ("hold", "go")) if "decision" in step else ""
        points = (step.integer("roller_points", high=200), step.integer("other_points", high=200))
        marked = mark_roll(rules, score, roller, points, decision == "go", step.flag("sortie", default=False))
        if decision and not (marked.holes[roller] and marked.winner != roller):
            raise MalformedError(f"{step.where}: there is nothing to decide on this roll")
        if marked.may_go and not decision:
            raise MalformedError(f"{step.where}.decision is missing: the roller has made a hole")
        score = marked.score
        found: dict[str, object] = {
            "roller_holes": marked.holes[roller],
            "other_holes": marked.holes[1 - roller],
            "next_roller": names[marked.next_roller],
            "game_over": None if marked.winner is None else names[marked.winner],
        }
        if "ecole_to" in step or "ecole_points" in step:
            to = names.index(step.word("ecole_to", names))
            score, found["ecole_holes"] = play.mark(
                game_of(rules), score, to, step.integer("ecole_points", low=2, high=200)
            )
            if marked.winner is None and found["ecole_holes"] and is_over(rules, score, to):
                found["game_over"] = names[to]
        check.compare_keys(step, found, at)
        if found["game_over"] is not None and "game_over" not in step:
            check.compare(f"{at}game_over", None, found["game_over"])
        if "after" in step:
            _compare_score(check, step.part("after"), names, score, f"{at}after.")


def match_payoff(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge the price of a finished partie."""
    result = case.part("result")
    match = partie_of(rules)
    winner_first = result.flag("winner_scored_first")
    rows = set_rows(
        winner=1,
        holes_1=result.integer("winner_holes"),
        holes_2=result.integer("loser_holes"),
        first_scorer=1 if winner_first else 2,
        run_intact_1=result.flag("winner_holes_consecutive"),
    )
    price = settle.partie_prices(rows, match.settlement)
    check.compare_keys(case.part("expect"), {"multiplier": abs(int(price[0]))})


TALON: Final[Men] = ((15, *[0] * 23), 0)


@dataclass
class Record:
    """A setting on its way; the players are 0 and 1, each with his men in his own numbers."""

    rules: RuleSet
    names: tuple[str, str]
    score: play.Score
    sides: list[Men] = field(default_factory=lambda: [TALON, TALON])
    rolls: list[int] = field(default_factory=lambda: [0, 0])
    took_coin: list[bool] = field(default_factory=lambda: [False, False])
    irregular: bool = False
    """Whether a play that is not checked against the law has been made."""
    next_roller: int | None = None
    over: bool = False


def game_record(case: Fields, rules: RuleSet, check: Check) -> None:
    """Replay a setting from the talons: awards, plays and marks of every roll."""
    start = case.text("start_position")
    if start != "both players 15 men on own point 1":
        raise NotUnderstoodError(f"the start position {shown(start)} is not known to this version")
    if game_of(rules).jan_de_rencontre_enabled:
        raise NotUnderstoodError("no record tells whether it begins the game, as the jan de rencontre asks")
    expect = case.part("expect")
    start_score = expect.part("start_score")
    names = two_names(start_score)
    record = Record(rules, names, _score(start_score, names, rules))
    for step in expect.parts("moves"):
        _one_roll(record, step, check)


def _one_roll(record: Record, step: Fields, check: Check) -> None:
    """Judge one roll of a record."""
    at = f"roll {step.integer('n')}: "
    if record.over:
        raise MalformedError(f"{at}the game was over before this roll")
    player = step.word("player", record.names)
    roller = record.names.index(player)
    if record.next_roller is not None:
        check.compare(f"{at}player", player, record.names[record.next_roller])
    record.rolls[roller] += 1
    scored = play.score_roll(
        game_of(record.rules),
        board(record.sides[roller], record.sides[1 - roller]),
        step.dice(),
        roll_number=record.rolls[roller],
        took_coin=record.took_coin[roller],
        checked=not record.irregular,
    )
    if "awards" in step:
        compare_awards(check, f"{at}awards", step, scored)
    goes = step.word("decision", ("hold", "go"), default="hold") == "go"
    after = _played(record, step, check, at, roller, scored, goes)
    _keep_score(record, step, check, at, roller, scored, goes, after)
    record.took_coin[roller] = record.sides[roller][0][11] < 2 <= after[0][11]
    record.sides[roller] = after
    if goes or after[1] == play.MEN:
        record.sides, record.rolls, record.took_coin = [TALON, TALON], [0, 0], [False, False]


def _played(
    record: Record, step: Fields, check: Check, at: str, roller: int, scored: play.ScoredRoll, goes: bool
) -> Men:
    """Give the roller's men after the play told, which the engine must allow unless it is irregular."""
    if "moves" not in step:
        return record.sides[roller]
    if goes:
        raise MalformedError(f"{at}a player who goes does not play")
    after = _moved(record.sides[roller], step, at)
    if not step.flag("legal", default=True):
        record.irregular = True
        return after
    legal = after in finals(scored.plays)
    check.compare(f"{at}legal", True, legal)
    if not legal:
        raise MalformedError(f"{at}{shown(step.raw('moves'))} is not a legal play; the rest was not replayed")
    return after


def _keep_score(
    record: Record,
    step: Fields,
    check: Check,
    at: str,
    roller: int,
    scored: play.ScoredRoll,
    goes: bool,
    after: Men,
) -> None:
    """Mark the roll and compare the score told; where the players marked wrongly, go on from what they marked."""
    rules, names = record.rules, record.names
    sortie = after[1] == play.MEN
    if "marking_as_printed" in step:
        step.ignore("marking_as_printed")
        record.score = _score(step.part("score_after_as_printed"), names, rules)
        record.over = any(is_over(rules, record.score, who) for who in (0, 1))
        record.next_roller = roller if goes or sortie else 1 - roller
    else:
        points = (scored.mover_points, scored.other_points)
        marked = mark_roll(rules, record.score, roller, points, goes, sortie)
        record.score, record.next_roller = marked.score, marked.next_roller
        record.over = marked.winner is not None
        if "score_after_as_printed" in step:
            _compare_score(check, step.part("score_after_as_printed"), names, record.score, f"{at}score.")
    if not (goes or record.over or "moves" in step):
        raise MalformedError(f"{at}moves is missing, though the player does not go")


KINDS: Final[Mapping[str, Callable[[Fields, RuleSet, Check], None]]] = {
    "roll_score": roll_score,
    "legal_positions": legal_positions,
    "roll_table": roll_table,
    "roll_count_series": roll_count_series,
    "score_sequence": score_sequence,
    "match_payoff": match_payoff,
    "game_record": game_record,
}


def _scorer(case: Fields, rules: RuleSet) -> Callable[[tuple[int, int]], play.ScoredRoll]:
    """Read the position of a case and its `context`; give the function that scores a roll there."""
    start = position(case)
    number, took_coin = 0, False
    if "context" in case:
        context = case.part("context")
        took_coin = context.flag("mover_took_corner_on_previous_roll", default=False)
        number = context.integer("mover_roll_number_in_releve", default=0)

    def scored(dice: tuple[int, int]) -> play.ScoredRoll:
        return play.score_roll(game_of(rules), start, dice, roll_number=number, took_coin=took_coin)

    return scored


def _compare_finals(check: Check, expect: Fields, key: str, found: set[Men]) -> None:
    wanted = finals_wanted(expect, key)
    check.compare(key, finals_written(wanted), finals_written(found))


def _score(part: Fields, names: tuple[str, str], rules: RuleSet) -> play.Score:
    """Read both players' points, holes and bredouille."""
    most = game_of(rules).points_per_hole - 1
    points, bredouille, holes = [], [], []
    for name in names:
        side = part.part(name)
        points.append(side.integer("points", high=most))
        holes.append(side.integer("holes", high=1000))
        bredouille.append(side.flag("bredouille"))
    return play.Score(
        points=(points[0], points[1]), bredouille=(bredouille[0], bredouille[1]), holes=(holes[0], holes[1])
    )


def _compare_score(
    check: Check, expect: Fields, names: tuple[str, str], score: play.Score, place: str
) -> None:
    for who, name in enumerate(names):
        if name in expect:
            found = {
                "points": score.points[who],
                "holes": score.holes[who],
                "bredouille": score.bredouille[who],
            }
            check.compare_keys(expect.part(name), found, f"{place}{name}.")


def _moved(mover: Men, step: Fields, at: str) -> Men:
    """Move men as a record says, `[from, to]` each; 25 is the rail."""
    arrows, off = list(mover[0]), mover[1]
    for pair in step.items("moves"):
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(arrow) is int for arrow in pair)):
            raise MalformedError(f"{at}a move is [from, to], two numbers, found {shown(pair)}")
        source, target = pair
        if not (1 <= source < target <= 25):
            raise MalformedError(f"{at}the move {shown(pair)} does not go forward on the board")
        if not arrows[source - 1]:
            raise MalformedError(f"{at}no man stands on {source}, from where {shown(pair)} moves one")
        arrows[source - 1] -= 1
        if target == 25:
            off += 1
        else:
            arrows[target - 1] += 1
    return tuple(arrows), off
