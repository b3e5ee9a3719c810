"""The slow and obvious twin of trictrac combiné: two games on one board, told by holes and decisions.

Written from the rules (docs/rules.md, II.7), source 001 and the Vienna rules; it shares no code with `simkit`. Of
the twin of the written game it takes the ledger of holes and the price of a set. Players are 0 and 1.
"""
