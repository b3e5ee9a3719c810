"""The catalogue finds declarations by name, alias and file, and says what is near when it does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import simkit
from simkit import catalogue
from simkit.errors import ConfigError, UsageError
from simkit.rules import (
    BearOffExactPolicy,
    FirstRollMethod,
    PriceScheme,
    TwelveHoles,
    Written,
    apply_all,
    diff,
    replace,
)

DECLARATION = """
from simkit.rules import RuleSet, Trictrac, Written, replace

MINE = RuleSet(name="mine", title="Mine", game=Trictrac(), match=Written(sets=6))
"""


def write(folder: Path, text: str, name: str = "rules.py") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_catalogue_of_this_version() -> None:
    names = catalogue.names()
    assert names.rule_sets == (
        "academie",
        "backgammon",
        "backgammon_225",
        "backgammon_225_cube",
        "backgammon_cube",
        "chouette_guiton",
        "classical",
        "combine_chouette",
        "combine_classical",
        "combine_two_v_two",
        "ecrire_academie",
        "ecrire_academie_no_tail_of_sets",
        "ecrire_academie_no_tail_of_tokens",
        "ecrire_academie_no_tails",
        "ecrire_classical",
        "ecrire_guiton",
        "ecrire_jl1852",
        "ecrire_lepeintre",
        "ecrire_malfilatre",
        "five_jl1852",
        "general_summary",
        "malfilatre_2013",
        "pool_drain",
        "pool_drain_fallavel",
        "pool_fill",
        "pool_fill_defences",
        "province_1749",
        "soumille_1766",
        "soumille_1766_dlp",
        "tourner_classical",
        "tourner_guiton",
        "toutes_tables",
        "toutes_tables_225",
        "twelve_hole",
        "twelve_hole_honours",
        "two_v_two_guiton",
    )
    assert set(names.players) >= {"random", "prudent", "greedy"}
    assert set(names.players) >= {"tables_linear", "tables_lookahead", "tables_cube", "tables_cube_lookahead"}
    assert names.aliases == {
        "a_ecrire": "ecrire_academie",
        "combine": "combine_classical",
        "soumille": "soumille_1766",
    }


def test_the_page_of_the_rules_begins_with_all_of_them() -> None:
    text = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = [line for line in text.split("\n## ")[0].splitlines() if line.startswith("| `")]
    listed = re.findall(r"`(\w+)`", "\n".join(row.split("|")[1] for row in rows))
    names = catalogue.names()
    assert sorted(listed) == sorted([*names.rule_sets, *names.aliases])


def test_presets_are_those_of_their_sources() -> None:
    classical, academie = catalogue.rule_set("classical"), catalogue.rule_set("academie")
    assert classical.game.first_roll_method is FirstRollMethod.DRAW_IS_FIRST_THROW
    assert classical.game.bear_off_exact_policy is BearOffExactPolicy.OPTIONAL
    assert academie.game.first_roll_method is FirstRollMethod.DRAW_THEN_THROW
    assert academie.game.bear_off_exact_policy is BearOffExactPolicy.MANDATORY
    assert isinstance(academie.match, TwelveHoles)
    assert academie.match.settlement.price_scheme is PriceScheme.DOUBLE
    written = catalogue.rule_set("ecrire_academie")
    assert written.game == academie.game
    assert written.match == Written(sets=8)
    assert all(catalogue.rule_set(name).sources for name in catalogue.names().rule_sets)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("general_summary", {"game.first_roll_method": "draw_then_throw"}),
        (
            "malfilatre_2013",
            {"game.pile_de_misere_enabled": True, "settlement.honours_double_max_loser_holes": 5},
        ),
        (
            "province_1749",
            {
                "game.bear_off_exact_policy": "inside_first",
                "game.bear_off_two_short_combined": "only_to_conserve",
            },
        ),
        ("soumille_1766", {"game.pile_de_misere_enabled": True}),
        (
            "soumille_1766_dlp",
            {
                "game.movement_scope": "own_half",
                "game.max_men_per_point": 2,
                "game.corner_par_puissance": False,
                "game.forbidden_jan_rule": "none",
                "game.false_hits_enabled": False,
                "game.corner_hit_enabled": False,
                "game.fills_enabled": False,
                "game.conserve_enabled": False,
                "game.impuissance_enabled": False,
                "game.sortie_enabled": False,
                "game.stall_limit": 200,
            },
        ),
        ("twelve_hole", {}),
        ("twelve_hole_honours", {"settlement.price_scheme": "honours"}),
    ],
)
def test_a_preset_differs_from_the_classical_game_in_nothing_else(
    name: str, changes: dict[str, object]
) -> None:
    assert diff(catalogue.rule_set(name), apply_all(catalogue.rule_set("classical"), changes)) == ()


GUITON = {"settlement.token_tail_basis": "holdings", "settlement.general_tail_basis": "exact"}


@pytest.mark.parametrize(
    ("name", "base", "changes"),
    [
        (
            "ecrire_classical",
            "classical",
            {
                **GUITON,
                "match.set_first_die": "alternate",
                "settlement.mult_petite_held": 3,
                "settlement.mult_grande_held": 5,
                "settlement.late_run_price": "missed_run_of_opponent",
                "settlement.tokens_per_set": 1,
                "settlement.round_five": "die",
            },
        ),
        ("ecrire_guiton", "classical", GUITON),
        ("ecrire_jl1852", "classical", GUITON),
        ("ecrire_lepeintre", "classical", {**GUITON, "settlement.general_tail": 20}),
        (
            "ecrire_malfilatre",
            "malfilatre_2013",
            {
                "match.set_first_die": "alternate",
                "settlement.refait_growth": "geometric",
                "settlement.tokens_per_set": 1,
                "settlement.round_unit": None,
            },
        ),
    ],
)
def test_a_written_preset_differs_from_the_academie_in_nothing_else(
    name: str, base: str, changes: dict[str, object]
) -> None:
    academie = replace(catalogue.rule_set("ecrire_academie"), game=catalogue.rule_set(base).game)
    assert diff(catalogue.rule_set(name), apply_all(academie, changes)) == ()


def test_soumille_tells_first_what_its_text_says_and_names_the_other_set() -> None:
    lines = catalogue.rule_set("soumille").words()
    opening = " ".join(line.strip() for line in lines[:14])
    assert "Source 003, a summary of Soumille's book, says: men move on their owner's half only" in opening
    assert "That cannot be the whole game: it fills no jan, bears no man off" in opening
    assert "the rule set soumille_1766_dlp." in opening
    assert "the rule set soumille_1766." in " ".join(catalogue.rule_set("soumille_1766_dlp").words()[:6])


def test_names_aliases_and_values() -> None:
    rules = catalogue.rule_set("ecrire_academie")
    assert catalogue.rule_set("a_ecrire") is rules
    assert catalogue.rule_set(rules) is rules
    player = catalogue.player("random")
    assert player.name == "random"
    assert catalogue.player(player) is player


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ecrire_academi", "no rule set is called ecrire_academi; did you mean ecrire_academie or "),
        ("a_ecrir", "no rule set is called a_ecrir; did you mean a_ecrire?"),
        ("whist", "no rule set is called whist; simkit list names the "),
    ],
)
def test_an_unknown_rule_set_gets_the_nearest_names(name: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        catalogue.rule_set(name)
    assert str(caught.value).startswith(words)


def test_unknown_players_and_experiments() -> None:
    with pytest.raises(UsageError, match=r"no player is called gredy; did you mean greedy\?"):
        catalogue.player("gredy")
    with pytest.raises(UsageError, match="no experiment is called nothing_like_it"):
        catalogue.experiment("nothing_like_it")
    with pytest.raises(UsageError, match="no player is called ecrire_academie"):
        catalogue.player("ecrire_academie")


def test_a_json_file_is_a_rule_set(tmp_path: Path) -> None:
    rules = catalogue.rule_set("ecrire_academie").with_settlement(tail_of_sets=10)
    assert catalogue.rule_set(write(tmp_path, rules.to_json(), "mine.json")) == rules


def test_a_bad_json_file_is_named_with_each_problem(tmp_path: Path) -> None:
    text = catalogue.rule_set("ecrire_academie").to_json()
    path = write(tmp_path, text.replace('"sets": 8', '"sets": 7').replace('"up"', '"dice"'), "mine.json")
    with pytest.raises(ConfigError) as caught:
        catalogue.rule_set(path)
    assert len(caught.value.problems) == 2
    assert all(problem.startswith(f"{path}: ") for problem in caught.value.problems)


def test_a_truncated_or_missing_or_unreadable_file(tmp_path: Path) -> None:
    text = catalogue.rule_set("ecrire_academie").to_json()
    with pytest.raises(ConfigError, match="not JSON"):
        catalogue.rule_set(write(tmp_path, text[:100], "cut.json"))
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        catalogue.rule_set(str(tmp_path / "absent.json"))
    with pytest.raises(UsageError, match="cannot be read"):
        catalogue.rule_set(str(tmp_path / "absent.py") + ":MINE")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"binary\.json is no text in UTF-8"):
        catalogue.rule_set(str(tmp_path / "binary.json"))


def test_a_python_file_by_variable_by_name_or_alone(tmp_path: Path) -> None:
    path = write(tmp_path, DECLARATION)
    assert catalogue.rule_set(f"{path}:MINE").name == "mine"
    assert catalogue.rule_set(f"{path}:mine") == catalogue.rule_set(path)
    more = write(tmp_path, DECLARATION + 'OTHER = replace(MINE, name="other")\n', "two.py")
    with pytest.raises(UsageError, match=r"give one as .*:NAME, NAME being MINE or OTHER"):
        catalogue.rule_set(more)
    with pytest.raises(UsageError, match=r"no rule set is called MIN; did you mean MINE"):
        catalogue.rule_set(f"{path}:MIN")
    with pytest.raises(UsageError, match="declares no rule set"):
        catalogue.rule_set(write(tmp_path, "X = 1\n", "none.py"))


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (
            "from simkit.rules import Written\nX = Written(sets=7)\n",
            ConfigError,
            "line 2: match.sets: 7 is not",
        ),
        ("X = (\n", UsageError, "line 1: SyntaxError"),
        ("\nX = nothing\n", UsageError, "line 2: NameError"),
        ("import a_module_nobody_has\n", UsageError, "line 1: ModuleNotFoundError"),
    ],
)
def test_a_faulty_file_is_told_with_its_line(
    tmp_path: Path, text: str, error: type[Exception], words: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(error) as caught:
        catalogue.rule_set(f"{path}:X")
    assert str(caught.value).startswith(f"{path}, {words}")


def test_outside_a_checkout_the_packaged_copy_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "simkit"
    (package / "_packaged" / "configs").mkdir(parents=True)
    (package.parent / "configs").mkdir()  # somebody else's folder, beside the installed package
    monkeypatch.setattr(simkit, "__file__", str(package / "__init__.py"))
    assert catalogue.folder("configs") == package / "_packaged" / "configs"
    (package.parent / "pyproject.toml").touch()
    assert catalogue.folder("configs") == package.parent / "configs"
