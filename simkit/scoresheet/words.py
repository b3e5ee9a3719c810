"""The sheets in columns, as a player would write them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from simkit.rules import Settlement, TokenTailBasis, TokenTailTie
from simkit.scoresheet.jetons import JetonLine, JetonSheet, Payment, put
from simkit.scoresheet.sheet import LossSheet, Scoresheet, SetLine

INDENT: Final = " " * 6
WIDTH: Final = 78
LABEL: Final = 46
STEP: Final = 55


def told(sheet: Scoresheet) -> Iterator[str]:
    yield f"SCORESHEET of match {sheet.match}"
    yield from textwrap.wrap(f"{sheet.rules.title} ({sheet.rules.name})", WIDTH)
    if any(sheet.players):
        yield f"Player 1 is {sheet.players[0]}, player 2 {sheet.players[1]}."
    yield ""
    yield from _points_told(sheet)
    yield ""
    yield from _losses_told(sheet)
    yield ""
    yield from _jetons_told(sheet)


def _columns(label: str, one: object, two: object, *more: object) -> str:
    cells = "".join(f"{cell!s:>8}" for cell in (one or "", two or "", *more))
    return f"{label:<{LABEL}}{cells}".rstrip()


def _rule() -> str:
    return f"{'':<{LABEL}}{'------':>8}{'------':>8}"


def _points_told(sheet: Scoresheet) -> Iterator[str]:
    points, settled = sheet.points, sheet.settled
    settlement = sheet.rules.settlement
    assert isinstance(settlement, Settlement)
    yield "POINTS, to the winner of each set"
    yield _columns(f"{'set':>4}  {'holes':>7}  won as", 1, 2, "sum 1", "sum 2")
    if points.brought.sets:
        yield _columns(
            f"{INDENT}sets 1 to {points.brought.sets}", *points.brought.set_points, *points.brought.set_points
        )
    for line in points.lines:
        pair = put((0, 0), line.winner - 1, line.points, 0)
        yield _columns(_set_words(line), *pair, *line.sums)
    yield _rule()
    yield _columns(f"{INDENT}points of the sets", *(one or "0" for one in points.set_points))
    rows = (
        (f"{INDENT}tail of tokens", points.token_tail),
        (f"{INDENT}sets won, {settlement.paris_per_set} for each", points.paris),
        (f"{INDENT}tail of sets", points.tail_of_sets),
    )
    for name, pair in rows:
        if any(pair):
            yield _columns(name, *pair)
    yield _rule()
    yield _columns("", *(total or "0" for total in points.totals))
    yield from _indented(_result_words(settled, settlement))


def _set_words(line: SetLine) -> str:
    more = [f"{line.do_overs} do-over{'s' * (line.do_overs > 1)}"] * bool(line.do_overs)
    more += ["conceded"] * line.conceded
    holes = f"{line.holes[0]}-{line.holes[1]}"
    return f"{line.set_no:>4}  {holes:>7}  {', '.join((line.kind, *more))}"


def _result_words(settled: dict[str, int], settlement: Settlement) -> str:
    exact, money = settled["exact"], settled["money"]
    if not exact:
        words = "Nobody has won."
    else:
        words = f"Player {1 if exact > 0 else 2} wins {abs(exact)}"
        if settlement.round_unit is not None:
            words += f", rounded {abs(settled['rounded'])}"
        if settled["higher_die"]:
            words += f" (player {settled['higher_die']} threw the higher die)"
        words += "."
    if tail := settled["general_tail"]:
        words += f" The general tail of {abs(tail)} goes to player {1 if tail > 0 else 2}"
        words += f"; in all {_to_whom(money)}."
    return words


def _to_whom(money: int) -> str:
    return f"player {1 if money > 0 else 2} gets {abs(money)}" if money else "nobody gets anything"


def _losses_told(sheet: Scoresheet) -> Iterator[str]:
    losses = sheet.losses
    settlement = sheet.rules.settlement
    assert isinstance(settlement, Settlement)
    yield "LOSSES, on paper without jetons"
    yield _columns(f"{'set':>4}", "1 lost", "2 lost")
    if any(losses.brought):
        yield _columns(f"{INDENT}sets 1 to {sheet.points.brought.sets}", *losses.brought)
    for line, pair in zip(sheet.points.lines, losses.losses, strict=True):
        yield _columns(f"{line.set_no:>4}", *pair)
    yield _rule()
    yield _columns(f"{INDENT}lost in the sets", *(one or "0" for one in losses.sums))
    if any(losses.markers):
        tied = losses.sums[0] == losses.sums[1]
        name = "shared tail of tokens" if tied else f"sets lost, {settlement.tokens_per_set} for each"
        yield _columns(f"{INDENT}{name}", *losses.markers)
    if any(losses.paris):
        yield _columns(f"{INDENT}paris lost and their tail", *losses.paris)
    yield _rule()
    yield _columns("", *(total or "0" for total in losses.totals))
    yield f"{INDENT}{_loss_words(losses, settlement)}"
    if losses.differs:
        exact = sheet.settled["exact"]
        result = f"at {abs(exact)} for player {1 if exact > 0 else 2}" if exact else "level"
        yield from _indented(
            "In the match the tail of tokens goes by the jetons in hand, without those laid out for lost sets; it "
            f"ends {result}. Paper knows the points only."
        )


def _loss_words(losses: LossSheet, settlement: Settlement) -> str:
    amount = abs(losses.loss)
    if not amount:
        return "Both have lost the same."
    fish, jetons = divmod(amount, settlement.fish_unit)
    parts = [_count(fish, "fish", "fish")] * bool(fish) + [_count(jetons, "jeton")] * bool(jetons)
    words = f"Player {2 if losses.loss > 0 else 1} has lost {amount}: {' and '.join(parts)}"
    return f"{words}." if settlement.round_unit is None else f"{words}; rounded {abs(losses.rounded)}."


def _jetons_told(sheet: Scoresheet) -> Iterator[str]:
    settlement = sheet.rules.settlement
    assert isinstance(settlement, Settlement)
    yield f"JETONS AND FISH of {settlement.fish_unit}"
    if sheet.jetons is None:
        yield from textwrap.wrap(
            f"Not kept: {sheet.too_few}.", WIDTH, initial_indent=INDENT, subsequent_indent=INDENT
        )
        return
    yield from _step("set", "what is paid", "jetons", "fish", "markers")
    for line in sheet.jetons.lines:
        name = str(line.set_no) if line.step == "set" else {"brought": ""}.get(line.step, line.step)
        after = (f"{one}-{two}" for one, two in (line.after.jetons, line.after.fish, line.after.markers))
        yield from _step(name, _step_words(line, sheet, settlement), *after)
    yield f"{INDENT}{_division_words(sheet.jetons, settlement)}"
    yield from _indented(_result_words(sheet.settled, settlement))


def _step(name: str, words: str, *cells: str) -> Iterator[str]:
    *lines, last = textwrap.wrap(words, STEP - 8)
    for line in lines:
        yield f"{name:>5}  {line}"
        name = ""
    label = f"{name:>5}  {last}"
    yield f"{label:<{STEP}}" + "".join(f"{cell:>8}" for cell in cells)


def _step_words(line: JetonLine, sheet: Scoresheet, settlement: Settlement) -> str:
    if line.step == "start":
        return f"a stake of {settlement.stake} each"
    if line.step == "brought":
        return f"sets 1 to {sheet.points.brought.sets}"
    if line.payment is not None:
        return _payment_words(line.payment)
    assert sheet.jetons is not None
    one, two = sheet.jetons.in_hand
    counted = "in hand"
    if settlement.token_tail_basis is TokenTailBasis.SET_POINTS:
        counted = "markers put back,"
    if takes := sheet.jetons.takes_markers:
        what = f"player {takes} takes all"
    else:
        shared = settlement.token_tail_tie is TokenTailTie.SHARE
        what = "they are shared" if shared else "each keeps his own"
    return f"{counted} {one} to {two}: {what}"


def _payment_words(payment: Payment) -> str:
    parts = []
    if payment.returned:
        parts.append(f"{payment.returned} fish back")
    if payment.drawn:
        parts.append(f"{payment.drawn} fish drawn" if not payment.returned else f"{payment.drawn} drawn")
    if payment.jetons > 0:
        parts.append(_count(payment.jetons, "jeton"))
    if payment.jetons < 0:
        parts.append(f"{-payment.jetons} in change")
    return f"{payment.payer} pays {payment.amount}: {', '.join(parts)}"


def _division_words(sheet: JetonSheet, settlement: Settlement) -> str:
    if not sheet.exact:
        return f"The fish counted, each has his stake of {settlement.stake} again."
    loser = 2 if sheet.exact > 0 else 1
    table = sheet.lines[-1].after
    drawn = table.fish[2 - loser]
    owes = f" and owes {drawn} fish" if drawn else ""
    held = _count(table.jetons[loser - 1], "jeton")
    return f"Player {loser} has {held} of his {settlement.stake}{owes}: {abs(sheet.exact)} lost."


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)


def _count(number: int, one: str, more: str = "") -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"
