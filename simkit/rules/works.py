"""The works that rule fields cite, by the keys used in their citations."""

import re
from typing import Final

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

SHORT: Final[dict[str, str]] = {
    "S0": "Académie, source 000",
    "S1": "encyclopedia, source 001",
    "S2": "general rules, source 002",
    "S3": "summary of Soumille, source 003",
    "S4": "toutes tables 225, source 004",
    "AC": "lessons of the Académie",
    "CH": "Charpentier 1698",
    "PR": "Principes 1749",
    "FA": "Fallavel 1776",
    "SG": "game explained after Soumille",
    "VT": "Vienna rules, 18th century",
    "GU": "Guiton 1822",
    "LP": "Lepeintre 1818",
    "JL": "J.L. 1852",
    "MA": "Malfilâtre 2013",
    "LU": "Ludii",
    "MM": "mmai/trictrac",
}
"""Key of a work -> author and year, for messages, where no list of works stands beneath."""

_KEY: Final = "|".join(SHORT)
_CITED: Final = re.compile(rf"\(((?:{_KEY})\b[^()]*)\)")


def in_words(message: str) -> str:
    """Put author and year for the keys of citations in brackets: ``(GU ch. VIII)``, ``(S1; JL 246)``."""
    return _CITED.sub(lambda found: f"({'; '.join(map(_named, found[1].split('; ')))})", message)


def _named(citation: str) -> str:
    key, place = citation[:2], citation[2:].strip(", ")
    return ", ".join(filter(None, (SHORT[key], place))) if key in SHORT else citation
