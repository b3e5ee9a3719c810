"""What sets look like: counted again in plain words over played and made-up rows, in any blocks."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pytest
from rows import joined, part, random_rows

from simkit import catalogue
from simkit.analysis import set_counts
from simkit.analysis.estimates import Estimate
from simkit.analysis.question import MAIN, Played
from simkit.analysis.set_counts import COLUMNS, DOUBLED, OWN, SetCounts
from simkit.dataset import ENDED_BY
from simkit.drivers import play_chunk
from simkit.errors import ConfigError
from simkit.experiment import design
from simkit.rules import RefaitGrowth, RuleSet, Written

Rows = dict[str, Any]
Key = tuple[str, str, int | None]
LENGTHS = (2, 6)
QUESTION = SetCounts(lengths=LENGTHS)
CLASSICAL = catalogue.rule_set("ecrire_classical")
MALFILATRE = catalogue.rule_set("ecrire_malfilatre")


class RowsOf:
    """Stands for a run that holds rows of one play, in blocks."""

    def __init__(self, blocks: Sequence[Rows]) -> None:
        self.blocks = blocks

    def iter_sets(self, play: int, columns: Sequence[str]) -> Iterator[Rows]:
        for block in self.blocks:
            yield {name: block[name] for name in columns}


def estimates(rules: RuleSet, *blocks: Rows) -> dict[Key, Estimate]:
    """Everything the question estimates of rows."""
    played = Played(cast(Any, RowsOf(blocks)), {MAIN: 0})
    listed = list(QUESTION.estimates(rules, played, 0.95))
    found = {(one.measure, one.detail, one.sets): one for one in listed}
    assert len(found) == len(listed), "two rows share one key"
    return found


def mean_of(found: Mapping[Key, Estimate], measure: str, detail: str = "", sets: int | None = None) -> float:
    return found[measure, detail, sets].interval.mean


def made_up(matches: int, seed: int, capped: float = 0.0) -> Rows:
    """Rows of six sets with first scorers and settings beside what `random_rows` has."""
    rows = random_rows(matches, 6, seed, capped=capped)
    random = np.random.default_rng(seed + 1)
    size = rows["winner"].size
    rows["first_scorer"] = random.integers(1, 3, size).astype(np.int8)
    rows["settings"] = random.integers(1, 6, size).astype(np.int32)
    rows["settings_do_overs"] = rows["do_overs"] * 2
    rows["sorties"], rows["stalls"] = (random.integers(0, 2, size).astype(np.int16) for _ in range(2))
    return rows


@pytest.fixture(scope="module", params=["played", "made up", "made up by Malfilâtre"])
def case(request: pytest.FixtureRequest) -> tuple[RuleSet, Rows]:
    if request.param == "played":
        player = catalogue.player("greedy")
        return CLASSICAL, play_chunk(CLASSICAL.with_match(sets=6), (player, player), 5, 0, 40).sets
    if request.param == "made up":
        return CLASSICAL, made_up(70, 1, capped=0.01)
    return MALFILATRE, made_up(70, 2)


# ---------------------------------------------------------------- the same in plain words


@dataclasses.dataclass
class PlainSet:
    """A decided set as a reader of the score sheet would see it, priced by II.5.2."""

    match: int
    number: int
    winner: int
    won: int
    lost: int
    kind: str
    pickup: bool
    advance: bool
    value: dict[str, int]
    row: dict[str, int]


def plain_sets(rules: RuleSet, rows: Rows) -> list[PlainSet]:
    return [
        plain_set(rules, {name: int(rows[name][i]) for name in COLUMNS})
        for i in range(rows["winner"].size)
        if rows["winner"][i] != 0
    ]


def plain_set(rules: RuleSet, row: dict[str, int]) -> PlainSet:
    assert isinstance(rules.match, Written)
    tariff = rules.match.settlement
    w, o = row["winner"], 3 - row["winner"]
    won, lost = row[f"holes_{w}"], row[f"holes_{o}"]
    kind = "simple" if not row[f"run_intact_{w}"] else "grande" if won >= 12 else "petite"
    priced_by = o if lost >= 6 and tariff.late_run_price.value == "missed_run_of_opponent" else w
    held = not row[f"picked_up_{priced_by}"]
    times = {
        "simple": 1,
        "petite": tariff.mult_petite_held if held else tariff.mult_petite,
        "grande": tariff.mult_grande_held if held else tariff.mult_grande,
    }[kind]
    geometric = tariff.refait_growth is RefaitGrowth.GEOMETRIC
    growth = 2 ** row["do_overs"] if geometric else 1 + row["do_overs"]
    return PlainSet(
        match=row["match_id"],
        number=row["set_no"],
        winner=w,
        won=won,
        lost=lost,
        kind=kind,
        pickup=bool(row[f"picked_up_{w}"]),
        advance=row["first_scorer"] == w,
        value={
            name: m * (won + tariff.consolation * growth) - lost
            for name, m in ((OWN, times), (DOUBLED, 1 if kind == "simple" else 2 ** (won // 6)))
        },
        row=row,
    )


def share(sets: Sequence[PlainSet], shown: Any) -> float:
    return sum(1 for one in sets if shown(one)) / len(sets)


def test_holes_and_kinds(case: tuple[RuleSet, Rows]) -> None:
    found, sets = estimates(case[0], case[1]), plain_sets(*case)
    assert mean_of(found, "winner_holes") == pytest.approx(statistics.mean(s.won for s in sets))
    assert mean_of(found, "loser_holes") == pytest.approx(statistics.mean(s.lost for s in sets))
    for number in (6, 7, 11, 23):
        assert mean_of(found, "winner_holes_share", str(number)) == share(
            sets, lambda s, k=number: s.won == k
        )
    for number in (0, 5, 14):
        assert mean_of(found, "loser_holes_share", str(number)) == share(
            sets, lambda s, k=number: s.lost == k
        )
    for number in (6, 12, 18, 20, 30):
        detail = str(number)
        assert mean_of(found, "winner_holes_from", detail) == share(sets, lambda s, k=number: s.won >= k)
        assert mean_of(found, "run_holes_from", detail) == share(
            sets, lambda s, k=number: s.kind != "simple" and s.won >= k
        )
    assert mean_of(found, "loser_holes_from", "6") == share(sets, lambda s: s.lost >= 6)
    assert mean_of(found, "in_advance") == share(sets, lambda s: s.advance)
    for kind in ("simple", "petite", "grande"):
        assert mean_of(found, "kind", kind) == share(sets, lambda s, k=kind: s.kind == k)
        late = share(sets, lambda s, k=kind: s.kind == k and not s.advance)
        assert mean_of(found, "kind", f"{kind}, in arrears") == late
    for kind in ("petite", "grande"):
        with_, without = (
            [s for s in sets if s.kind == kind and s.pickup == pickup] for pickup in (True, False)
        )
        assert mean_of(found, "kind", f"{kind} with pickup") == len(with_) / len(sets)
        early = [s for s in without if s.advance]
        assert mean_of(found, "kind", f"{kind} without pickup, in advance") == len(early) / len(sets)
        if without:
            assert mean_of(found, "pickup_ratio", kind) == pytest.approx(len(with_) / len(without))


def test_ends_and_do_overs(case: tuple[RuleSet, Rows]) -> None:
    found, sets = estimates(case[0], case[1]), plain_sets(*case)
    concession = ENDED_BY.index("concession")
    assert mean_of(found, "conceded") == share(sets, lambda s: s.row["ended_by"] == concession)
    for measure, times in (("done_over", 1), ("done_over_twice", 2)):
        assert mean_of(found, measure) == share(sets, lambda s, k=times: s.row["do_overs"] >= k)
    goings = sum(s.row["settings"] + s.row["settings_do_overs"] for s in sets)
    again = sum(s.row["do_overs"] for s in sets)
    restarts = {name: sum(s.row[f"{name}s"] for s in sets) for name in ("sortie", "stall")}
    starts = goings + sum(restarts.values())
    expected = {
        "going": goings,
        "pickup": goings - len(sets) - again,
        "end": len(sets),
        "do-over": again,
        "reprise": restarts["sortie"],
        "stall": restarts["stall"],
    }
    for detail, number in expected.items():
        assert mean_of(found, "settings_ended", detail) == pytest.approx(number / starts)
    parts = ("pickup", "end", "do-over", "reprise", "stall")
    assert sum(mean_of(found, "settings_ended", detail) for detail in parts) == pytest.approx(1)


def test_values(case: tuple[RuleSet, Rows]) -> None:
    found, sets = estimates(case[0], case[1]), plain_sets(*case)
    for name in (OWN, DOUBLED):
        worth = [s.value[name] for s in sets]
        assert mean_of(found, "value_mean", name) == pytest.approx(statistics.mean(worth))
        assert mean_of(found, "value_sd", name) == pytest.approx(statistics.pstdev(worth))
        assert mean_of(found, f"value_quantile_{name}", "0.95") == np.quantile(
            worth, 0.95, method="inverted_cdf"
        )
        for points in (3, 20, 50, 100):
            assert mean_of(found, f"value_from_{name}", str(points)) == sum(v >= points for v in worth) / len(
                worth
            )
    every = sum(s.value[OWN] for s in sets)
    for kind in ("simple", "petite", "grande"):
        points = sum(s.value[OWN] for s in sets if s.kind == kind)
        assert mean_of(found, "points_by_kind", kind) == pytest.approx(points / every)
    own, other = (statistics.mean(s.value[name] for s in sets) for name in (OWN, DOUBLED))
    assert mean_of(found, "value_mean_ratio") == pytest.approx(other / own)
    counted = [one for (measure, _, _), one in found.items() if measure == "multiplier"]
    assert sum(one.interval.mean for one in counted) == pytest.approx(1)


def sign(x: int) -> int:
    return (x > 0) - (x < 0)


def plain_result(rules: RuleSet, sets: Sequence[PlainSet], by: str) -> int:
    """The exact result of a match, II.5.6, for player 1."""
    assert isinstance(rules.match, Written)
    tariff = rules.match.settlement
    d = sum(s.value[by] if s.winner == 1 else -s.value[by] for s in sets)
    won_1, won_2 = (sum(s.winner == player for s in sets) for player in (1, 2))
    t, more = tariff.tokens_per_set, won_1 - won_2
    lead = sign(2 * d + t * more) if tariff.token_tail_basis.value == "holdings" else sign(d)
    tail = t * won_1 if lead > 0 else -t * won_2 if lead < 0 else t * more // 2
    return d + tail + tariff.paris_per_set * more + tariff.tail_of_sets * sign(more)


def test_one_set_and_the_doubled_price(case: tuple[RuleSet, Rows]) -> None:
    rules, rows = case
    found, sets = estimates(rules, rows), plain_sets(rules, rows)
    for length in LENGTHS:
        by_match = [
            [s for s in sets if s.match == match and s.number <= length]
            for match in np.unique(rows["match_id"])
        ]
        cut = set(rows["match_id"][rows["winner"] == 0].tolist())
        whole = [match for match in by_match if match and match[0].match not in cut]
        results = {by: [plain_result(rules, match, by) for match in whole] for by in (OWN, DOUBLED)}
        for by in (OWN, DOUBLED):
            alone = dearest = 0
            for match, result in zip(whole, results[by], strict=True):
                winner = 1 if result > 0 else 2
                his = max((s.value[by] for s in match if s.winner == winner), default=0)
                alone += result != 0 and his >= abs(result)
                dearest += max(s.value[by] for s in match)
            assert mean_of(found, f"one_set_decides_{by}", sets=length) == alone / len(whole)
            every = sum(s.value[by] for match in whole for s in match)
            assert mean_of(found, f"dearest_set_{by}", sets=length) == pytest.approx(dearest / every)
            size = statistics.mean(map(abs, results[by]))
            assert mean_of(found, f"result_{by}", sets=length) == pytest.approx(size)
        changed = sum(sign(a) != sign(b) for a, b in zip(results[OWN], results[DOUBLED], strict=True))
        assert mean_of(found, "doubling_changes_winner", sets=length) == changed / len(whole)
        assert found["doubling_changes_winner", "", length].interval.n == len(whole)


# ---------------------------------------------------------------- by hand


def test_the_twelfth_hole_adds_thirty_points() -> None:
    """J.L. 1852, 224: 20 points with eleven holes against six, 50 with twelve; 33 and 64 without a pickup by
    the Vienna rules; 8 times 20 less 6 at eighteen holes where the price doubles."""
    found = estimates(CLASSICAL, made_up(4, 3))
    exact = {
        ("run_value", "hole 11, with pickup"): 20,
        ("run_value", "hole 12, with pickup"): 50,
        ("hole_adds", "hole 12, with pickup"): 30,
        ("run_value", "hole 11, without pickup"): 33,
        ("hole_adds", "hole 12, without pickup"): 31,
        ("run_value", "hole 17, doubled"): 70,
        ("run_value", "hole 18, doubled"): 154,
        ("hole_adds", "hole 18, doubled"): 84,
    }
    for (measure, detail), value in exact.items():
        assert mean_of(found, measure, detail) == value
        assert found[measure, detail, None].interval.method.startswith("exact")
    assert ("hole_adds", "hole 7, with pickup", None) not in found


def test_blocks_do_not_matter() -> None:
    rows = made_up(100, 4, capped=0.02)
    apart = [part(rows, slice(0, 33)), part(rows, slice(33, None))]
    assert (joined(apart)["winner"] == rows["winner"]).all()
    assert repr(estimates(CLASSICAL, rows)) == repr(estimates(CLASSICAL, *apart))


def test_ten_copies_of_a_match_say_no_more_than_one() -> None:
    """Intervals are by match: copies of each set within its match leave them as they are."""
    rows = made_up(128, 5)
    one = {name: column[rows["set_no"] == 1] for name, column in rows.items()}
    copies = {name: np.repeat(column, 6) for name, column in one.items()}
    copies["set_no"] = np.tile(np.arange(1, 7, dtype=np.int16), 128)
    single, many = (set_counts.set_sums([block], CLASSICAL.match.settlement, lengths) for block, lengths in  # type: ignore[union-attr]
                    ((one, ()), (copies, ())))  # fmt: skip
    for sums in (single, many):
        assert sums.n == 128
    a, b = (next(iter(set_counts.holes(sums, 0.95))).interval for sums in (single, many))
    assert (a.mean, a.se) == pytest.approx((b.mean, b.se))


def test_no_rows_are_never_an_error() -> None:
    rows = {name: column[:0] for name, column in made_up(1, 6).items()}
    for found in (estimates(CLASSICAL, rows), estimates(CLASSICAL)):
        assert math.isnan(mean_of(found, "winner_holes")) and found["done_over", "", None].interval.n == 0


# ---------------------------------------------------------------- the question


def test_it_plays_the_matches_of_the_experiments_on_tails() -> None:
    declared, tails = (design(catalogue.experiment(name)) for name in ("set_counts", "tail_of_sets"))
    ours = {(play.rules.play_digest, play.seed) for play in declared.plays}
    assert {(play.rules.play_digest, play.seed) for play in tails.plays} <= ours
    assert {play.rules.match.units for play in declared.plays} == {24}
    wanted = [
        catalogue.experiment(name).matches for name in ("set_counts", "written_duration", "tail_of_sets")
    ]
    assert wanted[0] == wanted[1] == wanted[2], "rows that are shared are analysed all"
    assert set(declared.times) == {1}


def test_rules_that_cannot_be_asked_of_are_refused() -> None:
    with pytest.raises(ConfigError, match="classical is not a match of several sets"):
        QUESTION.plays(catalogue.rule_set("classical"))
    limited = CLASSICAL.with_match(max_holes_per_set=18)
    with pytest.raises(ConfigError, match="max_holes_per_set = 18: a set that ends at a limit"):
        QUESTION.plays(limited)


@pytest.mark.parametrize("lengths", [(), (3,), (8, 8), (26,)])
def test_wrong_lengths_are_named(lengths: tuple[int, ...]) -> None:
    (problem,) = SetCounts(lengths=lengths).problems()
    assert problem.startswith(f"lengths = {lengths}: even numbers from 2 to 24")
