"""The works that rule fields cite, by the keys used in their citations."""

WORKS: dict[str, str] = {
    "S0": "Académie des jeux oubliés, Le trictrac à écrire (English translation of the lesson), source 000",
    "S1": "Trictrac, encyclopedia article, source 001",
    "S2": "Trictrac, short general rules, source 002",
    "S3": "Summary of Soumille 1766 in a games database, source 003",
    "S4": "Toutes tables 225, an article on the game and on Backgammon 225, source 004",
    "AC": "Académie des jeux oubliés, lessons on the game in twelve holes",
    "CH": "Charpentier, 1698",
    "PR": "Principes du jeu de trictrac, Guillyn, 1749",
    "FA": "Fallavel, dictionary of terms, 1776",
    "SG": "The game explained after Soumille, 85 commented rolls, in a modern compilation",
    "VT": "The anonymous Vienna rules of trictrac à écrire, 75 articles, 18th century",
    "GU": "Guiton, Traité complet du jeu de trictrac, 2nd edition, 1822",
    "LP": "Lepeintre, Cours complet de trictrac, 1818",
    "JL": "J.L., Le jeu de trictrac rendu facile, 1852, by paragraph",
    "MA": "Malfilâtre, Lois et règles du trictrac, 2013, by article",
    "LU": "Ludii, Grand Trictrac, a program and its description",
    "MM": "mmai/trictrac, a program",
}
"""Key of a work -> the work in full."""
