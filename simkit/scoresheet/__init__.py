"""The account of one written match as players keep it: points on a sheet, losses on paper, jetons and fish.

Three ways to the same result, each with the steps of its source, from the sets as they stand in the rows:

- *points* (source 000, 7 and 8): the points of every set to its winner, then the tails and the sets;
- *losses* (source 001, Scoring with paper and pencil; Vienna rules, article 57): what each player lost, in two
  columns; the smaller sum is taken from the larger one;
- *jetons* (source 001, Match settlement): a stake for each, every set paid at once, fish drawn from the box and
  handed back, a marker or two laid out for each set lost.

What a set is worth, and how the final difference is rounded, comes from `simkit.settle`. The losses on paper
know no jetons in hand: where these decide the tail of tokens (`settlement.token_tail_basis` = holdings) the paper
may end elsewhere than the match, and says so.
"""

from simkit.scoresheet.jetons import JetonLine, JetonSheet, Payment, Standing, Table, fish_flow, table_after
from simkit.scoresheet.sheet import LossSheet, PointSheet, Scoresheet, SetLine, scoresheet

__all__ = [
    "JetonLine",
    "JetonSheet",
    "LossSheet",
    "Payment",
    "PointSheet",
    "Scoresheet",
    "SetLine",
    "Standing",
    "Table",
    "fish_flow",
    "scoresheet",
    "table_after",
]
