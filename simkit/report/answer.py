"""Claims and players in words, made of verdicts and of how the play looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from simkit.analysis.words import in_words, number
from simkit.report.numbers import capital

if TYPE_CHECKING:
    import pandas as pd

    from simkit.analysis.criteria import Verdict


def claim_words(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, str]]:
    """Each claim with its verdicts in words, those that agree taken together."""
    for claim in dict.fromkeys(verdict.claim for verdict in verdicts):
        here = [verdict for verdict in verdicts if verdict.claim == claim]
        one_rules = len({verdict.rules for verdict in here}) == 1
        together: dict[tuple[str, str], list[str]] = {}
        for verdict in here:
            pair = verdict.players if one_rules else f"{verdict.players}, {verdict.rules}"
            together.setdefault((verdict.verdict, verdict.meaning), []).append(pair)
        said = [
            f"{capital(outcome)}: {meaning}{'' if len(together) == 1 else f' ({in_words(pairs)})'}."
            for (outcome, meaning), pairs in together.items()
        ]
        elsewhere: dict[str, list[str]] = {}
        for verdict in here:
            pair = verdict.players if one_rules else f"{verdict.players}, {verdict.rules}"
            elsewhere.setdefault(verdict.elsewhere, []).append(pair)
        said += [
            f"{capital(where)}{'' if len(elsewhere) == 1 else f' ({in_words(pairs)})'}."
            for where, pairs in elsewhere.items()
            if where
        ]
        yield f"{claim}. {here[0].statement}", " ".join(said)


def refused(sanity: pd.DataFrame) -> Iterator[str]:
    """A sentence for each pair of players whose play was not used."""
    for record in sanity.to_dict("records"):
        if not record["usable"]:
            yield (
                f"The play of {record['player_1']} against {record['player_2']} was not used: "
                f"{number(float(record['capped']), 'share')} of it did not end and had to be cut."
            )


def verdict_words(verdicts: Iterable[Verdict], criteria_set: str) -> str:
    """What the three verdicts mean, and when their criteria were set."""
    if not list(verdicts):
        return ""
    return (
        f"Each claim is judged by a criterion, printed below with the numbers. Criteria were set {criteria_set}. "
        "Confirmed: every interval it names lies wholly on the claim's side of the threshold; refuted: one of "
        "them at least lies wholly on the other; undecided: neither. The thresholds are ours and not the "
        "authors', so an effect may be there and yet be refuted as too small."
    )
