"""A match told as a player would read it, in lines."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any, Final

import numpy as np

from simkit.boards import text_board
from simkit.drivers import State, write_score
from simkit.explain import Explained, moves
from simkit.kernel.records import MAX_ROLLS
from simkit.numbering import write
from simkit.pegs import LEGEND, Suspended, rails, standing
from simkit.play import Score
from simkit.rules import (
    Combine,
    FirstRollMethod,
    NextPartieFirstDie,
    PoolDrain,
    PoolFill,
    PoolFirstDie,
    RuleSet,
    SetFirstDie,
    TableMode,
    TwelveHoles,
    Written,
)
from simkit.settle import GRANDE, PETITE, SIMPLE, set_value
from simkit.transcript.match import SetTold, Transcript
from simkit.transcript.pools import after_words, before_words, settlement_lines
from simkit.transcript.rolls import (
    CONCESSION,
    DO_OVER,
    PICKUP,
    REPRISE,
    STALL,
    WIN,
    Decision,
    Gain,
    Roll,
)

EVERY_ROLL: Final = "every"
"""Boards before every roll."""
NARROWEST: Final = 60
WIDEST: Final = 10_000
"""A width in which everything stands on one line."""
LONG: Final = 3
"""So many rolls on which nobody can move or scores are told one by one, more of them in a line."""
GAP: Final = "  "
SHORT_NAME: Final = 3
"""Characters of an arrow's name; where there are longer ones, plays need more room."""

KINDS: Final = {SIMPLE: "simple", PETITE: "petite bredouille", GRANDE: "grande bredouille"}
GONE: Final = {
    PICKUP: "goes",
    WIN: "goes and wins the set",
    DO_OVER: "goes, at equal holes: the set is done over",
    CONCESSION: "goes and so concedes the set",
}
SCORED: Final = {
    WIN: ", which is thereby won",
    DO_OVER: ", at equal holes: it is to be done over",
    CONCESSION: "",
}
"""What suspending the written set has done where going would have ended it."""
RESTING: Final[Mapping[Suspended, str]] = {
    "ecrire_open": "the written set is suspended",
    "ecrire_scored": "the set is scored; the next one awaits a pickup",
    "honours": "the game of honours is suspended",
}
CLASSES: Final = {1: "single", 2: "double", 3: "treble", 4: "quadruple"}
HELD: Final = {
    PICKUP: "holds",
    WIN: "holds; to go would win the set",
    DO_OVER: "holds; to go would do the set over",
    CONCESSION: "holds; to go would concede the set",
}


def told(
    transcript: Transcript,
    width: int = 96,
    *,
    boards: Collection[int] | str = (),
    men: bool = False,
    rolls: bool = True,
) -> Iterator[str]:
    """Yield the lines of a transcript.

    Parameters
    ----------
    width
        Characters a line may have; boards and names that have no room in their column make it longer.
    boards
        Numbers of the rolls before which the board is drawn, in every set told, or `EVERY_ROLL`.
    men
        Say of every award which men make it.
    rolls
        Tell the rolls; without them only the ends of the sets and the settlement.
    """
    page = _Page(transcript, max(width, NARROWEST), boards, men)
    yield from page.head(rolls)
    for one in transcript.sets:
        yield ""
        yield from page.set_told(one, rolls)
    if len(transcript.sets) >= len(transcript.rows["set_no"]):
        yield from page.settlement()


def set_words(transcript: Transcript, one: SetTold) -> tuple[str, str]:
    """Say how a set or partie begins, and how it ends, each in one line."""
    page = _Page(transcript, WIDEST, (), False)
    return " ".join(page._set_head(one)), " ".join(page._set_end(one))


def roll_told(transcript: Transcript, roll: Roll) -> tuple[tuple[str, ...], str, str]:
    """Say what happens on a roll, in its order, and what holes and points are after it."""
    page = _Page(transcript, WIDEST, (), False)
    return tuple(page._events(roll)), _holes(roll.after, roll), _points(roll.after)


@dataclass(frozen=True)
class _Page:
    transcript: Transcript
    width: int
    boards: Collection[int] | str
    men: bool

    @property
    def rules(self) -> RuleSet:
        return self.transcript.rules

    @property
    def unit(self) -> str:
        """What a unit of this match is called."""
        if self.pool:
            return "match"
        return "partie" if isinstance(self.rules.match, TwelveHoles) else "set"

    @property
    def combine(self) -> Combine | None:
        """The match, if it is one of two games."""
        return self.rules.match if isinstance(self.rules.match, Combine) else None

    @property
    def pool(self) -> PoolFill | PoolDrain | None:
        """The pool, if it is one."""
        return self.rules.match if isinstance(self.rules.match, PoolFill | PoolDrain) else None

    @property
    def by_turns(self) -> bool:
        """Whether more than two are at the table."""
        return self.rules.match.players > 2

    @property
    def side(self) -> str:
        """What the two of a unit are called; each is his own side where there are no others."""
        return "side" if self.by_turns else "player"

    # ------------------------------------------------------------ the head

    def head(self, rolls: bool) -> Iterator[str]:
        """Say what is told, and how it is to be read."""
        shown = self.transcript
        yield from self._text(f"{self.rules.title} ({self.rules.name})")
        yield from self._text(f"Match {shown.match} of seed {shown.seed}")
        yield ""
        facts = [(f"player {number}", player.name) for number, player in enumerate(shown.players, 1)]
        if self.by_turns:
            facts.append(("side 1, side 2", f"the two who play a {self.unit}"))
        if rolls:
            facts += [
                ("arrows", f"{shown.names.title}, as whoever throws counts them"),
                ("holes, points", f"of {self.side}s 1 and 2, after the roll"),
                ("*", "bredouille: points or holes taken without the other taking any in between"),
            ]
            if self.combine:
                facts[-2] = (
                    "holes, points",
                    f"of {self.side}s 1 and 2, after the roll; holes of the written set",
                )
                facts.append(("pegs", f"{LEGEND}"))
        for name, words in facts:
            first, *more = self._text(words, " " * 15)
            yield f"{name:<15}{first.lstrip()}"
            yield from more

    # ------------------------------------------------------------ a set

    def set_told(self, one: SetTold, rolls: bool) -> Iterator[str]:
        """Tell a set or partie."""
        yield from self._set_head(one)
        if rolls and one.rolls:
            yield ""
            yield from self._row(*HEADS)
            for idle, rolls_ in groupby(one.rolls, self._is_idle):
                stretch = list(rolls_)
                if idle and len(stretch) > LONG:
                    yield from self._idle(stretch, one)
                else:
                    for roll in stretch:
                        yield from self._roll(roll, one)
            yield ""
        yield from self._set_end(one)

    def _set_head(self, one: SetTold) -> Iterator[str]:
        of = 1 if self.pool else self.rules.match.units
        name = f"{self.unit.upper()} {one.set_no} of {of}" if of > 1 else f"THE {self.unit.upper()}"
        if self.pool:
            name = f"MATCH {one.set_no}"
        elif one.set_no > of:
            name = "THE GAME OF HONOURS, played on after the last set"
        if one.set_no == 1 and self.transcript.start is not None:
            yield from self._text(f"{name}: {self._given_start(self.transcript.start)}")
        else:
            yield from self._text(f"{name}: {self._who_sits(one)}{self._who_begins(one)}")
        if self.pool and one.pool:
            yield from self._text(f"{before_words(one.pool, self.pool)}", "")

    def _who_sits(self, one: SetTold) -> str:
        """Say who plays a set, where more than two are at the table."""
        if not self.by_turns:
            return ""
        sides = [
            f"{self.transcript.players[number - 1].name} (player {number})"
            for number in (one.row["player_1_seat"], one.row["player_2_seat"])
        ]
        return f"side 1 {sides[0]}, side 2 {sides[1]}; "

    def _who_begins(self, one: SetTold) -> str:
        first, match = one.row["first_player"], self.combine or self.rules.trictrac_match
        if one.draw:
            own, others = one.draw if first == 1 else one.draw[::-1]
            same = self.rules.trictrac_game.first_roll_method is FirstRollMethod.DRAW_IS_FIRST_THROW
            then = "and plays these two dice" if same else "and throws anew"
            return f"{self.side} {first} begins; he draws {own} against {others} {then}"
        if self.pool:
            stayed = self.pool.pool_first_die is PoolFirstDie.INCUMBENT
            return f"{self.side} {first} begins, who {'has stayed' if stayed else 'comes in'}"
        if self.by_turns and one.set_no == 1:
            return f"{self.side} {first} begins, the lone player"
        if not isinstance(match, TwelveHoles) and match.set_first_die is SetFirstDie.STAYS:
            return f"{self.side} {first} begins, who stays at the table"
        rule = match.next_partie_first_die if isinstance(match, TwelveHoles) else match.set_first_die
        won = rule in (SetFirstDie.WINNER_PREV, NextPartieFirstDie.WINNER_PREV)
        return f"{self.side} {first} begins, {f'who won the {self.unit} before' if won else 'in turn'}"

    def _given_start(self, start: State) -> str:
        men = write(start.position, self.transcript.names)
        return f"it starts from {men}, score {write_score(start)}, player {start.roller + 1} to throw"

    def _set_end(self, one: SetTold) -> Iterator[str]:
        row, worth = one.row, one.worth
        name = f"{self.unit} {one.set_no}" if self.rules.match.units > 1 else f"the {self.unit}"
        if not row["winner"]:
            yield from self._text(
                f"{name.capitalize()} was stopped after {MAX_ROLLS:,} rolls. It has no winner, and the "
                f"{'pool' if self.pool else 'match'} is not settled."
            )
            return
        for game in one.honours:
            yield from self._text(f"{self._game_words(game)} It ended on roll {game['roll']}.")
        if one.set_no > self.rules.match.units:
            return
        winner = row["winner"]
        own, others = row[f"holes_{winner}"], row[f"holes_{3 - winner}"]
        if self.pool and one.pool:
            seat = row[f"player_{winner}_seat"]
            yield from self._text(
                f"Player {seat}, side {winner}, wins match {one.set_no} by {own} holes to {others}. "
                f"It took {_count(row['rolls'] + row['rolls_do_overs'], 'roll')}."
            )
            yield from self._text(after_words(one.pool, self.pool))
            return
        conceded = ", which is conceded," if row["ended_by"] == CONCESSION else ""
        won = f"{self.side.capitalize()} {winner} wins {name}{conceded} by {own} holes to {others}"
        rolls = f"It took {_count(row['rolls'] + row['rolls_do_overs'], 'roll')}."
        if "kind" not in worth:
            stakes = _count(worth["value"], "stake")
            yield from self._text(f"{won}: {stakes}. {rolls}")
            return
        times, consolation = worth["multiplier"], worth["consolation"] // worth["multiplier"]
        sum_ = f"{own} + {consolation}"
        product = sum_ if times == 1 else f"{times} x ({sum_})"
        yield from self._text(
            f"{won}, {KINDS[worth['kind']]}{_after_do_overs(row)}: {product} - {others} = "
            f"{_count(worth['value'], 'point')}. {rolls}"
        )
        yield from self._text(self._paid(one) if self._is_tourner else self._so_far(one.set_no))

    @property
    def _is_tourner(self) -> bool:
        match = self.rules.match
        return isinstance(match, Written) and match.table_mode is TableMode.TOURNER

    def _paid(self, one: SetTold) -> str:
        """Say what the loser of a set pays à tourner."""
        assert isinstance(self.rules.match, Written)
        seats = one.row["player_1_seat"], one.row["player_2_seat"]
        winner, loser = seats if one.row["winner"] == 1 else seats[::-1]
        pays = f"Player {loser} pays player {winner} {_count(one.worth['value'], 'point')}"
        if not self.rules.match.settlement.tourner_idle_consolation:
            return f"{pays}."
        return f"{pays}, and player {one.row['idle_seat']}, who sat out, {one.worth['consolation']}."

    def _game_words(self, game: Mapping[str, int]) -> str:
        winner = game["winner"]
        return game_words(
            f"{self.side.capitalize()} {winner}",
            (game[f"holes_{winner}"], game[f"holes_{3 - winner}"]),
            game["class"],
            (game["paid"], game["into_basket"]),
            (game["drawn_1"], game["drawn_2"]),
        )

    def _so_far(self, set_no: int) -> str:
        """Give the account of a written match after a set."""
        rows, worths = self.transcript.rows, self.transcript.worths
        won = [
            [
                worth["value"]
                for worth, winner in zip(worths[:set_no], rows["winner"], strict=False)
                if winner == who
            ]
            for who in (1, 2)
        ]
        return f"Sets {len(won[0])}-{len(won[1])}, points {sum(won[0])}-{sum(won[1])}."

    # ------------------------------------------------------------ a roll

    def _is_idle(self, roll: Roll) -> bool:
        """Tell whether nobody moves or scores on a roll, and no board is asked for."""
        moved = roll.play is None or bool(roll.play.steps)
        return not moved and not roll.gains and not self._with_board(roll)

    def _with_board(self, roll: Roll) -> bool:
        return self.boards == EVERY_ROLL or roll.number in self.boards

    def _idle(self, rolls: list[Roll], one: SetTold) -> Iterator[str]:
        """Tell many rolls in a row on which nothing happens."""
        last = rolls[-1]
        yield f"{rolls[0].number:>4} to {last.number}: nobody can move, nobody scores"
        yield from self._restart(last, one)

    def _roll(self, roll: Roll, one: SetTold) -> Iterator[str]:
        names = self.transcript.names
        if self._with_board(roll):
            yield ""
            yield from text_board(roll.position, roll.dice, names).split("\n")
            yield write(roll.position, names)
            yield ""
        score = roll.gains[-1].after if roll.restart == DO_OVER else roll.after
        if roll.decision and roll.decision.suspends == "ecrire" and roll.decision.going == DO_OVER:
            score = roll.gains[-1].after  # the holes that were equal
        yield from self._row(
            str(roll.number),
            str(roll.player),
            f"{roll.dice[0]}-{roll.dice[1]}",
            "\n".join(self._events(roll)),
            moves(roll.play.steps, names) if roll.play else "",
            _holes(score, roll),
            _points(score),
        )
        yield from self._rails(roll, one)
        yield from self._restart(roll, one)

    def _rails(self, roll: Roll, one: SetTold) -> Iterator[str]:
        """Draw the pegs of trictrac combiné wherever a hole is made, and tell of the pool and of what rests."""
        if roll.both is None or not any(gain.holes for gain in roll.gains):
            return
        for game in one.honours:
            if game["roll"] == roll.number:
                yield from self._text(self._game_words(game), "      ")
        least = self.combine.set_min_holes if self.combine else 0
        both = roll.both
        yield ""
        for line in rails(standing(both.written, both.honours, both.suspended, set_min_holes=least)):
            yield f"      {line}"
        yield from self._text(self._pool_words(roll, one), "      ")
        yield ""

    def _pool_words(self, roll: Roll, one: SetTold) -> str:
        """Tell what lies in the basket after a roll, who has the contract, and which game is suspended."""
        assert self.combine is not None and roll.both is not None
        before = [
            game
            for game in self.transcript.games
            if (game["set_no"], game["roll"]) <= (one.set_no, roll.number)
        ]
        basket, contract = 2 * self.combine.settlement.pool_stake_each, 0
        if before:
            basket, contract = before[-1]["basket"], before[-1]["contract"]
        return pool_words(basket, contract - 1 if contract else None, roll.both.suspended, self.side)

    def _events(self, roll: Roll) -> Iterator[str]:
        """Say what happens on a roll, in its order: gains, decision, the other's gains."""
        own = [gain for gain in roll.gains if gain.player == roll.player]
        others = [gain for gain in roll.gains if gain.player != roll.player]
        for gain in own:
            yield from self._gain(gain, roll)
        if roll.decision and roll.decision.suspends:
            yield self._suspended(roll.decision)
        elif roll.decision:
            yield (GONE if roll.decision.went else HELD)[roll.decision.going]
        for gain in others:
            yield from self._gain(gain, roll)

    def _suspended(self, decision: Decision) -> str:
        """Say what a player suspends, and what that does."""
        if decision.suspends == "honours":
            return "suspends the game of honours"
        return f"suspends the written set{SCORED.get(decision.going, '')}"

    def _gain(self, gain: Gain, roll: Roll) -> Iterator[str]:
        for one in gain.awards:
            to = "" if gain.player == roll.player else " to the other"
            lost = "" if gain.marked else ", not marked"
            yield f"{one.award.points}{to}{lost}: {self._award(one)}"
            if self.men:
                yield from (f"- {means}" for means in one.means)
        if gain.marked and (len(gain.awards) > 1 or gain.holes):
            yield self._sum(gain, "" if gain.player == roll.player else "the other's ")

    def _award(self, one: Explained) -> str:
        award = one.award
        if award.dice_unplayed:
            return f"{_count(award.dice_unplayed, 'die', 'dice')} not played"
        target = f" on {self.transcript.names.write(award.target)}" if award.target else ""
        ways = f", {award.ways} ways" if award.ways > 1 else ""
        return f"{one.figure.english}{target}{ways}"

    def _sum(self, gain: Gain, whose: str) -> str:
        """Say what awards come to, and how they become holes."""
        side = gain.player - 1
        had, left = gain.before.points[side], gain.after.points[side]
        if not gain.holes:
            return f"{whose}{gain.points} in all"
        total = f"{whose}{had}{_star(gain.before.bredouille[side])} + {gain.points} = {had + gain.points}"
        return f"{total}: {_count(gain.holes, 'hole')}{f' and {left} left' if left else ''}"

    def _restart(self, roll: Roll, one: SetTold) -> Iterator[str]:
        """Say why the men start again, and who throws."""
        if roll.restart:
            *lines, last = self._text(f"-- {self._restart_words(roll, one)} ")
            yield from lines
            yield f"{last.rstrip()} ".ljust(self.width, "-").rstrip()

    def _restart_words(self, roll: Roll, one: SetTold) -> str:
        again = f"the men start again, {self.side} {_next_player(roll, one)} throws"
        if roll.restart == PICKUP:
            return f"setting {roll.setting + 1}, all points wiped: {again}"
        if roll.restart == REPRISE:
            return f"reprise, the last man being off: {again}{' the same dice' if roll.again else ''}"
        if roll.restart == STALL:
            return f"{self.rules.trictrac_game.stall_limit} rolls without points: {again}"
        if self.pool:
            return f"attempt {roll.attempt + 1}, holes and points wiped: {again}"
        consolation = self._consolation(roll.attempt)
        return f"attempt {roll.attempt + 1}, holes and points wiped, consolation {consolation}: {again}"

    def _consolation(self, do_overs: int) -> int:
        """Give what the consolation has become after do-overs."""
        assert isinstance(self.rules.match, Written | Combine)
        worth = set_value(
            np.array([0]), np.array([0]), do_overs, np.array([False]), False, self.rules.match.settlement
        )
        return int(worth["consolation"][0])

    # ------------------------------------------------------------ the end

    def settlement(self) -> Iterator[str]:
        """Settle the match, a written one line by line."""
        match, settled = self.rules.match, self.transcript.settled
        if settled is None or match.units == 1:
            return
        if self.pool:
            yield ""
            yield from settlement_lines(settled, self.pool)
            return
        if self._is_tourner:
            yield from self._each(settled)
            return
        winner = settled["winner"]
        won = settled["sets_won_1"], settled["sets_won_2"]
        result = f"{self.side.capitalize()} {winner} wins the match" if winner else "Nobody wins the match"
        yield ""
        if isinstance(match, TwelveHoles):
            stakes = f", by {_count(abs(settled['exact']), 'stake')}" if winner else ""
            yield f"Parties {won[0]}-{won[1]}. {result}{stakes}."
            return
        assert isinstance(match, Written | Combine)
        tariff = match.settlement
        own = ("exact result", "rounded result", "exact")
        if isinstance(match, Combine):  # whose exact result is that of both games
            own = ("sets, exact", "sets, rounded", "written")
        rows: list[tuple[str, str, int]] = [
            (
                "points of the sets",
                f"{settled['set_points_1']} - {settled['set_points_2']}",
                settled["set_points"],
            ),
            ("tail of tokens", f"{_count(tariff.tokens_per_set, 'token')} a set", settled["token_tail"]),
            ("paris", f"{tariff.paris_per_set} x ({won[0]} - {won[1]})", settled["paris"]),
            ("tail of sets", f"{tariff.tail_of_sets} for more sets", settled["tail_of_sets"]),
            (own[0], "", settled[own[2]]),
            (
                own[1],
                f"in units of {tariff.round_unit}" if tariff.round_unit else "not rounded",
                settled["rounded"],
            ),
            (
                "general tail",
                f"{tariff.general_tail} agreed" if tariff.general_tail else "none",
                settled["general_tail"],
            ),
        ]
        if isinstance(match, Combine):
            rate = match.settlement.honours_fish_jetons
            rows += [
                ("money of the sets", "", settled["written_money"]),
                (
                    "games of honours",
                    f"won {settled['honours_won_1']}-{settled['honours_won_2']}, fish",
                    settled["honours"],
                ),
                ("pool", "fish drawn less paid", settled["pool"]),
                ("exact result", f"both, a fish {rate}", settled["exact"]),
            ]
        rows.append(("money", "", settled["money"]))
        yield f"SETTLEMENT, as {self.side} 1 sees it: sets {won[0]}-{won[1]}"
        yield ""
        for name, reckoning, amount in rows:
            yield f"{name:<20}{reckoning:<20}{amount:>+6}"
        yield ""
        yield f"{result}."
        if self.by_turns:
            yield from self._text(f"The partners share: {self._money(settled, 'money')}.")
            if self.combine:
                yield from self._text(f"Fish of honours: {self._money(settled, 'honours_fish')}.")

    def _money(self, settled: Mapping[str, Any], name: str) -> str:
        """Say what each player wins or loses."""
        return ", ".join(
            f"player {number} {settled[f'{name}_{number}']:+d}"
            for number in range(1, self.rules.match.players + 1)
        )

    def _each(self, settled: Mapping[str, Any]) -> Iterator[str]:
        """Settle a match of three, each for himself, line by line."""
        players = range(1, self.rules.match.players + 1)
        lines = [
            ("sets won", "sets_won"),
            ("points of the sets", "set_points"),
            ("tail of tokens", "token_tail"),
            ("paris and their tail", "paris"),
            ("exact result", "exact"),
            ("rounded result", "rounded"),
            ("general tail", "general_tail"),
            ("money", "money"),
        ]
        yield f"{'SETTLEMENT':<22}" + "".join(f"{f'player {number}':>10}" for number in players)
        yield ""
        for title, name in lines:
            sign = "" if name == "sets_won" else "+"
            yield f"{title:<22}" + "".join(f"{settled[f'{name}_{number}']:>{sign}10}" for number in players)

    # ------------------------------------------------------------ lines

    def _text(self, text: str, indent: str = "") -> list[str]:
        return textwrap.wrap(
            text,
            self.width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def _row(self, *cells: str) -> Iterator[str]:
        """Lay out cells in columns, each wrapped in its own."""
        columns = [_wrapped(cell, width) for cell, width in zip(cells, self._widths(), strict=True)]
        for lines in zip_longest(*columns, fillvalue=""):
            parts = [
                line.rjust(width) if place in NUMBERS else line.ljust(width)
                for place, (line, width) in enumerate(zip(lines, self._widths(), strict=True))
            ]
            yield GAP.join(parts).rstrip()

    def _widths(self) -> tuple[int, ...]:
        fixed = (4, 2, 4, 0, 0, 7, 7)
        room = self.width - sum(fixed) - len(GAP) * (len(fixed) - 1)
        named = max(map(len, self.transcript.names.names)) > SHORT_NAME
        play = room // 2 if named else max(13, min(22, room // 3))
        return (*fixed[:3], room - play, play, *fixed[5:])


def game_words(
    winner: str, holes: tuple[int, int], price: int, paid: tuple[int, int], drawn: tuple[int, int]
) -> str:
    """Tell how a game of honours ended, and what was paid.

    `winner`: as the text calls him, capitalized; `holes`: his and the loser's; `paid`: fish to the winner and into
    the basket; `drawn`: what players 1 and 2 take out of it.
    """
    shared = ""
    if all(drawn):
        shared = f" The basket is shared, {drawn[0]} and {drawn[1]}."
    elif any(drawn):
        shared = f" He draws the pool, {_fish(sum(drawn))}."
    return (
        f"{winner} wins a game of honours, {CLASSES[price]}, by {holes[0]} holes to {holes[1]}: "
        f"{_fish(paid[0])}, and {paid[1] or 'none'} into the basket.{shared}"
    )


def pool_words(basket: int, contract: int | None, suspended: Suspended | None, side: str = "player") -> str:
    """Tell what lies in the basket, who has the contract (0 or 1), and which game is suspended."""
    words = [
        f"basket: {_fish(basket)}",
        f"contract: {'nobody' if contract is None else f'{side} {contract + 1}'}",
    ]
    return "; ".join([*words, RESTING[suspended]] if suspended else words)


def _next_player(roll: Roll, one: SetTold) -> int:
    """Tell who throws after a roll."""
    return one.rolls[roll.number].player


HEADS: Final = ("roll", "by", "dice", "what it gives", "play", "holes", "points")
NUMBERS: Final = (0, 5, 6)
"""The columns set to the right."""


def _wrapped(cell: str, width: int) -> list[str]:
    """Break a cell into lines; what follows the first of an item stands in by two. Long moves break after a /."""
    return [
        line
        for item in cell.split("\n")
        for line in textwrap.wrap(
            " ".join(word if len(word) < width - 1 else word.replace("/", "/ ") for word in item.split(" ")),
            width,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    ]


def _fish(number: int) -> str:
    return f"{number:,} fish"


def _after_do_overs(row: Mapping[str, Any]) -> str:
    """Say how often a set was done over, which its consolation has grown by."""
    times = int(row["do_overs"])
    return f", after {'one' if times == 1 else times} do-over{'s' * (times > 1)}" if times else ""


def _count(number: int, one: str, more: str = "") -> str:
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def _star(shown: bool) -> str:
    return "*" if shown else ""


def _pair(values: tuple[Any, Any]) -> str:
    return f"{values[0]}-{values[1]}"


def _points(score: Score) -> str:
    first, second = (
        f"{points}{_star(flag)}" for points, flag in zip(score.points, score.bredouille, strict=True)
    )
    return f"{first}-{second}"


def _holes(score: Score, roll: Roll) -> str:
    first, second = (
        f"{holes}{_star(run == 'intact' and holes > 0)}"
        for holes, run in zip(score.holes, roll.runs, strict=True)
    )
    return f"{first}-{second}"
