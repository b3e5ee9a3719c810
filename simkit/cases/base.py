"""Cases about one game of trictrac: what a roll scores, what may be played, how points become holes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from simkit import play, settle
from simkit.cases.match import set_rows
from simkit.cases.reading import Check, Fields, MalformedError, NotUnderstoodError, shown
from simkit.rules import RuleSet, Trictrac, TwelveHoles

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
        elif key.isdecimal() and key == str(int(key)) and 1 <= int(key) <= 24:
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
    if kind == "true_hit_on" and detail.isdecimal() and 1 <= int(detail) <= 24:
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
    scored = play.score_roll(_game(rules), position(case), case.dice(), roll_number=_roll_number(case))
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
    start, dice = position(case), case.dice()
    number = _roll_number(case)
    found = finals(play.legal_plays(_game(rules), start, dice))
    check.compare_keys(expect, {"count": len(found)})
    if "dice_unplayed" in expect:
        scored = play.score_roll(_game(rules), start, dice, roll_number=number)
        check.compare_keys(expect, {"dice_unplayed": scored.dice_unplayed})
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
    start = position(case)
    number = _roll_number(case)
    read = roll_property(expect.text("property"))
    values = {roll: read(play.score_roll(_game(rules), start, roll, roll_number=number)) for roll in ROLLS}
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
        start = position(item)
        values = {roll: read(play.score_roll(_game(rules), start, roll)) for roll in ROLLS}
        wanted = item.integer("chances_out_of_36", high=36)
        check.compare(f"items[{number}].chances_out_of_36", wanted, chances(values))


@dataclass(frozen=True)
class Marked:
    """One roll marked: the score after it, holes made by each, who has won, who rolls next."""

    score: play.Score
    holes: tuple[int, int]
    winner: int | None
    next_roller: int
    may_decide: bool


def mark_roll(
    rules: RuleSet, score: play.Score, roller: int, points: tuple[int, int], goes: bool, restarts: bool
) -> Marked:
    """Mark a roll, the roller's points first and then the other's, who marks nothing if the roller goes."""
    other = 1 - roller
    holes = [0, 0]
    match = rules.match

    def choices(who: int, own_die: bool) -> tuple[str, ...]:
        return play.options(match, play.Ledger(holes=score.holes), who, own_die=own_die)

    if points[0]:
        score, holes[roller] = play.mark(_game(rules), score, roller, points[0])
    open_to = choices(roller, True) if holes[roller] else ("hold",)
    if "game_over" in open_to:
        return Marked(score, (holes[0], holes[1]), roller, roller if restarts else other, False)
    if goes:
        if "go" not in open_to:
            raise MalformedError("one may go only after a hole on one's own roll")
        return Marked(play.after_go(score), (holes[0], holes[1]), None, roller, True)
    if points[1]:
        score, holes[other] = play.mark(_game(rules), score, other, points[1])
    over = bool(holes[other]) and "game_over" in choices(other, False)
    return Marked(
        score,
        (holes[0], holes[1]),
        other if over else None,
        roller if restarts else other,
        bool(holes[roller]),
    )


def score_sequence(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge how points become holes, roll by roll, without a board."""
    initial = case.part("initial")
    names = tuple(initial)
    if len(names) != 2:
        raise MalformedError(f"{initial.where} must hold two players")
    score = _score(initial, names)
    for number, step in enumerate(case.part("expect").parts("steps")):
        at = f"steps[{number}]."
        roller = names.index(step.word("roller", names))
        decision = step.word("decision", ("hold", "go"), default="") if "decision" in step else ""
        points = (step.integer("roller_points", high=200), step.integer("other_points", high=200))
        marked = mark_roll(rules, score, roller, points, decision == "go", step.flag("sortie", default=False))
        if decision and not marked.may_decide:
            raise MalformedError(f"{step.where}: there is nothing to decide on this roll")
        if marked.may_decide and not decision:
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
                _game(rules), score, to, step.integer("ecole_points", low=2, high=200)
            )
        check.compare_keys(step, found, at)
        if marked.winner is not None and "game_over" not in step:
            check.compare(f"{at}game_over", None, names[marked.winner])
        if "after" in step:
            _compare_score(check, step.part("after"), names, score, f"{at}after.")


def match_payoff(case: Fields, rules: RuleSet, check: Check) -> None:
    """Judge the price of a finished partie."""
    result = case.part("result")
    if not isinstance(rules.match, TwelveHoles):
        raise NotUnderstoodError("a price is judged for a partie of twelve holes only")
    winner_first = result.flag("winner_scored_first")
    rows = set_rows(
        winner=1,
        holes_1=result.integer("winner_holes"),
        holes_2=result.integer("loser_holes"),
        first_scorer=1 if winner_first else 2,
        run_intact_1=result.flag("winner_holes_consecutive"),
    )
    price = settle.partie_prices(rows, rules.match.settlement)
    check.compare_keys(case.part("expect"), {"multiplier": abs(int(price[0]))})


def game_record(case: Fields, rules: RuleSet, check: Check) -> None:
    """Replay a setting from the talons: awards, plays and marks of every roll."""
    start = case.text("start_position")
    if start != "both players 15 men on own point 1":
        raise NotUnderstoodError(f"the start position {shown(start)} is not known to this version")
    expect = case.part("expect")
    start_score = expect.part("start_score")
    names = tuple(start_score)
    if len(names) != 2:
        raise MalformedError(f"{start_score.where} must hold two players")
    score = _score(start_score, names)
    talon: Men = ((15, *[0] * 23), 0)
    sides, rolls = [talon, talon], [0, 0]
    expected_roller: int | None = None
    over = False
    for step in expect.parts("moves"):
        at = f"roll {step.integer('n')}: "
        if over:
            raise MalformedError(f"{at}the game was over before this roll")
        player = step.word("player", names)
        roller = names.index(player)
        if expected_roller is not None:
            check.compare(f"{at}player", player, names[expected_roller])
        rolls[roller] += 1
        mover, other = sides[roller], sides[1 - roller]
        scored = play.score_roll(_game(rules), board(mover, other), step.dice(), roll_number=rolls[roller])
        if "awards" in step:
            compare_awards(check, f"{at}awards", step, scored)

        goes = step.word("decision", ("hold", "go"), default="hold") == "go"
        after = mover
        if "moves" in step:
            if goes:
                raise MalformedError(f"{at}a player who goes does not play")
            after = _moved(mover, step, at)
            if step.flag("legal", default=True):
                legal = after in finals(scored.plays)
                check.compare(f"{at}legal", True, legal)
                if not legal:
                    raise MalformedError(
                        f"{at}{shown(step.raw('moves'))} is not a legal play; the rest was not replayed"
                    )
        restarts = after[1] == 15
        if "marking_as_printed" in step:  # the players marked wrongly, and play on from there
            step.ignore("marking_as_printed")
            score = _score(step.part("score_after_as_printed"), names)
            over = any(
                "game_over" in play.options(rules.match, play.Ledger(holes=score.holes), who)
                for who in (0, 1)
            )
            expected_roller = roller if goes or restarts else 1 - roller
        else:
            points = (scored.mover_points, scored.other_points)
            marked = mark_roll(rules, score, roller, points, goes, restarts)
            score, over, expected_roller = marked.score, marked.winner is not None, marked.next_roller
            if "score_after_as_printed" in step:
                _compare_score(check, step.part("score_after_as_printed"), names, score, f"{at}score.")
        if not (goes or over or "moves" in step):
            raise MalformedError(f"{at}moves is missing, though the player does not go")
        sides[roller] = after
        if goes or restarts:
            sides, rolls = [talon, talon], [0, 0]


KINDS: Final[Mapping[str, Callable[[Fields, RuleSet, Check], None]]] = {
    "roll_score": roll_score,
    "legal_positions": legal_positions,
    "roll_table": roll_table,
    "roll_count_series": roll_count_series,
    "score_sequence": score_sequence,
    "match_payoff": match_payoff,
    "game_record": game_record,
}


def _game(rules: RuleSet) -> Trictrac:
    if not isinstance(rules.game, Trictrac):
        raise NotUnderstoodError("this kind of case is about trictrac")
    return rules.game


def _roll_number(case: Fields) -> int:
    """Read `context`: which roll of the setting this is for the mover; 0 where it does not matter."""
    if "context" not in case:
        return 0
    context = case.part("context")
    # Asked for by a reading of mézéas that no rule set here follows; see docs/rules.md, 3.1.
    context.flag("mover_took_corner_on_previous_roll", default=False)
    return context.integer("mover_roll_number_in_releve", default=0)


def _compare_finals(check: Check, expect: Fields, key: str, found: set[Men]) -> None:
    wanted = finals_wanted(expect, key)
    check.compare(key, finals_written(wanted), finals_written(found))


def _score(part: Fields, names: tuple[str, ...]) -> play.Score:
    """Read both players' points, holes and bredouille."""
    points, bredouille, holes = [], [], []
    for name in names:
        side = part.part(name)
        points.append(side.integer("points", high=11))
        holes.append(side.integer("holes", high=1000))
        bredouille.append(side.flag("bredouille"))
    return play.Score(
        points=(points[0], points[1]), bredouille=(bredouille[0], bredouille[1]), holes=(holes[0], holes[1])
    )


def _compare_score(
    check: Check, expect: Fields, names: tuple[str, ...], score: play.Score, place: str
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
