"""Compiled functions on bit-plane boards: dice, plays, awards, marking, ledgers. They play one unit."""
