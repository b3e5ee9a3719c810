"""The slow and obvious twin of toutes tables, backgammon and their forms with 225 starts.

Written from the rules (docs/rules.md, part III) and source 004; it shares no code with `simkit`, nor with the
twin of trictrac. A side is a tuple of 26 numbers of men by **its own distance**: index 25 is the bar, 24 to 1 the
points it has still to cross, 0 the men borne off. What stands at distance d of one side stands at 25 - d of the
other.
"""
