"""What the tables of a run hold: every column with its type, its unit and what it counts.

The two players of a match are called 1 and 2 in all tables; a column that exists for each of them ends in
`_1` or `_2`. Nothing is ever null in the tables of played matches, and everything counted is an integer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from simkit.dataset.settled import SETTLED_COLUMNS
from simkit.paid import UNITS, WHAT

_MOST: Final = {
    **dict.fromkeys(("first_player", "first_scorer", "winner", "cube_owner", "player", "side"), 2),
    **dict.fromkeys(("off_1", "off_2"), 15),
    **dict.fromkeys(("pips_left_1", "pips_left_2"), 15 * 25),
    "cube": 32,
}
_MOST_OF_UNIT: Final = {"die": 6}
"""The most that columns hold which count nothing, by name or unit."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a table.

    `dtype` is a NumPy type name, or "category": text from a short list, a dictionary of strings in Parquet
    and a categorical in pandas. A category with `values` travels as its place in `values` (int8) until it
    is written; one without is a label of the whole run. `nullable` holds in `estimates` alone.
    """

    name: str
    dtype: str
    unit: str
    description: str
    values: tuple[str, ...] = ()
    nullable: bool = False

    @cached_property
    def limits(self) -> tuple[int, int]:
        """The least and the most that a whole number in this column can be, whatever the rules.

        Nothing that is counted is below 0; a narrow type holds no more than it can.
        """
        most = _MOST.get(self.name, _MOST_OF_UNIT.get(self.unit))
        return 0, int(np.iinfo(self.dtype).max) if most is None else most


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table: what a row is, which columns identify it, and all columns in their order."""

    name: str
    row: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    version: int = 1
    schema: str = ""
    """Name of the schema where it is not the table's."""

    @property
    def schema_name(self) -> str:
        """Name and version as they stand in the files, `sets/1`.

        Columns may be added within a version; a changed meaning takes a new column name.
        """
        return f"{self.schema or self.name}/{self.version}"

    @cached_property
    def labels(self) -> tuple[Column, ...]:
        """Columns that say whose rows these are: the same value in every row of one play."""
        return tuple(column for column in self.columns if column.dtype == "category" and not column.values)

    @cached_property
    def data(self) -> tuple[Column, ...]:
        """All other columns: what a chunk of matches hands over."""
        return tuple(column for column in self.columns if column not in self.labels)

    def column(self, name: str) -> Column:
        """The column of that name; KeyError if there is none."""
        return next(column for column in self.columns if column.name == name)


def _pair(name: str, dtype: str, unit: str, description: str) -> tuple[Column, Column]:
    """The same column for player 1 and player 2; `{player}` in the description becomes his number."""
    first, second = (
        Column(name=f"{name}_{player}", dtype=dtype, unit=unit, description=description.format(player=player))
        for player in (1, 2)
    )
    return first, second


ENDED_BY: Final = ("win", "concession", "capped")
"""How a set or partie ended, in the order of the codes 0, 1, 2 that the columns of a chunk hold."""

GAME_ENDED_BY: Final = ("win", "drop", "capped")
"""The same of a game of toutes tables or backgammon; `drop`: a double was not taken."""

FIGURES: Final = {
    "six_tables": "jan of three rolls or six tables (jan de trois coups, de six tables): the third roll of a "
    "setting would complete six single men on arrows 2 to 7",
    "deux_tables": "jan of two tables (jan de deux tables): the only two men out reach both empty corners",
    "contre_deux_tables": "the same with the adverse corner held (contre-jan); marked by the other",
    "mezeas": "jan of mézéas: an ace; the only two men out hold the corner and the adverse corner is empty",
    "contre_mezeas": "the same with the adverse corner held (contre-jan); marked by the other",
    "hit_true": "a man of the other hit truly (battre à vrai)",
    "hit_false": "a man of the other hit falsely (battre à faux); marked by the other",
    "corner_hit": "the empty adverse corner hit (battre le coin)",
    "fill_petit_jan": "the petit jan filled (remplir)",
    "fill_grand_jan": "the grand jan filled",
    "fill_jan_de_retour": "the jan de retour filled",
    "conserve_petit_jan": "the petit jan conserved (conserver)",
    "conserve_grand_jan": "the grand jan conserved",
    "conserve_jan_de_retour": "the jan de retour conserved",
    "sortie": "all men borne off (sortie)",
    "impuissance": "a die left unplayed (impuissance); marked by the other",
    "pile_de_misere": "all fifteen men on the own corner (pile de misère)",
    "jan_de_rencontre": "the second player's first roll is the first player's over again (jan de rencontre)",
    "margot_la_fendue": "a man would come between two lone adverse men (margot la fendue); marked by the other",
}
"""Everything points are awarded for, in the order of a chunk's sums."""

MATCH_ID: Final = Column(
    name="match_id",
    dtype="int64",
    unit="number",
    description="Number of the match within the run, from 0. Match m of two plays with one seed sees "
    "the same dice, place by place.",
)

LABELS: Final = (
    Column(name="rules", dtype="category", unit="label", description="Name of the rule set."),
    Column(
        name="player_1", dtype="category", unit="label", description="Name of the player who is player 1."
    ),
    Column(
        name="player_2",
        dtype="category",
        unit="label",
        description="Name of the player who is player 2; where more than two are at the table the names of "
        "players 2, 3 and so on, joined by +.",
    ),
)

MATCHES: Final = Table(
    name="matches",
    row="one match",
    key=("rules", "player_1", "player_2", "match_id"),
    columns=(
        *LABELS,
        MATCH_ID,
        Column(
            name="first_player",
            dtype="int8",
            unit="player",
            description="Who threw first in the first set or partie: 1 or 2.",
        ),
        *_pair("sets_won", "int16", "sets", "Sets (or parties) won by player {player}."),
        *_pair(
            "holes",
            "int32",
            "holes",
            "Holes of player {player}, summed over the final attempts of all sets or parties.",
        ),
        Column(
            name="rolls", dtype="int32", unit="rolls", description="Rolls of both players, do-overs included."
        ),
        Column(
            name="settings",
            dtype="int32",
            unit="settings",
            description="Settings (relevés), one more than the pickups of each attempt; do-overs included.",
        ),
        Column(
            name="do_overs",
            dtype="int16",
            unit="attempts",
            description="Drawn attempts that were played again (refaits), over all sets.",
        ),
        Column(
            name="sorties",
            dtype="int16",
            unit="times",
            description="Times a player bore off all his men and held, do-overs included.",
        ),
        Column(
            name="truncated",
            dtype="bool",
            unit="yes/no",
            description="A set (or partie) reached the cap on its rolls and was cut; those after it were not "
            "played.",
        ),
    ),
)

SETS: Final = Table(
    name="sets",
    row="one set (marqué) of a written match, or one partie",
    key=("rules", "player_1", "player_2", "match_id", "set_no"),
    columns=(
        *LABELS,
        MATCH_ID,
        Column(
            name="set_no",
            dtype="int16",
            unit="number",
            description="Number of the set or partie within its match, from 1. A set done over keeps its number.",
        ),
        Column(
            name="first_player",
            dtype="int8",
            unit="player",
            description="Who threw first in the final attempt: 1 or 2.",
        ),
        Column(
            name="first_scorer",
            dtype="int8",
            unit="player",
            description="Who made the first hole of the final attempt: 1 or 2; 0 if nobody did, or a start "
            "does not tell.",
        ),
        Column(
            name="winner",
            dtype="int8",
            unit="player",
            description="Who won the set: 1 or 2; 0 if it was capped.",
        ),
        Column(
            name="ended_by",
            dtype="category",
            unit="category",
            description="How it ended: the player ahead went, or made the last hole of a partie (win); the "
            "player behind went (concession); it was cut at the cap on its rolls (capped).",
            values=ENDED_BY,
        ),
        *_pair("holes", "int16", "holes", "Holes of player {player} in the final attempt."),
        *_pair("holes_own_die", "int16", "holes", "Those of them that player {player} made on his own roll."),
        *_pair(
            "holes_other_die",
            "int16",
            "holes",
            "Those of them that player {player} made on the other's roll.",
        ),
        *_pair(
            "run_intact",
            "bool",
            "yes/no",
            "At the end player {player}'s run of holes was unbroken; no if he had none.",
        ),
        *_pair(
            "picked_up",
            "bool",
            "yes/no",
            "Player {player}, his run of holes unbroken, went at least once since his first hole and before "
            "the end.",
        ),
        *_pair("reached_six", "bool", "yes/no", "Player {player} came to six holes or more."),
        *_pair(
            "intact_at_six", "bool", "yes/no", "Player {player}'s run was unbroken when he came to six holes."
        ),
        Column(
            name="do_overs",
            dtype="int16",
            unit="attempts",
            description="Drawn attempts (refaits) before the final one.",
        ),
        Column(name="rolls", dtype="int32", unit="rolls", description="Rolls of the final attempt."),
        Column(
            name="settings",
            dtype="int32",
            unit="settings",
            description="Settings (relevés) of the final attempt: one more than its pickups.",
        ),
        Column(
            name="rolls_do_overs", dtype="int32", unit="rolls", description="Rolls of the attempts before it."
        ),
        Column(
            name="settings_do_overs",
            dtype="int32",
            unit="settings",
            description="Settings of the attempts before it.",
        ),
        Column(
            name="sorties",
            dtype="int16",
            unit="times",
            description="Times a player bore off all his men and held, do-overs included.",
        ),
        Column(
            name="stalls",
            dtype="int16",
            unit="times",
            description="Times the men started again after many rolls without points, under rules with such "
            "a limit; do-overs included.",
        ),
    ),
)

COMBINE_MATCHES: Final = Table(
    name="matches",
    schema="combine_matches",
    row="one match of trictrac combiné",
    key=MATCHES.key,
    columns=(
        *MATCHES.columns,
        *_pair("honours_won", "int16", "games", "Games of honours won by player {player}."),
        *_pair(
            "honours_left",
            "int16",
            "holes",
            "Holes of player {player} in the game of honours that was under way when the match ended.",
        ),
        Column(
            name="rolls_played_on",
            dtype="int32",
            unit="rolls",
            description="Rolls after the last set, for the game of honours alone; they are among rolls.",
        ),
    ),
)

COMBINE_SETS: Final = Table(
    name="sets",
    schema="combine_sets",
    row="one set (marqué) of a match of trictrac combiné: its written game",
    key=SETS.key,
    columns=(
        *SETS.columns,
        *_pair(
            "written_suspended",
            "int16",
            "times",
            "Times player {player} suspended the written game, do-overs included.",
        ),
        *_pair(
            "honours_suspended",
            "int16",
            "times",
            "Times player {player} suspended the game of honours, do-overs included.",
        ),
        Column(
            name="scored_by_suspension",
            dtype="bool",
            unit="yes/no",
            description="The set was scored by a suspension and not by a pickup.",
        ),
        Column(
            name="rolls_after_scored",
            dtype="int32",
            unit="rolls",
            description="Rolls played for the game of honours alone after a suspension had scored the set or its "
            "do-over, up to the pickup; they are among rolls and rolls_do_overs.",
        ),
    ),
)

HONOURS_GAMES: Final = Table(
    name="honours_games",
    row="one finished game of honours of trictrac combiné",
    key=("rules", "player_1", "player_2", "match_id", "game_no"),
    columns=(
        *LABELS,
        MATCH_ID,
        Column(
            name="game_no",
            dtype="int16",
            unit="number",
            description="Number of the game within its match, from 1.",
        ),
        Column(
            name="set_no",
            dtype="int16",
            unit="number",
            description="Number of the set in which it ended, as in sets; one more than the last set's if it was "
            "played on after that.",
        ),
        Column(name="winner", dtype="int8", unit="player", description="Who won it: 1 or 2."),
        Column(
            name="first_scorer", dtype="int8", unit="player", description="Who made its first hole: 1 or 2."
        ),
        *_pair("holes", "int16", "holes", "Holes of player {player} at its end."),
        *_pair("holes_own_die", "int16", "holes", "Those of them that player {player} made on his own roll."),
        *_pair(
            "run_intact",
            "bool",
            "yes/no",
            "At the end player {player}'s run of holes was unbroken; no if he had none.",
        ),
        Column(
            name="after_scored",
            dtype="bool",
            unit="yes/no",
            description="It ended after a suspension had scored the set (or its do-over), before the pickup.",
        ),
        Column(
            name="roll",
            dtype="int32",
            unit="number",
            description="The roll of the set on which it ended, from 1, do-overs included; of a game played on, "
            "the roll since the last set.",
        ),
    ),
)

TURNS: Final = Table(
    name="sets",
    schema="turn_sets",
    row="one set (marqué) of a written match of three to five players",
    key=SETS.key,
    columns=(
        *SETS.columns,
        *(
            Column(
                name=f"player_{player}_seat",
                dtype="int8",
                unit="player",
                description=f"Who of all players at the table played the set as player {player}.",
            )
            for player in (1, 2)
        ),
        Column(
            name="idle_seat",
            dtype="int8",
            unit="player",
            description="Who of three players sat out; 0 where more than one did.",
        ),
    ),
)

COMBINE_TURNS: Final = Table(
    name="sets",
    schema="combine_turn_sets",
    row="one set (marqué) of a match of trictrac combiné with partners: its written game",
    key=SETS.key,
    columns=(*COMBINE_SETS.columns, *TURNS.columns[len(SETS.columns) :]),
)

POOL_MATCHES: Final = Table(
    name="matches",
    schema="pool_matches",
    row="one pool",
    key=MATCHES.key,
    columns=(
        *LABELS,
        MATCH_ID,
        Column(
            name="first_player",
            dtype="int8",
            unit="player",
            description="Who threw first in the first match: the first in line, 1, or the second, 2.",
        ),
        Column(
            name="matches",
            dtype="int16",
            unit="matches",
            description="Matches that two of the players played; a capped one is among them.",
        ),
        Column(
            name="last_winner",
            dtype="int8",
            unit="player",
            description="Place in line, from 1, of the winner of the last match; of a filling pool he takes the "
            "pot. 0 if the pool was cut.",
        ),
        Column(
            name="last_loser",
            dtype="int8",
            unit="player",
            description="Place in line of the loser of the last match; 0 if the pool was cut.",
        ),
        Column(
            name="overdraw",
            dtype="int32",
            unit="hundredths of a stake",
            description="What the last payment of a draining pool came to beyond what was left; 0 in a filling "
            "one.",
        ),
        Column(
            name="rolls", dtype="int32", unit="rolls", description="Rolls of both players, do-overs included."
        ),
        Column(
            name="settings",
            dtype="int32",
            unit="settings",
            description="Settings (relevés) of all matches, do-overs included.",
        ),
        Column(
            name="do_overs",
            dtype="int16",
            unit="attempts",
            description="Drawn attempts that were played again (refaits), over all matches.",
        ),
        Column(
            name="sorties",
            dtype="int32",
            unit="times",
            description="Times a player bore off all his men and held, do-overs included.",
        ),
        Column(
            name="truncated",
            dtype="bool",
            unit="yes/no",
            description="The pool was cut: it came to the most matches it may have, or a match to the cap on its "
            "rolls.",
        ),
    ),
)

POOL_SETS: Final = Table(
    name="sets",
    schema="pool_sets",
    row="one match of a pool: a partie, or a set (marqué)",
    key=SETS.key,
    columns=(
        *SETS.columns,
        Column(
            name="player_1_seat",
            dtype="int8",
            unit="player",
            description="Place in line, from 1, of the one who is player 1 in this match: who has stayed at the "
            "board; in the first match the first in line.",
        ),
        Column(
            name="player_2_seat",
            dtype="int8",
            unit="player",
            description="Place in line of the one who is player 2: who has come to the board.",
        ),
    ),
)

SHARES: Final = Table(
    name="shares",
    row="one player of a pool",
    key=("rules", "player_1", "player_2", "match_id", "seat"),
    columns=(
        *LABELS,
        MATCH_ID,
        Column(
            name="seat",
            dtype="int8",
            unit="player",
            description="His place in line at the start, from 1; the player of that number.",
        ),
        Column(
            name="entered",
            dtype="int16",
            unit="times",
            description="Times he came to the board; the first two in line begin there.",
        ),
        Column(name="played", dtype="int16", unit="matches", description="Matches he played."),
        Column(name="won", dtype="int16", unit="matches", description="Matches he won."),
        Column(name="lost", dtype="int16", unit="matches", description="Matches he lost."),
        Column(
            name="holes_won",
            dtype="int32",
            unit="holes",
            description="Holes for which a draining pool paid him, those beyond what was left included; 0 in a "
            "filling one.",
        ),
        Column(
            name="won_last", dtype="bool", unit="yes/no", description="He won the last match of the pool."
        ),
        Column(
            name="lost_last", dtype="bool", unit="yes/no", description="He lost the last match of the pool."
        ),
        Column(
            name="overdraw",
            dtype="int32",
            unit="hundredths of a stake",
            description="The pool's overdraw, as in `matches`.",
        ),
        Column(
            name="truncated",
            dtype="bool",
            unit="yes/no",
            description="The pool was cut, as in `matches`.",
        ),
    ),
)

PAYMENTS: Final = Table(
    name="payments",
    row="one payment of a settled match",
    key=(),
    columns=(
        *LABELS,
        MATCH_ID,
        Column(
            name="set_no",
            dtype="int16",
            unit="number",
            description="The set or partie it follows; 0 before the first, one more than the last at the end.",
        ),
        Column(
            name="game_no",
            dtype="int16",
            unit="number",
            description="Of trictrac combiné the game of honours it follows, in the same way; 0 elsewhere, and "
            "with partners.",
        ),
        Column(
            name="payer",
            dtype="int8",
            unit="player",
            description="Who pays: a player, or 0 for the basket of trictrac combiné.",
        ),
        Column(name="payee", dtype="int8", unit="player", description="Who is paid, in the same way."),
        Column(
            name="what",
            dtype="category",
            unit="category",
            description="What for: see below.",
            values=WHAT,
        ),
        Column(name="amount", dtype="int64", unit="see unit", description="How much; always above 0."),
        Column(
            name="unit",
            dtype="category",
            unit="category",
            description="Jetons of the written match, fish of the games of honours, or stakes of parties.",
            values=UNITS,
        ),
    ),
)
"""No table of a run folder: it is settled from rows, `simkit settle RUN --payments FILE` writes it."""

PAID_WORDS: Final = {
    "stake": "put into the basket when a pool is opened",
    "game": "a game of honours, to its winner",
    "basket": "the same into the basket",
    "drawn": "out of the basket, to who draws it or to both who halve it",
    "unfinished": "out of a basket that nobody has drawn, at the end",
    "written": "the written match as a whole: in trictrac combiné, and between partners",
    "honours": "games of honours and pool as a whole, between partners",
    "set": "a set, to its winner",
    "consolation": "à tourner, the consolation of a set to who sat out",
    "tokens": "the tail of tokens: what it brings beyond the own tokens",
    "paris": "lost sets; à tourner with the tail of sets",
    "tail_of_sets": "the tail of sets",
    "rounding": "what rounding adds to what is owed, or takes from it",
    "general_tail": "the general tail",
    "partie": "a partie, to its winner",
}
"""Values of `what` in words."""

_FIRST_PLAYER: Final = "Who played first in the first game: 1 or 2."

POINT_MATCHES: Final = Table(
    name="matches",
    schema="point_matches",
    row="one match to a number of points",
    key=("rules", "player_1", "player_2", "match_id"),
    columns=(
        *LABELS,
        MATCH_ID,
        Column(name="first_player", dtype="int8", unit="player", description=_FIRST_PLAYER),
        Column(
            name="winner",
            dtype="int8",
            unit="player",
            description="Who won the match: 1 or 2; 0 if it was truncated.",
        ),
        *_pair(
            "points", "int16", "points", "Points of player {player} over all games, and those he began with."
        ),
        *_pair("games_won", "int16", "games", "Games won by player {player}."),
        Column(name="games", dtype="int16", unit="games", description="Games played."),
        Column(name="rolls", dtype="int32", unit="rolls", description="Rolls of both players."),
        *_pair("hits", "int32", "men", "Men of the other's that player {player} hit."),
        Column(
            name="truncated",
            dtype="bool",
            unit="yes/no",
            description="A game reached the cap on its rolls and was cut; the match ended with it.",
        ),
    ),
)

GAMES: Final = Table(
    name="games",
    row="one game of a match to a number of points",
    key=("rules", "player_1", "player_2", "match_id", "set_no"),
    columns=(
        *LABELS,
        MATCH_ID,
        Column(
            name="set_no",
            dtype="int16",
            unit="number",
            description="Number of the game within its match, from 1.",
        ),
        *(
            Column(name=f"start_{letter}", dtype="int8", unit="die", description=words)
            for letter, words in (
                (
                    "a",
                    "Lower die of the start's first roll: the arrow of two men of each side, in his own numbers; "
                    "this and the next three are 0 where the game started from a position of its own.",
                ),
                ("b", "Higher die of it: five men stand this far from the edge, on arrow 25 - b."),
                ("c", "Lower die of the second roll: five men stand on arrow 13 - c."),
                ("d", "Higher die of it: three men stand on arrow 12 + d."),
            )
        ),
        Column(
            name="first_player",
            dtype="int8",
            unit="player",
            description="Who played first in the game: 1 or 2.",
        ),
        Column(
            name="winner",
            dtype="int8",
            unit="player",
            description="Who bore off all his men first, or whose double was dropped: 1 or 2; 0 if the game was "
            "capped.",
        ),
        Column(
            name="points",
            dtype="int8",
            unit="points",
            description="What the game counted: 1 single, 2 double, 3 triple, times the cube; the cube alone "
            "where a double was dropped; 0 if it was capped.",
        ),
        *_pair(
            "opening",
            "int8",
            "die",
            "Die {player} of the first roll; in a draw that was it, player {player}'s.",
        ),
        Column(name="rolls", dtype="int32", unit="rolls", description="Rolls of both players."),
        *_pair("hits", "int32", "men", "Men of the other's that player {player} hit."),
        *_pair(
            "pips_left",
            "int16",
            "points",
            "Points that player {player}'s men still had to go at the end, 25 from the bar; 0 if he bore off.",
        ),
        *_pair(
            "off",
            "int8",
            "men",
            "Men that player {player} had borne off at the end; 15 for who bore off all.",
        ),
        *_pair(
            "all_home",
            "bool",
            "yes/no",
            "None of player {player}'s men stood outside his return jan at the end; yes if he bore off.",
        ),
        Column(
            name="truncated",
            dtype="bool",
            unit="yes/no",
            description="The game reached the cap on its rolls and was cut; no game of its match follows.",
        ),
        Column(
            name="cube",
            dtype="int8",
            unit="times",
            description="What the doubling cube came to: 1 without a double taken, and where there is no cube.",
        ),
        Column(
            name="cube_owner",
            dtype="int8",
            unit="player",
            description="Who took the last double, 1 or 2, and may alone double again; 0 if none was taken.",
        ),
        Column(
            name="ended_by",
            dtype="category",
            unit="category",
            description="How the game ended: all men off, a double dropped, or the cap on rolls.",
            values=GAME_ENDED_BY,
        ),
    ),
)

FIGURE_SUMS: Final = Table(
    name="figures",
    row="one player of one play and one kind of award, summed over the whole run",
    key=("rules", "player_1", "player_2", "side", "figure"),
    columns=(
        *LABELS,
        Column(name="side", dtype="int8", unit="player", description="Who marks the points: player 1 or 2."),
        Column(
            name="figure",
            dtype="category",
            unit="category",
            description="What the points were awarded for.",
            values=tuple(FIGURES),
        ),
        Column(
            name="ways",
            dtype="int64",
            unit="ways",
            description=(
                "Ways (façons) it was marked in: each way to hit or to fill, each man hit falsely, each die "
                "unplayed; otherwise one each time."
            ),
        ),
        Column(
            name="points",
            dtype="int64",
            unit="points",
            description="Points marked for it.",
        ),
    ),
)

DECISIONS: Final = ("none", "hold", "go")
"""What follows a hole, in the order of the codes."""

GOINGS: Final = ("none", "pickup", "win", "concession", "do_over")
"""What going does, in the order of the codes."""

HOLES: Final = Table(
    name="holes",
    row="one hole event: what one roll brought one player in holes",
    key=("rules", "player_1", "player_2", "match_id", "event_no"),
    columns=(
        *LABELS,
        MATCH_ID,
        Column(
            name="event_no",
            dtype="int32",
            unit="number",
            description="Number of the event within its match, from 1; of two on one roll the roller's is first.",
        ),
        Column(
            name="set_no",
            dtype="int16",
            unit="number",
            description="Number of the set or partie within its match, from 1, as in sets.",
        ),
        Column(
            name="attempt",
            dtype="int16",
            unit="number",
            description="Attempt at the set, from 1; all but the last ended in a do-over (refait).",
        ),
        Column(
            name="setting",
            dtype="int32",
            unit="number",
            description="Setting (relevé) of the attempt, from 1.",
        ),
        Column(
            name="roll",
            dtype="int32",
            unit="number",
            description="Roll of the set, do-overs included, from 1.",
        ),
        Column(name="player", dtype="int8", unit="player", description="Who made it: 1 or 2."),
        Column(name="own_die", dtype="bool", unit="yes/no", description="He made it on his own roll."),
        Column(
            name="holes",
            dtype="int8",
            unit="holes",
            description="Holes made at once; of a partie none beyond the last.",
        ),
        Column(name="points_before", dtype="int8", unit="points", description="His points before the roll."),
        Column(name="points", dtype="int16", unit="points", description="Points the roll gave him."),
        Column(
            name="decision",
            dtype="category",
            unit="category",
            description="What the roller then chose: to hold or to go; none where he had no choice, and on the "
            "other's roll.",
            values=DECISIONS,
        ),
        Column(
            name="going",
            dtype="category",
            unit="category",
            description="What going did: a new setting (pickup), the set won, conceded, or done over.",
            values=GOINGS,
        ),
        *_pair("holes", "int16", "holes", "Holes of player {player} in the attempt after this event."),
        *(
            Column(
                name=f"from_{figure}",
                dtype="int16",
                unit="points",
                description=f"Of these points, those for {figure}.",
            )
            for figure in FIGURES
        ),
    ),
)

ESTIMATES: Final = Table(
    name="estimates",
    row="one number with its interval",
    key=(
        "measure", "rules", "player_1", "player_2", "sets", "tail_of_sets", "tokens_per_set", "contrast",
        "detail",
    ),
    version=2,
    columns=(
        Column(name="measure", dtype="category", unit="label", description="What is estimated."),
        *LABELS,
        Column(
            name="sets",
            dtype="int16",
            unit="sets",
            description="Sets of the match; null where the measure has no length.",
            nullable=True,
        ),
        Column(
            name="tail_of_sets",
            dtype="int32",
            unit="jetons",
            description="The tail of sets (queue des paris) of the settlement; null where it plays no part.",
            nullable=True,
        ),
        Column(
            name="tokens_per_set",
            dtype="int16",
            unit="jetons",
            description="Tokens (jetons) a set counts in the tail of tokens; null where it plays no part.",
            nullable=True,
        ),
        Column(
            name="contrast",
            dtype="category",
            unit="label",
            description="What is compared with what, or which of several outcomes; empty for a plain value.",
            nullable=True,
        ),
        Column(
            name="detail",
            dtype="category",
            unit="label",
            description="Which of several of its kind: a figure, a score, a quantile, a field and its value; "
            "null for a number that stands alone.",
            nullable=True,
        ),
        Column(name="unit", dtype="category", unit="label", description="Unit of mean, se, low and high."),
        Column(name="n", dtype="int64", unit="matches", description="Independent matches it rests on."),
        Column(name="mean", dtype="float64", unit="see unit", description="The estimate.", nullable=True),
        Column(
            name="se",
            dtype="float64",
            unit="see unit",
            description="Its standard error, clustered by match.",
            nullable=True,
        ),
        Column(
            name="low", dtype="float64", unit="see unit", description="Lower end of interval.", nullable=True
        ),
        Column(
            name="high", dtype="float64", unit="see unit", description="Upper end of interval.", nullable=True
        ),
        Column(
            name="level",
            dtype="float64",
            unit="share",
            description="Confidence level of the interval, 0.95 for 95 %.",
            nullable=True,
        ),
        Column(name="method", dtype="category", unit="label", description="How the interval was made."),
    ),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Family:
    """What a run of one family of games keeps."""

    games: str
    """What is played, in words."""
    matches: Table
    """One row per match."""
    units: Table
    """One row per set, partie or game; the rows of a match follow one another."""
    figures: tuple[str, ...]
    """What points are awarded for, in the order of a chunk's sums; empty where nothing is summed."""
    units_word: str
    """What a match is made of, in words."""
    others: tuple[Table, ...] = ()
    """Further tables with rows by match; a match may have none, or any number."""

    @property
    def played(self) -> tuple[Table, ...]:
        """The tables that grow with the matches; each has a folder of its own name."""
        return self.matches, self.units, *self.others

    @property
    def sums(self) -> tuple[Table, ...]:
        """The table of sums over the run, if there are any."""
        return (FIGURE_SUMS,) if self.figures else ()

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables of a run."""
        return (*self.played, *self.sums, ESTIMATES)


TRICTRAC: Final = Family(
    games="trictrac", matches=MATCHES, units=SETS, figures=tuple(FIGURES), units_word="sets or parties"
)
BY_TURNS: Final = Family(
    games="trictrac", matches=MATCHES, units=TURNS, figures=tuple(FIGURES), units_word="sets"
)
TOUTES_TABLES: Final = Family(
    games="toutes tables or backgammon", matches=POINT_MATCHES, units=GAMES, figures=(), units_word="games"
)
POOLS: Final = Family(
    games="pools",
    matches=POOL_MATCHES,
    units=POOL_SETS,
    figures=tuple(FIGURES),
    units_word="matches of two",
    others=(SHARES,),
)
COMBINE: Final = Family(
    games="trictrac combiné",
    matches=COMBINE_MATCHES,
    units=COMBINE_SETS,
    figures=tuple(FIGURES),
    units_word="sets",
    others=(HONOURS_GAMES,),
)
COMBINE_BY_TURNS: Final = Family(
    games="trictrac combiné",
    matches=COMBINE_MATCHES,
    units=COMBINE_TURNS,
    figures=tuple(FIGURES),
    units_word="sets",
    others=(HONOURS_GAMES,),
)
FAMILIES: Final = (TRICTRAC, TOUTES_TABLES, BY_TURNS, POOLS, COMBINE, COMBINE_BY_TURNS)

PLAYED: Final = TRICTRAC.played
"""The tables of a run of trictrac that grow with the matches."""

TABLES: Final = (
    MATCHES,
    SETS,
    *COMBINE.played,
    COMBINE_TURNS,
    TURNS,
    POINT_MATCHES,
    GAMES,
    *POOLS.played,
    HOLES,
    FIGURE_SUMS,
    PAYMENTS,
    ESTIMATES,
)
"""All tables there are."""


_WHERE: Final = {
    **{table.schema_name: " (toutes tables and backgammon)" for table in TOUTES_TABLES.played},
    TURNS.schema_name: " (three to five players)",
    HOLES.schema_name: " (research datasets)",
    **{table.schema_name: " (pools)" for table in POOLS.played},
    **{table.schema_name: " (trictrac combiné)" for table in COMBINE.played},
    COMBINE_TURNS.schema_name: " (trictrac combiné with partners)",
}
"""What a table is kept of, where others have the same name."""


def data_dictionary() -> str:
    """The text of `docs/data_dictionary.md`: every table and column, made from the schemas."""
    return "\n".join(_dictionary_lines()) + "\n"


def _dictionary_lines() -> Iterator[str]:
    yield "# Data dictionary"
    yield ""
    yield "Made from `simkit/dataset/schema.py` by `python -m simkit.dataset > docs/data_dictionary.md`."
    yield ""
    yield "A run folder of trictrac holds `matches/*.parquet`, `sets/*.parquet` and `figures/figures.parquet`,"
    yield "one of toutes tables or backgammon `matches/*.parquet` (schema `point_matches`) and `games/*.parquet`;"
    yield "once an experiment has been analysed there is also `estimates.parquet`. The players of a match are 1"
    yield "and 2 in all tables. Names and units also stand in the metadata of the files. A category is text from a"
    yield "short list."
    yield ""
    yield "Where a written match has more than two players (`sets` of schema `turn_sets`), 1 and 2 are the two"
    yield "sides, and of each set the two who play it; à tourner a side is a place at the board. Of trictrac"
    yield "combiné with partners (`combine_turn_sets`) they are the sides, in games of honours too."
    yield ""
    yield "Who of more than two sits where: the players of a table are numbered from 1 in the order in which"
    yield "they were named. The label `player_1` is the name of player 1, `player_2` those of all others in their"
    yield "order, joined by `+`: `prudent` and `greedy+prudent+greedy` are players 1 to 4. `run.json` lists them"
    yield "one by one. Sides, by `match.table_mode` of the rule set (`simkit show` prints it):"
    yield ""
    yield "| table | side 1 | side 2 |"
    yield "|---|---|---|"
    yield "| chouette | player 1 | players 2 and 3 |"
    yield "| two against two | players 1 and 2 | players 3 and 4 |"
    yield "| five | players 1 and 2 | players 3, 4 and 5 |"
    yield "| à tourner | of each set the one in `player_1_seat` | the one in `player_2_seat`; each for himself |"
    yield "| pools | of each match the one in `player_1_seat` | the one in `player_2_seat`; in line as numbered |"
    yield ""
    yield "A folder of pools holds `matches` (schema `pool_matches`, one row per pool), `sets` (`pool_sets`, one"
    yield "row per match of two) and `shares`, one row per player of each pool."
    yield ""
    yield "`payments` lie in no run folder: they follow from rows and a settlement. `run.payments` lists those of"
    yield "the run's own settlement, `simkit.payments` and `simkit settle RUN --payments FILE` of any. Nor do"
    yield "settled matches, at the end of this page."
    for table in TABLES:
        yield ""
        yield f"## {table.name}{_WHERE.get(table.schema_name, '')}"
        yield ""
        key = f" Key: {', '.join(f'`{name}`' for name in table.key)}." if table.key else ""
        yield f"One row: {table.row}.{key}"
        yield f"Schema `{table.schema_name}`."
        yield ""
        yield "| column | type | unit | what it is |"
        yield "|---|---|---|---|"
        for column in table.columns:
            kind = f"{column.dtype}, may be null" if column.nullable else column.dtype
            yield f"| `{column.name}` | {kind} | {column.unit} | {column.description} |"
    yield ""
    yield "## Values of `ended_by`"
    yield ""
    for name, values in (("sets", ENDED_BY), ("games", GAME_ENDED_BY)):
        yield f"In `{name}`: {', '.join(f'`{value}`' for value in values)}."
    yield ""
    yield "## Values of `what`"
    yield ""
    yield "| what | what is paid for |"
    yield "|---|---|"
    for name, words in PAID_WORDS.items():
        yield f"| `{name}` | {words} |"
    yield ""
    yield "## Values of `decision` and `going` in `holes`"
    yield ""
    for name, listed in (("decision", DECISIONS), ("going", GOINGS)):
        yield f"`{name}`: {', '.join(f'`{value}`' for value in listed)}."
    yield ""
    yield "## Values of `figure`"
    yield ""
    yield "| figure | what it is |"
    yield "|---|---|"
    for name, words in FIGURES.items():
        yield f"| `{name}` | {words} |"
    yield ""
    yield "## Settled matches"
    yield ""
    yield "What `simkit settle RUN --out FILE` and `simkit.settle_run` give, schema `settled/1`: a row per match,"
    yield "of pools a row per player. P stands for the number of a player."
    yield ""
    yield "| column | of which matches | unit | what it is |"
    yield "|---|---|---|---|"
    for names, which, unit, words in SETTLED_COLUMNS:
        yield f"| `{'`, `'.join(names.split(', '))}` | {which} | {unit} | {words} |"
