"""Faults to plant in the kernel and the drivers of toutes tables; files are named from `simkit/` on."""

from __future__ import annotations

from faults.planted import Fault

PLAYS, GAME, LOWER, CUBE, CHOICE, POINTS = (
    "kernel/tables/plays.py",
    "kernel/tables/game.py",
    "kernel/tables/lower.py",
    "kernel/tables/cube.py",
    "kernel/tables/choice.py",
    "drivers/points.py",
)

STATE = "drivers/tables_state.py"

FAULTS = (
    # movement
    Fault(
        "men leave while others are outside", PLAYS, "    if not is_home(low, high):\n        return 0\n", ""
    ),
    Fault(
        "men on the bar do not keep others from leaving",
        "kernel/tables/records.py",
        "OUTSIDE = BAR | (1 << 18) - 1",
        "OUTSIDE = (1 << 18) - 1",
    ),
    Fault(
        "an overflow takes any man",
        PLAYS,
        "    return farthest if farthest > exact else 0",
        "    return men & ~(exact | exact - 1)",
    ),
    Fault(
        "an overflow is never played",
        PLAYS,
        "    return farthest if farthest > exact else 0",
        "    return 0",
    ),
    Fault("the exact man stays", PLAYS, "    if men & exact:\n        return exact\n", ""),
    Fault(
        "a man enters on a closed point",
        PLAYS,
        "return 0 if closed & (1 << die >> 1) else BAR",
        "return BAR",
    ),
    Fault(
        "others move while a man waits",
        PLAYS,
        "    if (low | high | low >> 32 | high >> 32) & BAR:\n        return 0 if closed & (1 << die >> 1) else BAR\n",
        "    if (low | high | low >> 32 | high >> 32) & BAR and not closed & (1 << die >> 1):\n        return BAR\n",
    ),
    Fault(
        "a man enters one point too far",
        PLAYS,
        "return 1 << die >> 1 if start == BAR else",
        "return 1 << die if start == BAR else",
    ),
    Fault(
        "one man closes a point",
        PLAYS,
        "closed = mirrored(made(other_low, other_high))",
        "closed = mirrored(occupied(other_low, other_high))",
    ),
    Fault(
        "no point is closed",
        PLAYS,
        "closed = mirrored(made(other_low, other_high))",
        "closed = 0",
    ),
    Fault(
        "a closed rest is passed",
        PLAYS,
        "& ends >> (die_1 + die_2) & (ends >> die_1 | ends >> die_2)",
        "& ends >> (die_1 + die_2)",
    ),
    Fault(
        "both rests must be open",
        PLAYS,
        "& (ends >> die_1 | ends >> die_2)",
        "& (ends >> die_1 & ends >> die_2)",
    ),
    Fault(
        "a lone man moves twice", PLAYS, "        if not start & twos:\n            partners &= ~start\n", ""
    ),
    Fault(
        "a pair that ends as one man is listed again",
        PLAYS,
        "partners = from_2 & ~(start << die_1) & ~(start >> die_2)",
        "partners = from_2",
    ),
    Fault(
        "the other way round is forgotten",
        PLAYS,
        "        if rest_1 and rest_2 and (rest_1 | rest_2) & lone:\n",
        "        if False:\n",
    ),
    Fault(
        "a man passed over is not hit",
        PLAYS,
        "hit = (rest_1 if rest_1 else rest_2) & lone",
        "hit = 0",
    ),
    Fault(
        "who enters hits nobody",
        PLAYS,
        "            hit = (rest | end) & lone\n",
        "            hit = end & lone\n",
    ),
    Fault(
        "both men enter in one order only",
        PLAYS,
        "        if starts == BAR and order and count:\n",
        "        if order and count:\n",
    ),
    Fault(
        "one man outside still keeps all in",
        PLAYS,
        "    if men_on(low, high, OUTSIDE) < 2:",
        "    if men_on(low, high, OUTSIDE) < 1:",
    ),
    Fault(
        "the lower number if one alone can be played",
        PLAYS,
        "list_one_die(low, high, lone, closed, max(die_1, die_2), plays)",
        "list_one_die(low, high, lone, closed, min(die_1, die_2), plays)",
    ),
    Fault(
        "a number that can be played alone is lost",
        PLAYS,
        "        count = list_one_die(low, high, lone, closed, min(die_1, die_2), plays)\n",
        "        count = 0\n",
    ),
    # which plays are left
    Fault(
        "overflow counts as points",
        PLAYS,
        "return die if start == BAR else min(die, popcount(BOARD & ~(start - 1)))",
        "return die",
    ),
    Fault(
        "two numbers are worth no more than one",
        PLAYS,
        "worth = 7 if rules.max_dice else",
        "worth = second if rules.max_dice else",
    ),
    Fault(
        "either number will do if one alone can be played",
        PLAYS,
        "worth = first if rules.max_dice else gone\n",
        "worth = 1 if rules.max_dice else gone\n",
    ),
    Fault(
        "the first of equal plays alone is kept",
        PLAYS,
        "        if worth == best:\n            plays[0, count], plays[1, count], plays[2, count] = one_low, one_high, hit\n            count += 1\n",
        "        if worth == best and not count:\n            plays[0, count], plays[1, count], plays[2, count] = one_low, one_high, hit\n            count += 1\n",
    ),
    Fault(
        "a double may be left unplayed in part",
        PLAYS,
        "        worth = level + 1 if rules.max_dice else gone\n",
        "        worth = 1 if rules.max_dice else gone\n",
    ),
    Fault(
        "a double in part is worth as much",
        PLAYS,
        "        if worth > best:\n            best, count = worth, 0\n        if worth == best:\n            plays",
        "        if worth >= 1:\n            best = worth\n        if worth == best:\n            plays",
    ),
    Fault(
        "a double's men go in any order and are listed again",
        PLAYS,
        "            if start != BAR:\n                nexts &= -start\n",
        "",
    ),
    Fault("a double is played as in trictrac", PLAYS, "last = rules.doubles_played - 1", "last = 1"),
    Fault(
        "one man too many goes to the bar",
        PLAYS,
        "        low, high = add(low, high, BAR)\n",
        "        low, high = add(low, high, BAR)\n        low, high = add(low, high, BAR)\n",
    ),
    Fault("a man hit stands in the wrong place", PLAYS, "    places = mirrored(hit)\n", "    places = hit\n"),
    # the end of a game
    Fault(
        "double though one is off", GAME, "none_off = men_on(low, high, BOARD | BAR) == 15", "none_off = True"
    ),
    Fault(
        "a man on the bar counts as off",
        GAME,
        "none_off = men_on(low, high, BOARD | BAR) == 15",
        "none_off = men_on(low, high, BOARD) == 15",
    ),
    Fault(
        "all home is double",
        GAME,
        "return 2 if none_off and not at_home else 1",
        "return 2 if none_off else 1",
    ),
    Fault(
        "both conditions are needed where one is enough",
        GAME,
        "return 2 if none_off or not at_home else 1",
        "return 2 if none_off and not at_home else 1",
    ),
    Fault("no triple from the bar", GAME, "men_on(low, high, PETIT | BAR)", "men_on(low, high, PETIT)"),
    Fault("triple without the rule", GAME, "if rules.triple and none_off", "if none_off"),
    Fault(
        "the move rules are exchanged",
        LOWER,
        "record.max_dice = game.move_rule is MoveRule.MAX_DICE",
        "record.max_dice = game.move_rule is not MoveRule.MAX_DICE",
    ),
    Fault("the same player goes on", GAME, "        game.roller = other\n", "        game.roller = who\n"),
    Fault("hits are counted roll by roll", GAME, "game.hits[who] += popcount(hit)", "game.hits[who] += 1"),
    # the match
    Fault(
        "the same player begins both games",
        POINTS,
        "_played_first(games, 1 - last.first_player)",
        "_played_first(games, last.first_player)",
    ),
    Fault(
        "all men are always home", GAME, "game.all_home[who] = is_home(low, high)", "game.all_home[who] = 1"
    ),
    Fault(
        "a start serves one game",
        POINTS,
        "return (unit_no + before) % match.games_per_start == 0",
        "return unit_no + before >= 0",
    ),
    Fault(
        "the higher die does not begin",
        POINTS,
        "(dice[:, 1] > dice[:, 0])",
        "(dice[:, 1] < dice[:, 0])",
    ),
    Fault(
        "the dice of a start are not sorted",
        POINTS,
        "[np.sort(roll, axis=1) for roll in rolls]",
        "[np.sort(roll, axis=1)[:, ::-1] for roll in rolls]",
    ),
    Fault(
        "winner and loser are exchanged",
        POINTS,
        "last.winner if winner else 1 - last.winner",
        "1 - last.winner if winner else last.winner",
    ),
    Fault(
        "one point less wins the match",
        POINTS,
        "points.max(axis=1) >= match.match_points",
        "points.max(axis=1) >= match.match_points - 1",
    ),
    # the cube
    Fault("the other's cube is turned", CUBE, "        and game.cube_owner != 1 - game.roller\n", ""),
    Fault(
        "who doubles keeps the cube",
        CUBE,
        "    game.cube_owner = other\n",
        "    game.cube_owner = game.roller\n",
    ),
    Fault(
        "the cube goes beyond its limit",
        CUBE,
        "game.cube < rules.cube_limit",
        "game.cube <= rules.cube_limit",
    ),
    Fault("a double before the first roll", CUBE, "        and (game.rolls > 0 or game.under_way)\n", ""),
    Fault("a double in the game of rest", CUBE, "        and not game.cube_rests\n", ""),
    Fault("the cube is trebled", CUBE, "    game.cube *= 2\n", "    game.cube *= 3\n"),
    Fault(
        "a dropped game counts the double offered",
        GAME,
        "        game.points = game.cube\n",
        "        game.points = 2 * game.cube\n",
    ),
    Fault(
        "the cube does not count at the end",
        GAME,
        "game.points = game.cube * worth_of_win",
        "game.points = worth_of_win",
    ),
    Fault("who drops wins", GAME, "note_end(game, who, DROP)", "note_end(game, other, DROP)"),
    Fault(
        "the cube rests whenever one point is lacking",
        POINTS,
        "first = (needed.min(axis=1) == 1) & ~rested",
        "first = needed.min(axis=1) == 1",
    ),
    Fault(
        "the cube rests for who has most points still to go",
        POINTS,
        "first = (needed.min(axis=1) == 1) & ~rested",
        "first = (needed.max(axis=1) == 1) & ~rested",
    ),
    Fault("Crawford or not", POINTS, "games.cube_rests = first & match.crawford", "games.cube_rests = first"),
    Fault("the limit is not read", LOWER, "match.cube_limit if match.cube else 1", "32 if match.cube else 1"),
    Fault(
        "a game that wins the match is doubled",
        CUBE,
        "if not player.doubles or game.cube >= game.needed[game.roller]:",
        "if not player.doubles:",
    ),
    Fault(
        "the score is not seen",
        CUBE,
        "    if game.cube >= game.needed[1 - game.roller]:  # the match is lost with the game anyway\n        return True\n",
        "",
    ),
    Fault(
        "a second double like the first",
        CUBE,
        "player.offer_odds if game.cube_owner == NOBODY else player.redouble_odds",
        "player.offer_odds",
    ),
    Fault(
        "who drops sees the other's chance",
        CUBE,
        "-odds_of_roller(player, game) >= player.take_odds",
        "odds_of_roller(player, game) >= player.take_odds",
    ),
    # matches that go on from a state
    Fault(
        "points before it are forgotten",
        POINTS,
        "np.array([state.match_score for state in starts], np.int64)[place]",
        "np.zeros((len(ids), 2), np.int64)",
    ),
    Fault(
        "the score is the other player's",
        POINTS,
        "np.array([state.match_score for state in starts], np.int64)[place]",
        "np.array([state.match_score[::-1] for state in starts], np.int64)[place]",
    ),
    Fault("the cube lies at one again", POINTS, "np.array([state.cube for state in starts])[place]", "1"),
    Fault(
        "the cube is nobody's again",
        POINTS,
        "np.array([state.cube_owner for state in starts])[place]",
        "NOBODY",
    ),
    Fault(
        "the cube rests again",
        POINTS,
        "np.array([has_rested(state, match) for state in starts], np.bool_)[place]",
        "np.zeros(len(ids), np.bool_)",
    ),
    Fault(
        "who is to roll has begun the game",
        STATE,
        "return state.first_player if state.game_of_start else state.roller",
        "return state.roller",
    ),
    Fault(
        "a position is always the last from its start",
        STATE,
        "return (game_of(state, match) or match.games_per_start) - 1",
        "return match.games_per_start - 1",
    ),
    Fault(
        "a position is always the first from its start",
        STATE,
        "return (game_of(state, match) or match.games_per_start) - 1",
        "return max(state.game_of_start - 1, 0)",
    ),
    Fault(
        "the start that is told is not played again",
        POINTS,
        "[start_of(state, game) or (0, 0, 0, 0) for state in starts]",
        "[(1, 6, 1, 5) for state in starts]",
    ),
    Fault(
        "the opening roll that is told is not played again",
        POINTS,
        "told = opened[:, 0] > 0",
        "told = opened[:, 0] > 6",
    ),
    Fault(
        "who began alone counts as who began a pair",
        POINTS,
        "games.first_player ^= alone & (",
        "games.first_player ^= False & (",
    ),
    Fault(
        "games of one round are all of one kind",
        POINTS,
        "games[~anew] = _of_same_start(match, key, last[~anew].view(np.recarray), unit_no)",
        "games[~anew] = _of_new_start(game, match, key, last[~anew].view(np.recarray), unit_no)",
    ),
    # what positions are worth
    Fault("a race while men can meet", CUBE, "return men & -men > mirrored(", "return men > mirrored("),
    Fault("the lead is the other's", CUBE, "10_000 * (others - pips)", "10_000 * (pips - others)"),
    Fault("a row is any arrows held", CUBE, "        twos &= twos >> 1\n", "        twos &= twos - 1\n"),
    Fault(
        "men on the bar hit nobody",
        CHOICE,
        "    return mirrored(occupied(low, high)) | (low | high | low >> 32 | high >> 32) & BAR\n",
        "    return mirrored(occupied(low, high))\n",
    ),
    Fault(
        "five arrows are reached",
        CHOICE,
        "    return within | within >> 3\n",
        "    return within | within >> 2\n",
    ),
    Fault(
        "five arrows are shot at", CHOICE, "other >> 4, other >> 5, other >> 6", "other >> 4, other >> 5, 0"
    ),
    Fault(
        "a shot that makes four is lost",
        CHOICE,
        "near_2 & far_2 | both & (near_2 | far_2)",
        "near_2 & far_2",
    ),
    Fault("a man hit stays where he was", CHOICE, "            + loss_by_hits(player, hit)\n", ""),
    Fault("a man hit loses no way", CHOICE, "(24 * men - places_of(hit))", "places_of(hit)"),
    Fault(
        "a man hit still shoots", CHOICE, "men_there & ~hit | somebody << 24", "men_there | somebody << 24"
    ),
    Fault(
        "a man hit does not shoot from the bar",
        CHOICE,
        "men_there & ~hit | somebody << 24",
        "men_there & ~hit",
    ),
    Fault(
        "men on the bar are not shut out",
        CHOICE,
        "            + player.shut_out * waiting * popcount(made(low, high) & RETOUR)\n",
        "",
    ),
    Fault("men just hit are not shut out", CHOICE, "waiting_there + popcount(hit)", "waiting_there"),
    Fault(
        "the way home is forgotten",
        CHOICE,
        "        same += race_of(player, plays[0, 0], plays[1, 0])\n",
        "        pass\n",
    ),
    Fault("the last of equal plays", CHOICE, "        if worth > most:\n", "        if worth >= most:\n"),
    Fault(
        "a man moved borrows nothing",
        "kernel/board.py",
        "    fours = (low >> 32 ^ start) & twos\n",
        "    fours = low >> 32 & twos\n",
    ),
)
