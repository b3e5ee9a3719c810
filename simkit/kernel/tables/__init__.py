"""The kernel of toutes tables and backgammon: one game from any position, on the planes and dice of its parent."""
