"""What the rows of settled matches hold, column by column, for the data dictionary; they lie in no run folder."""

from __future__ import annotations

from typing import Final

SETTLED_COLUMNS: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("match_id", "all", "number", "As in `matches`; before it stand the labels."),
    ("sets_won_1, sets_won_2", "of two sides", "sets", "Sets won by player or side 1 and 2."),
    ("set_points_1, set_points_2", "of two sides", "points", "Values of the sets that each won."),
    ("set_points", "of two sides", "points", "Their difference, signed for player or side 1."),
    ("token_tail", "of two sides", "jetons", "The tail of tokens, signed in the same way."),
    ("paris", "of two sides", "jetons", "Sets won and lost."),
    ("tail_of_sets", "of two sides", "jetons", "The tail of sets."),
    ("rounded", "of two sides", "jetons", "The exact result of the written match in whole units."),
    ("general_tail", "of two sides", "jetons", "The general tail."),
    (
        "exact",
        "of two sides",
        "jetons, of parties stakes",
        "What player 1, of partners side 1, wins before rounding and the general tail; in trictrac combiné in "
        "both games. Less than 0: the other side wins it.",
    ),
    ("money", "of two sides", "jetons", "The same after both: what side 1 wins of side 2."),
    (
        "winner",
        "all but pools",
        "player or side",
        "1 or 2 by the sign of `exact`: the player, of partners the side. À tourner the player, 1 to 3, with the "
        "highest exact result. 0 if nobody is ahead.",
    ),
    ("honours_won_1, honours_won_2", "trictrac combiné", "games", "Games of honours won by each side."),
    ("written", "trictrac combiné", "jetons", "`exact` of the written match alone."),
    ("written_money", "trictrac combiné", "jetons", "`money` of the written match alone."),
    ("honours", "trictrac combiné", "fish", "Paid for games of honours, signed for side 1."),
    ("pool", "trictrac combiné", "fish", "Drawn from the pool less put in, by side 1."),
    ("honours_fish", "trictrac combiné", "fish", "`honours` and `pool` together."),
    (
        "sets_played_P",
        "three to five players",
        "sets",
        "Sets that player P, from 1, sat at; partners and players are numbered as at the table.",
    ),
    ("money_P", "three to five players", "jetons", "What player P wins; all of them add up to 0."),
    ("written_money_P", "partners in trictrac combiné", "jetons", "His share of `written_money`."),
    ("honours_fish_P", "partners in trictrac combiné", "fish", "His share of `honours_fish`."),
    ("sets_won_P", "à tourner", "sets", "Sets that player P won."),
    (
        "set_points_P",
        "à tourner",
        "points",
        "His sets, and consolations of sets he sat out, less what he paid.",
    ),
    ("token_tail_P", "à tourner", "jetons", "What the tail of tokens brings him."),
    ("paris_P", "à tourner", "jetons", "What lost sets and their tail bring him."),
    ("exact_P", "à tourner", "jetons", "The sum of these three."),
    ("rounded_P", "à tourner", "jetons", "The same in whole units."),
    ("general_tail_P", "à tourner", "jetons", "What the general tail brings him."),
    ("seat", "pools", "player", "A row is one player of a pool: his place in line, from 1."),
    ("paid, won, net", "pools", "hundredths of a stake", "What he put in, took out, and the difference."),
    ("money", "pools", "jetons", "`net` in jetons."),
    (
        "settled",
        "all",
        "yes/no",
        "No if a set was cut at the cap on its rolls: amounts and winner are then 0.",
    ),
)
"""Names, of which matches, unit, what it is; P stands for the number of a player."""
