"""The forms that a forge offers: well-formed, with what the rules offer in them, and read back as they are written."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema_rs
import pytest

from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.issue_forms import FORMS, GAME, SPARED, UNCHOSEN
from folkmoot.game import rulesets
from folkmoot.kernel.act_declarations import ADMINISTRATIVE, KERNEL_DECLARATIONS
from folkmoot.referee.form_files import FOLDERS, Offered, form_files
from folkmoot.referee.forms import form_asked, read_form
from tests.support.issues import written

NOTHING: Any = lambda _title, _changes: {"why": "no rule in force takes in rule-changes"}  # noqa: E731


def offered(ruleset: str, game: str = "moor") -> Offered:
    rules = rulesets.founding(ruleset)["rules"]
    actions = {name: declared for rule in rules for name, declared in (rule.get("actions") or {}).items()}
    statuses = {str((rule.get("labels") or {}).get("status") or "") for rule in rules} - {""}
    return Offered(game, {**actions, **KERNEL_DECLARATIONS}, tuple(sorted(statuses)))


def forms(*games: Offered, forge: str = "github") -> dict[str, Any]:
    files = form_files(forge, games)
    return {path.rpartition("/")[2]: load_yaml(text, path) for path, text in files.items()}


def fields(form: dict[str, Any]) -> dict[str, Any]:
    return {item["id"]: item for item in form["body"] if "id" in item}


def test_the_forms_are_what_forges_understand() -> None:
    schemas = pytest.importorskip("check_jsonschema.builtin_schemas", reason="check-jsonschema has the schemas")
    judges = {
        kind: jsonschema_rs.validator_for(
            json.loads(json.dumps(schemas.get_builtin_schema(f"vendor.github-issue-{kind}")))
        )
        for kind in ("config", "forms")
    }
    for ruleset in rulesets.names():
        for file, data in forms(offered(ruleset), offered("suber", "fen")).items():
            judge = judges["config" if file == "config.yml" else "forms"]
            assert [error.message for error in judge.iter_errors(data)] == [], file


@pytest.mark.parametrize("ruleset", rulesets.names())
@pytest.mark.sampled(3)
def test_every_form_has_the_fields_that_are_read_back(ruleset: str) -> None:
    made = forms(offered(ruleset))
    for name, known in FORMS.items():
        shown = fields(made[f"{name}.yml"])
        assert [name for name in shown if name not in SPARED] == [each.id for each in known if each.id not in SPARED]
        assert made[f"{name}.yml"]["labels"] == ["game"]
        for each in (each for each in known if each.id in shown):
            field = shown[each.id]
            assert field["attributes"]["label"] == each.label
            assert field["type"] == {"line": "input", "area": "textarea", "choice": "dropdown"}[each.kind]
            assert field["attributes"].get("render", "") == each.renders
            assert field["validations"]["required"] == each.required
            options = field["attributes"].get("options", [])
            assert len(options) == len(set(options))
            assert bool(options) == (each.kind == "choice")


def test_what_rules_have_a_use_for_is_offered_and_nothing_else() -> None:
    """Where all rules have one status nothing is transmuted, and without such actions no request travels."""
    plain = {name: fields(forms(offered(name))["propose.yml"]) for name in rulesets.names()}
    assert plain["suber"]["to"]["attributes"]["placeholder"] == "immutable, mutable"
    assert "retool section=… to=…" in plain["imperial"]["requests"]["attributes"]["placeholder"]
    assert not {"to", "requests"} & set(plain["lanterns"])
    for name, shown in plain.items():
        assert ("to" in shown) == ("Transmute a rule" in shown["change"]["attributes"]["options"]), name
    assert "to" in fields(forms(offered("lanterns"), offered("suber", "fen"))["propose.yml"])
    body = "### Rule-change\n\nEnact a new rule\n\n### Rule\n\n_No response_\n\n### Title of the rule\n\nTea\n\n### Text\n\n"
    filled = read_form(f"{body}```markdown\nTea.\n```\n\n### Script\n\n```python\n\n```")
    assert filled is not None
    assert (filled.flaw, filled["title"], filled["to"], filled["requests"]) == ("", "Tea", "", "")


@pytest.mark.parametrize("ruleset", rulesets.names())
@pytest.mark.sampled(3)
def test_every_choice_is_understood(ruleset: str) -> None:
    game = offered(ruleset)
    made = forms(game)
    for action in fields(made["act.yml"])["choice"]["attributes"]["options"]:
        filled = read_form(written("act", {"choice": action}))
        assert filled is not None
        wanted = form_asked(filled, "", game.actions, NOTHING)
        assert (wanted.do, wanted.flaw) == (action.partition(":")[0], "")
        assert wanted.do not in ADMINISTRATIVE
    for what in fields(made["say.yml"])["what"]["attributes"]["options"]:
        filled = read_form(written("say", {"what": what, "text": "So it is."}))
        assert filled is not None
        wanted = form_asked(filled, "", game.actions, NOTHING)
        assert (wanted.flaw, list(wanted.args.values())) == ("", ["So it is."])
    for change in fields(made["propose.yml"])["change"]["attributes"]["options"]:
        filled = read_form(written("propose", {"change": change}))
        assert filled is not None
        flaw = form_asked(filled, "", game.actions, lambda _t, _c: {"do": next(iter(game.actions))}).flaw
        assert "choose the kind" not in flaw


@pytest.mark.parametrize("ruleset", rulesets.names())
@pytest.mark.sampled(3)
def test_where_a_server_chooses_the_first_of_each_menu_that_is_no_choice(ruleset: str) -> None:
    """Gitea 1.22 and Forgejo 7 send the first choice of a menu that nobody touched, so a link of the site works there."""
    game = offered(ruleset)
    made = forms(game, forge="gitea")
    menus = {name: fields(made[f"{name}.yml"]) for name in FORMS}
    for name, known in FORMS.items():
        for each in (each for each in known if each.kind == "choice"):
            first, *others = menus[name][each.id]["attributes"]["options"]
            assert others == fields(forms(game)[f"{name}.yml"])[each.id]["attributes"]["options"]
            filled = read_form(written(name, {each.id: first}, gitea=True))
            assert filled is not None
            assert filled[each.id] == ""
    first = menus["act"]["choice"]["attributes"]["options"][0]
    named = menus["act"]["choice"]["attributes"]["options"][-1].partition(":")[0]
    filled = read_form(written("act", {"choice": first, "action": named}, gitea=True))
    assert filled is not None
    assert form_asked(filled, "", game.actions, NOTHING).do == named


def test_the_game_is_asked_for_where_there_are_several() -> None:
    made = forms(offered("suber"), offered("imperial", "fen"))
    for name in FORMS:
        game = fields(made[f"{name}.yml"])["game"]
        assert game["attributes"]["label"] == GAME.label
        assert game["attributes"]["placeholder"] == "moor, fen"
        assert game["validations"]["required"] is True
    filled = read_form(written("act", {"choice": "throw_die"}, game="fen"))
    assert filled is not None
    assert (filled["game"], filled["choice"]) == ("fen", "throw_die")


def test_both_forges_get_the_same_forms_where_they_look_for_them() -> None:
    files = {forge: form_files(forge, [offered("suber")]) for forge in FOLDERS}
    assert set(files["github"]) >= {".github/ISSUE_TEMPLATE/act.yml", ".github/ISSUE_TEMPLATE/config.yml"}
    unchosen = re.compile(f" +- ['\"]?{re.escape(UNCHOSEN)}['\"]?\n")
    assert [*files["github"].values()] == [unchosen.sub("", text) for text in files["gitea"].values()]
    assert form_files("local", [offered("suber")]) == {}
    assert form_files("github", []) == {}


def test_hostile_words_of_rules_stay_words() -> None:
    summary = "x\n</details>\n- evil: `y`\n```\n@everyone <img src=x> " + "z" * 500
    actions = {"pay": {"summary": summary, "arguments": {"to": {"type": "choice", "of": ["a: b", "- c", "#d"]}}}}
    made = forms(Offered("moor", actions, ("mutable", "odd\nstatus", "x" * 400, '"quoted": [')))
    assert fields(made["act.yml"])["choice"]["attributes"]["options"] == ["pay: to"]
    statuses = fields(made["propose.yml"])["to"]["attributes"]["placeholder"]
    assert statuses == 'mutable, "quoted": ['
