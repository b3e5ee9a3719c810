"""Length of sets and matches: counted again in plain words over played and made-up rows, in any blocks."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pytest
from rows import joined, part, random_parties, random_rows
from scipy import stats

from simkit import catalogue
from simkit.analysis import written_duration
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Played
from simkit.analysis.written_duration import PARTIE, WrittenDuration, duration_sums, fitted_seconds
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.experiment import design
from simkit.rules import TwelveHoles

Rows = dict[str, Any]
Key = tuple[str, str, int | None]
QUESTION = WrittenDuration(lengths=(2, 6))
RULES = catalogue.rule_set("ecrire_guiton")


class RowsOf:
    """Stands for a run of two plays, in blocks."""

    def __init__(self, *plays: Sequence[Rows]) -> None:
        self.plays = plays

    def iter_sets(self, play: int, columns: Sequence[str]) -> Iterator[Rows]:
        for block in self.plays[play]:
            yield {name: block[name] for name in columns}


def estimates(sets: Sequence[Rows], parties: Sequence[Rows]) -> dict[Key, Estimate]:
    """Everything the question estimates of rows."""
    played = Played(cast(Any, RowsOf(sets, parties)), {MAIN: 0, PARTIE: 1})
    listed = list(QUESTION.estimates(RULES, played, 0.95))
    found = {(one.measure, one.detail, one.sets): one for one in listed}
    assert len(found) == len(listed), "two rows share one key"
    return found


def mean_of(found: Mapping[Key, Estimate], measure: str, detail: str = "", sets: int | None = None) -> float:
    return found[measure, detail, sets].interval.mean


def made_up(matches: int, seed: int, capped: float = 0.0) -> Rows:
    rows = random_rows(matches, 6, seed, capped=capped)
    rows["settings"] = np.random.default_rng(seed).integers(1, 6, rows["winner"].size).astype(np.int32)
    rows["settings_do_overs"] = rows["do_overs"] * 2
    return rows


@pytest.fixture(scope="module", params=["played", "made up"])
def case(request: pytest.FixtureRequest) -> tuple[Rows, Rows]:
    if request.param == "made up":
        return made_up(90, 1, capped=0.01), random_parties(80, 1, capped=0.05)
    player = catalogue.player("prudent")
    plays = QUESTION.plays(RULES)
    sets, parties = (
        play_chunk(rules, (player, player), 6, 0, 40).sets
        for rules in (RULES.with_match(sets=6), plays[PARTIE].rules)
    )
    return sets, parties


def plain_matches(rows: Rows) -> list[list[tuple[int, int, int]]]:
    """(rolls, settings, rolls of attempts done over) of every set, do-overs included, by whole match."""
    matches: dict[int, list[tuple[int, int, int]]] = {}
    cut = set()
    for i in range(rows["winner"].size):
        match = int(rows["match_id"][i])
        if rows["winner"][i] == 0:
            cut.add(match)
        again = int(rows["rolls_do_overs"][i])
        settings = int(rows["settings"][i]) + int(rows["settings_do_overs"][i])
        matches.setdefault(match, []).append((int(rows["rolls"][i]) + again, settings, again))
    return [sets for match, sets in matches.items() if match not in cut]


def quantile(numbers: Sequence[int], share: float) -> float:
    """The smallest number that so large a share does not exceed."""
    return sorted(numbers)[math.ceil(share * len(numbers) - 1e-9) - 1]


def test_sets_and_matches(case: tuple[Rows, Rows]) -> None:
    found, matches = estimates([case[0]], [case[1]]), plain_matches(case[0])
    rolls = [rolls for match in matches for rolls, _, _ in match]
    settings = [settings for match in matches for _, settings, _ in match]
    assert mean_of(found, "set_rolls") == pytest.approx(statistics.mean(rolls))
    assert mean_of(found, "set_settings") == pytest.approx(statistics.mean(settings))
    assert mean_of(found, "rolls_per_setting") == pytest.approx(sum(rolls) / sum(settings))
    again = sum(again for match in matches for _, _, again in match)
    assert mean_of(found, "rolls_done_over") == pytest.approx(again / sum(rolls))
    for share in (0.05, 0.5, 0.95):
        assert mean_of(found, "set_rolls_quantile", f"{share:g}") == quantile(rolls, share)
        assert mean_of(found, "set_settings_quantile", f"{share:g}") == quantile(settings, share)
    for length in QUESTION.lengths:
        of_match = [sum(rolls for rolls, _, _ in match[:length]) for match in matches]
        assert found["rolls", "", length].interval.n == len(matches)
        assert mean_of(found, "rolls", sets=length) == pytest.approx(statistics.mean(of_match))
        assert mean_of(found, "skewness", sets=length) == pytest.approx(stats.skew(of_match))
        assert mean_of(found, "rolls_quantile", "0.95", length) == quantile(of_match, 0.95)
        settings = [sum(settings for _, settings, _ in match[:length]) for match in matches]
        assert mean_of(found, "settings_quantile", "0.5", length) == quantile(settings, 0.5)


def test_the_fitted_speed_and_what_the_sources_say(case: tuple[Rows, Rows]) -> None:
    found, matches = estimates([case[0]], [case[1]]), plain_matches(case[0])
    rolls = [rolls for match in matches for rolls, _, _ in match]
    seconds = 1800 / quantile(rolls, 0.5)
    assert mean_of(found, "seconds_fitted") == pytest.approx(seconds)
    assert mean_of(found, "seconds_to_fit", "0.05") == pytest.approx(900 / quantile(rolls, 0.05))
    assert mean_of(found, "seconds_to_fit", "0.95") == pytest.approx(2700 / quantile(rolls, 0.95))
    assert mean_of(found, "sets_within", "20") == sum(45 <= r <= 135 for r in rolls) / len(rolls)
    inside = sum(900 <= r * seconds <= 2700 for r in rolls)
    assert mean_of(found, "sets_within_stated") == inside / len(rolls)
    parties = case[1]["rolls"][case[1]["winner"] != 0].tolist()
    assert mean_of(found, "parties_within_stated") == (
        sum(1800 <= r * seconds <= 5400 for r in parties) / len(parties)
    )
    assert mean_of(found, "partie_minutes_quantile", "0.5") == pytest.approx(
        quantile(parties, 0.5) * seconds / 60
    )
    for length in QUESTION.lengths:
        minutes = [sum(rolls for rolls, _, _ in match[:length]) * seconds / 60 for match in matches]
        within = sum(15 * length <= m <= 45 * length for m in minutes)
        assert mean_of(found, "matches_within_stated", sets=length) == within / len(minutes)
        above = sum(m > 30 * length for m in minutes)
        assert mean_of(found, "matches_above_middle", sets=length) == above / len(minutes)


def spread_below(rolls: Sequence[int], limit: float) -> float:
    """Share below a limit, each number lying evenly between half a roll less and half a roll more."""
    return sum(min(max(limit - (r - 0.5), 0.0), 1.0) for r in rolls) / len(rolls)


def test_the_speed_by_the_range_and_the_end_that_matches_lean_to(case: tuple[Rows, Rows]) -> None:
    """Found by halving: as many sets are shorter than 15 minutes as are longer than 45."""
    found, matches = estimates([case[0]], [case[1]]), plain_matches(case[0])
    rolls = [rolls for match in matches for rolls, _, _ in match]
    low, high = 0.0, float(max(rolls))  # rolls in 15 minutes
    for _ in range(60):
        tried = (low + high) / 2
        few = spread_below(rolls, tried) + spread_below(rolls, 3 * tried) < 1
        low, high = (tried, high) if few else (low, tried)
    assert mean_of(found, "seconds_by_range") == pytest.approx(900 / low)
    for length in QUESTION.lengths:
        of_match = [sum(rolls for rolls, _, _ in match[:length]) for match in matches]
        above = 1 - spread_below(of_match, 2 * low * length)
        assert mean_of(found, "above_middle_by_range", sets=length) == pytest.approx(above)


def test_even_lengths_lean_to_neither_end() -> None:
    """Lengths evenly to both sides of 60 rolls: half of the matches are above, at 30 seconds a roll."""
    random = np.random.default_rng(8)
    rows = made_up(3000, 8)
    rows["rolls"][:], rows["rolls_do_overs"][:] = random.integers(20, 101, rows["rolls"].size), 0
    found = estimates([rows], [random_parties(70, 2)])
    assert mean_of(found, "seconds_by_range") == pytest.approx(30, rel=0.02)
    half = found["above_middle_by_range", "", 6].interval
    assert half.low < 0.5 < half.high and half.high - half.low < 0.1


def test_a_set_beside_a_partie(case: tuple[Rows, Rows]) -> None:
    found, matches = estimates([case[0]], [case[1]]), plain_matches(case[0])
    parties = case[1]["rolls"][case[1]["winner"] != 0].tolist()
    ours = statistics.mean(rolls for match in matches for rolls, _, _ in match)
    assert mean_of(found, "partie_rolls") == pytest.approx(statistics.mean(parties))
    assert mean_of(found, "set_to_partie") == pytest.approx(ours / statistics.mean(parties))
    assert mean_of(found, "partie_rolls_quantile", "0.25") == quantile(parties, 0.25)


def test_sets_of_one_length_by_hand() -> None:
    """All sets take 60 rolls: 30 seconds a roll, every set and match as stated, none above the middle."""
    rows = made_up(70, 2)
    rows["rolls"][:], rows["rolls_do_overs"][:] = 50, 10
    found = estimates([rows], [random_parties(70, 2)])
    assert mean_of(found, "seconds_fitted") == 30
    assert mean_of(found, "sets_within_stated") == mean_of(found, "matches_within_stated", sets=6) == 1
    assert mean_of(found, "matches_above_middle", sets=6) == 0
    assert mean_of(found, "rolls_done_over") == pytest.approx(1 / 6)
    assert mean_of(found, "minutes_quantile", "0.5", 6) == 180


def test_blocks_do_not_matter() -> None:
    rows, parties = made_up(100, 3, capped=0.02), random_parties(100, 3)
    apart = [part(rows, slice(0, 33)), part(rows, slice(33, None))]
    assert (joined(apart)["winner"] == rows["winner"]).all()
    two = [part_of(parties, slice(0, 9)), part_of(parties, slice(9, None))]
    assert repr(estimates([rows], [parties])) == repr(estimates(apart, two))


def part_of(rows: Rows, which: slice) -> Rows:
    return {name: column[which] for name, column in rows.items()}


def test_cut_matches_are_left_out_and_counted() -> None:
    rows = made_up(200, 4, capped=0.02)
    cut = np.unique(rows["match_id"][rows["winner"] == 0]).size
    sums = duration_sums([rows], (2, 6))
    assert cut > 0 and sums.truncated == cut and sums.n == 200 - cut


def test_no_rows_are_never_an_error() -> None:
    found = estimates([], [])
    assert math.isnan(mean_of(found, "set_rolls")) and math.isnan(mean_of(found, "seconds_fitted"))
    assert found["matches_within_stated", "", 6].interval.n == 0
    assert math.isnan(fitted_seconds(duration_sums([], (2,))))


def test_it_plays_the_same_matches_and_parties_by_the_same_rules() -> None:
    declared, counts = (design(catalogue.experiment(name)) for name in ("written_duration", "set_counts"))
    written = [play for play in declared.plays if play.rules.match.units == written_duration.LONGEST]
    assert {play.rules.play_digest for play in written} == {play.rules.play_digest for play in counts.plays}
    parties = [play.rules for play in declared.plays if isinstance(play.rules.match, TwelveHoles)]
    assert {rules.game for rules in parties} == {play.rules.game for play in written}
    assert len(parties) + len(written) == len(declared.plays)


def test_a_partie_is_refused() -> None:
    with pytest.raises(ConfigError, match="classical is not a match of several sets"):
        QUESTION.plays(catalogue.rule_set("classical"))
    (problem,) = WrittenDuration(lengths=(7,)).problems()
    assert problem.startswith("lengths = (7,)")
