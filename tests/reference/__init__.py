"""The slow and obvious twin of the simulator, in plain Python.

It is written from the rules and the sources they cite, and shares no code with `simkit`; so a mistake would
have to be made twice to pass unseen. Every function cites the section of docs/rules.md it restates: M1 to M22,
3.2 or 4.1 are of Part I, the board; II.5.1 and the like of Part II, the match.

Men are lists of 26 integers: index = point in the owner's own count, 1 his talon, 12 his coin, 13 the other's
coin, 24 the other's talon; index 25 counts the men borne off and index 0 is not used. At the edge
(`legal_plays`, `awards`, the test positions) a side is a tuple of 24 counts, point 1 first, each side in its
own count, and the men that are missing to fifteen have been borne off. Players are 0 and 1 inside and 1 and 2
in the rows of a set.
"""
