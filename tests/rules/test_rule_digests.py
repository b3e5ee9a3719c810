"""Digests name what is played. These are pinned: a change of one means that stored play no longer fits."""

from __future__ import annotations

import hashlib

import pytest

from simkit import catalogue
from simkit.rules import PartieSettlement, RuleSet, Settlement, Source, Written, canonical, replace

GOLDEN = {
    "academie": (
        "113d908c9fe6115cae9ffed592028682e265f28975635733c131061856157691",
        "ab8f6914af7b755d0958cfd8ac461ac16d146c4a86559f10ee4b1624fd99bd2c",
    ),
    "classical": (
        "f4f4619b82f275791f8a5b0762201c25c5b538af16e9ee3cc82983ff7dd89eea",
        "f4f4619b82f275791f8a5b0762201c25c5b538af16e9ee3cc82983ff7dd89eea",
    ),
    "combine_chouette": (
        "3d192a2437d63bab71e4d4b2d5e48d2a5016819135df20dd84cd814719838ca4",
        "58590d0bb2976c0379df2168df8c1e8610519748d4894760d3f8da3a6134299f",
    ),
    "combine_two_v_two": (
        "dce513e4357576949bef7cdb12d8968820642b8a9ba4e47d9c9fbd8fcdbef7fd",
        "1a2e850ca81079b95d003ce31179f51936bd7a49f19252dfc15444bdd11b913d",
    ),
    "combine_classical": (
        "ef9795bf952fe9514d2a968bd44f5fad711957b7706228e52edff1ae9646184d",
        "d9c91a5a1113139e67b75a9ea72ea019ab077a11d99247994cdba737418ce0a8",
    ),
    "ecrire_academie": (
        "6de118e45ebc59e4ae3dcd8209e28cc63097e100f9e54d03b260ec383e8ac577",
        "6de118e45ebc59e4ae3dcd8209e28cc63097e100f9e54d03b260ec383e8ac577",
    ),
    "ecrire_academie_no_tail_of_sets": (
        "6de118e45ebc59e4ae3dcd8209e28cc63097e100f9e54d03b260ec383e8ac577",
        "97d475e2d10b85d551841cece5ac8dbcb5b2c65be188d32f76dfc83a5434da75",
    ),
    "ecrire_academie_no_tail_of_tokens": (
        "6de118e45ebc59e4ae3dcd8209e28cc63097e100f9e54d03b260ec383e8ac577",
        "2f15a22f810e7870e2f640c58a648b75e9afb04e348a31a3d1f5d6523058bb44",
    ),
    "ecrire_academie_no_tails": (
        "6de118e45ebc59e4ae3dcd8209e28cc63097e100f9e54d03b260ec383e8ac577",
        "60d4c364601bacfd47c888cade2c5e6c4b40a931eb9656b661cdf9e936e036a9",
    ),
    "ecrire_classical": (
        "3630f4ab94c946c1fdd724c5e0bdcf4495e38a262a095d7e1430375da6b9cbc1",
        "2b11353bcc61c99444d9da533b7e569177a925ca59ba747551dbfcad86149e7a",
    ),
    "ecrire_guiton": (
        "7a0acc5a27235d98450c2ebc63cbf51b25a4b31eec294803f2341aad7fecf683",
        "77f49ce645e394d738683c31bcf836e1a24af1529758c2480972151b70563433",
    ),
    "ecrire_jl1852": (
        "7a0acc5a27235d98450c2ebc63cbf51b25a4b31eec294803f2341aad7fecf683",
        "77f49ce645e394d738683c31bcf836e1a24af1529758c2480972151b70563433",
    ),
    "ecrire_lepeintre": (
        "7a0acc5a27235d98450c2ebc63cbf51b25a4b31eec294803f2341aad7fecf683",
        "89837290b92c9c088623e165ce6703ca9569fd25592d4ee4175037418424a5f3",
    ),
    "ecrire_malfilatre": (
        "cddf1c56e67e163883e6d6f7f22f80c7cc0cb244ff92ca45b2a9d837a3e0adcc",
        "2e7976f792aafae9e9012824f981daf2767ce1c5363c46072a57a1c49875ac79",
    ),
    "general_summary": (
        "0a42795309070756e02046e7e5b621ae853443270ca270290f9758b22b3f4a8e",
        "0a42795309070756e02046e7e5b621ae853443270ca270290f9758b22b3f4a8e",
    ),
    "malfilatre_2013": (
        "f0d23da318c9dbbd85286112d7c50805316d714cdc956499c79127b89a101538",
        "3afd5ac6497caef4ee765eca5fc6c3bcaf9d434d04fc885b451fa7436360feb2",
    ),
    "province_1749": (
        "62015fc4fc035629da4eb385dff030f0d781bd5f41559ef2623349d8f4310c3f",
        "62015fc4fc035629da4eb385dff030f0d781bd5f41559ef2623349d8f4310c3f",
    ),
    "soumille_1766": (
        "f0d23da318c9dbbd85286112d7c50805316d714cdc956499c79127b89a101538",
        "f0d23da318c9dbbd85286112d7c50805316d714cdc956499c79127b89a101538",
    ),
    "soumille_1766_dlp": (
        "aa319537488957a4d2906fe0ec192538e3da1ecc47e5601273f3fc6b1625847f",
        "aa319537488957a4d2906fe0ec192538e3da1ecc47e5601273f3fc6b1625847f",
    ),
    "twelve_hole": (
        "f4f4619b82f275791f8a5b0762201c25c5b538af16e9ee3cc82983ff7dd89eea",
        "f4f4619b82f275791f8a5b0762201c25c5b538af16e9ee3cc82983ff7dd89eea",
    ),
    "twelve_hole_honours": (
        "f4f4619b82f275791f8a5b0762201c25c5b538af16e9ee3cc82983ff7dd89eea",
        "a1879dd75b14db9b495c8b62a209d3a5baa28e00cc1412b9516222b420f08d86",
    ),
    "chouette_guiton": (
        "f351cc0e3525f9834da4d4c46ac10d70adc98f8b454c0fc4b547f71a8eb58e4d",
        "81b8a406306bb2370ed1a02fbbd9392ca502536bc1ef27bb5312c165fb556d99",
    ),
    "five_jl1852": (
        "b96bbc4197b33ee0c8fe1e56a0220040de5c9036704250ef9f4e26f3721108c1",
        "0ad1626d3c16ee14eb566f31c9ebd42cf2016f7c130cdaaad8b6c9d6a1badbf1",
    ),
    "tourner_classical": (
        "5dd89b272704f908348b757bd32bc527733f23b0a4e8819efd65f94ee332dc6d",
        "e89daa9d61a52ebfa774c2edfd8350b4386e8e8f3fff6f02410ca61f278d3e22",
    ),
    "tourner_guiton": (
        "72c354f9aa015267ca2bce8ee3959c584a92dafbabab7d47bf0b131f477d1d1f",
        "f836b2ab4a959e45a810d6f81fbd2a60b132beb8aac0ae8e72d4614e92fac065",
    ),
    "two_v_two_guiton": (
        "382950ad3de5e4be7739ba38414378179b42efd03992359d5a959a4b939b6ba9",
        "1aff01eb00f94d9cab0f10547889c3ca10c89d11812b349b76009df23a9bedbe",
    ),
    "pool_drain": (
        "61904adbea90ef73c6f49fe3a088e7a7ac596b499bc6e2cc8a15a8b548d4172b",
        "61904adbea90ef73c6f49fe3a088e7a7ac596b499bc6e2cc8a15a8b548d4172b",
    ),
    "pool_drain_fallavel": (
        "906b1f412861f8c9b85fdcb6abe508afb1a601794a207df1faa285765020f44d",
        "906b1f412861f8c9b85fdcb6abe508afb1a601794a207df1faa285765020f44d",
    ),
    "pool_fill": (
        "e6703ec6adb5ed1c07ab8e663d91e95b1b61fd0ac37d8de6d178370a48917423",
        "e6703ec6adb5ed1c07ab8e663d91e95b1b61fd0ac37d8de6d178370a48917423",
    ),
    "pool_fill_defences": (
        "b7a712fee45479c70ccf66fde6791cf43bc6cfb2e5b11c4e637fa1ffb8bc32d2",
        "d3cbdbd1345e42d1f6cb0c54ff821f1e8d717944e115117b8f08547aaceb84d8",
    ),
    "backgammon": (
        "9e50c57cde8f0c7f30efc368090b0bd33949f9df75bd7a84a2327a7b71794189",
        "9e50c57cde8f0c7f30efc368090b0bd33949f9df75bd7a84a2327a7b71794189",
    ),
    "backgammon_225": (
        "ad23d7561ba73c6e08f1e3b46bdb8224cbe3e3b81115f66379690fa85352c58d",
        "ad23d7561ba73c6e08f1e3b46bdb8224cbe3e3b81115f66379690fa85352c58d",
    ),
    "backgammon_225_cube": (
        "3ef5b0023f7dfdcd711e504983794abbbeed0021720a17e6ce268e7dff5fd13b",
        "3ef5b0023f7dfdcd711e504983794abbbeed0021720a17e6ce268e7dff5fd13b",
    ),
    "backgammon_cube": (
        "fc76cf674a1c779a0ed835f4ad3abdefd4685b40d6ab9822febce9fc15924192",
        "fc76cf674a1c779a0ed835f4ad3abdefd4685b40d6ab9822febce9fc15924192",
    ),
    "toutes_tables": (
        "6ed9b27c14b549a09db7acb2803ebc1720d17389626c6b03f3c1d699921b3305",
        "6ed9b27c14b549a09db7acb2803ebc1720d17389626c6b03f3c1d699921b3305",
    ),
    "toutes_tables_225": (
        "5f8ab74a1914846fa93f6f9c4dce9fc123c9531b1450d897c945a703b6fde58a",
        "5f8ab74a1914846fa93f6f9c4dce9fc123c9531b1450d897c945a703b6fde58a",
    ),
}


def test_every_rule_set_of_the_catalogue_is_pinned() -> None:
    assert set(GOLDEN) == set(catalogue.names().rule_sets)


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_digests(name: str) -> None:
    rules = catalogue.rule_set(name)
    assert (rules.play_digest, rules.digest) == GOLDEN[name]


def test_the_text_behind_the_digests() -> None:
    rules = catalogue.rule_set("ecrire_academie_no_tails")
    game = '{"bear_off_exact_policy":"mandatory","first_roll_method":"draw_then_throw","type":"Trictrac"}'
    assert rules.canonical_play() == '{"game":' + game + ',"match":{"type":"Written"}}'
    settlement = '{"tail_of_sets":0,"tokens_per_set":0,"type":"Settlement"}'
    assert (
        rules.canonical()
        == '{"game":' + game + ',"match":{"settlement":' + settlement + ',"type":"Written"}}'
    )
    assert rules.digest == hashlib.sha256(rules.canonical().encode()).hexdigest()


def test_a_settlement_changes_no_play() -> None:
    rules = catalogue.rule_set("ecrire_academie")
    other = rules.with_settlement(tail_of_sets=40, tokens_per_set=0, round_unit=None)
    assert other.play_digest == rules.play_digest
    assert other.digest != rules.digest


@pytest.mark.parametrize("change", [{"sets": 12}, {"set_min_holes": 5}])
def test_a_rule_of_play_changes_both_digests(change: dict[str, int]) -> None:
    rules = catalogue.rule_set("ecrire_academie")
    other = rules.with_match(**change)
    assert other.play_digest != rules.play_digest
    assert other.digest != rules.digest


def test_prose_is_no_rule() -> None:
    rules = catalogue.rule_set("ecrire_academie")
    other = replace(rules, name="other", title="Other", notes="", sources=(Source(work="Nobody"),))
    assert (other.play_digest, other.digest) == (rules.play_digest, rules.digest)


def test_two_classes_at_their_defaults_have_different_digests() -> None:
    assert canonical(PartieSettlement()) == '{"type":"PartieSettlement"}' != canonical(Settlement())


def test_a_value_written_out_at_its_default_changes_nothing() -> None:
    assert canonical(Written()) == canonical(Written(sets=8)) == '{"type":"Written"}'
    rules = catalogue.rule_set("ecrire_academie")
    assert RuleSet.from_json(rules.to_json()).digest == rules.digest
