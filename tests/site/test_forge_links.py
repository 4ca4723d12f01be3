"""The way from the pages to the forge: right addresses, which nobody's words can lead elsewhere."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pygit2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from folkmoot.files.reader import read_rule
from folkmoot.game import rulesets
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.referee.commands import asked, commands_in
from folkmoot.site.action_lines import action_line
from folkmoot.site.configuration import played_branch
from folkmoot.site.forge_links import LONGEST, ForgeLinks, links_of
from folkmoot.site.page_model import made
from folkmoot.site.render import sheets
from folkmoot.wording.game_view import GameView
from tests.support.site_game import HOME, game, proposal_text, render, render_game, rendered

GITHUB = ForgeLinks("github", HOME, "main", "demo")
GITEA = ForgeLinks("gitea", HOME, "main", "demo")
OUTWARD = re.compile(
    r'<a href="([^"]*)"(?: title="[^"]*")? rel="noopener noreferrer nofollow" class="fm-outward(?: btn)?">(.*?)</a>'
)


def on(view: GameView, forge: Any) -> GameView:
    return replace(view, documents={**view.documents, "game": {**view.document("game"), "forge": forge}})


def outward(text: str) -> dict[str, str]:
    return {words: html.unescape(address) for address, words in OUTWARD.findall(text)}


def fields(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query, keep_blank_values=True).items()}


def test_the_pencil_of_a_rule_opens_the_editor_on_its_file_on_each_forge_and_branch() -> None:
    pages = rendered()
    links = outward(pages["law/206.md"])
    assert links["Propose a change of it"] == f"{HOME}/edit/main/state/demo/rules/206.yaml"
    form = fields(links["or by a form"])
    assert form.pop("text").startswith("A defeat costs")
    assert form == {"template": "propose.yml", "rule": "206", "title": "Penalty for defeat"}
    gone = [path for path, text in pages.items() if path.startswith("law/") and "No longer in force." in text]
    assert gone
    assert all("fm-outward" not in pages[path] for path in gone)
    home = "https://host.example:3000/git/ann/g"
    github = on(replace(game(), branch="play/a b"), {"kind": "github", "home": home})
    links = outward(render_game(github)["law/206.md"])
    assert links["Propose a change of it"] == f"{home}/edit/play/a%20b/state/demo/rules/206.yaml"
    links = outward(render_game(on(game(), {"kind": "gitea", "home": home}))["law/206.md"])
    form = fields(links["Propose a change of it"])
    assert (form["template"], form["field:rule"]) == (".gitea/ISSUE_TEMPLATE/propose.yml", "206")


def test_a_new_rule_is_begun_with_a_file() -> None:
    address = outward(rendered()["law/index.md"])["Propose a new rule"]
    assert address.startswith(f"{HOME}/new/main?filename=")
    begun = fields(address)
    assert begun["filename"] == "state/demo/rules/new-rule.yaml"
    filled = begun["value"].replace('title: ""', "title: Tea").replace("text: |\n", "text: |\n  There is tea.\n")
    assert read_rule(filled, "x.yaml")["title"] == "Tea"
    script = filled.replace("\n#script", "\nscript").replace("\n#  ", "\n  ")
    assert "on_proposal_adopted" in read_rule(script, "x.yaml")["script"]


def test_every_action_is_shown_with_its_links_and_its_game_where_there_are_several() -> None:
    text = rendered()["act.md"]
    assert "/do propose title=… changes=…" in text
    assert outward(text)["Propose by a form"] == f"{HOME}/issues/new?template=propose.yml"
    state = text[text.index('id="act-state"') :].partition("</li>")[0]
    by_form = fields(outward(state)["Do it by a form"])
    assert by_form == {"template": "act.yml", "action": "state", "arguments": "text: \n"}
    assert "use_forge" not in text
    several = outward(render_game(replace(game(), alone=False))["act.md"])
    assert {fields(address)["game"] for address in several.values() if "/issues/new?" in address} == {"demo"}


@pytest.mark.parametrize(
    "forge",
    [None, "local", "github", {"kind": "local", "home": HOME}, {"kind": "github", "home": ""},
     {"kind": "github", "home": "ftp://forge.example/ann/g"}, {"kind": "github", "home": "javascript:alert(1)//a/b"},
     {"kind": "github", "home": "https://u:p@forge.example/ann/g"}, {"kind": "github", "home": "https://forge.example"},
     {"kind": "github", "home": 'https://forge.example/ann/g"onclick="x'}, {"kind": "github", "home": HOME + "?a=b"},
     {"kind": "github", "home": HOME + "/../.."}, {"kind": "odd", "home": HOME}, {"kind": "github", "home": HOME + "#x"}],
)  # fmt: skip
@pytest.mark.sampled(4)
def test_there_are_no_links_without_a_home(forge: Any) -> None:
    view = on(game(), forge)
    assert links_of(view) is None
    kinds = ("act.md", "law/index.md", "law/206.md", "proposals/311.md", "index.md")
    pages = {sheet.path: render(made(view, sheet)) for sheet in sheets(view) if sheet.path in kinds}
    assert [path for path in kinds if "fm-outward" in pages[path]] == []
    assert "What you can do" in pages["act.md"]


@pytest.mark.parametrize(("via", "place"), [
    ({"forge": "github", "pull": 7}, ("pull request 7", f"{HOME}/pull/7")),
    ({"forge": "github", "issue": 12}, ("issue 12", f"{HOME}/issues/12")),
    ({"forge": "gitea", "pull": 7}, None), ({"forge": "github", "pull": 0}, None), ({"forge": "local", "pull": 7}, None),
    ({"forge": "github", "issue": "12/../x"}, None), (None, None),
])  # fmt: skip
def test_a_proposal_leads_to_where_it_came_from(via: Any, place: tuple[str, str] | None) -> None:
    seen = game()
    seen.proposals["proposal/311"]["via"] = via
    found = outward(proposal_text(seen)).items()
    places = [(words, address) for words, address in found if "request" in words or "issue" in words]
    assert places == ([place] if place else [])
    assert GITEA.place({"forge": "gitea", "pull": 7}) == ("pull request 7", f"{HOME}/pulls/7")


def test_the_branch_is_the_one_that_is_played_on(tmp_path: Path) -> None:
    assert played_branch(tmp_path) == "main"
    repo = pygit2.init_repository(str(tmp_path), initial_head="trunk")
    assert played_branch(tmp_path) == "main", "before the first commit"
    who = pygit2.Signature("Ann", "ann@x.org", 0, 0)
    made = repo.create_commit("HEAD", who, who, "One", repo.TreeBuilder().write(), [])
    assert played_branch(tmp_path) == "trunk"
    (tmp_path / "inner").mkdir()
    assert played_branch(tmp_path / "inner") == "trunk"
    repo.references.create("refs/remotes/origin/play/it", made)
    repo.references.create("refs/remotes/origin/HEAD", "refs/remotes/origin/play/it")
    assert played_branch(tmp_path) == "play/it"
    repo.references.delete("refs/remotes/origin/HEAD")
    repo.set_head(made)
    assert played_branch(tmp_path) == "main", "where nothing is checked out by name"


# -- nothing leads elsewhere

ODD = st.text(max_size=30) | st.sampled_from(
    ["../../..", "?a=b&c", "#x", '"><script>', "%2e%2e/", "a\nb", "\ud800", "//evil.example"]
)


@given(ODD, ODD, ODD)
def test_no_words_lead_elsewhere(path: str, text: str, branch: str) -> None:
    for kind in ("github", "gitea"):
        links = ForgeLinks(kind, HOME, branch, "demo", alone=False)
        for address in (links.edit(f"rules/{path}"), links.new("inbox/a.yaml", text), links.form("act", action=path)):
            parts = urlsplit(address)
            assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "forge.example", "")
            assert parts.path.startswith("/ann/mail-game/")
            assert re.fullmatch(r"[A-Za-z0-9:/?&=%._~-]+", address)
        assert fields(links.form("act", action=path)).get("action" if kind == "github" else "field:action", "") == (
            path.encode("utf-8", "replace").decode()
        )


def test_addresses_stay_short_and_ask_for_no_field_that_no_link_can_fill() -> None:
    long = "é" * 5_000
    assert len(GITHUB.new("rules/x.yaml", long)) < LONGEST
    assert "value=" not in GITHUB.new("rules/x.yaml", long)
    address = GITHUB.form("propose", rule="203", text=long, title="Tea")
    assert fields(address) == {"template": "propose.yml", "rule": "203", "title": "Tea"}
    with pytest.raises(AssertionError, match="no field choice"):
        GITEA.form("act", choice="pay")


# -- lines of acts

DECLARED = {
    f"{ruleset}-{name}": (name, declared)
    for ruleset in rulesets.names()
    for rule in rulesets.founding(ruleset)["rules"]
    for name, declared in (rule.get("actions") or {}).items()
} | {name: (name, declared) for name, declared in KERNEL_DECLARATIONS.items()}


@pytest.mark.parametrize("each", DECLARED)
@pytest.mark.sampled(4)
def test_the_line_of_every_act_is_a_command(each: str) -> None:
    name, declared = DECLARED[each]
    (command,) = commands_in(action_line(name, declared).replace("[", "").replace("]", ""))
    wanted = asked(command, {name: declared})
    assert (wanted.flaw, wanted.do) == ("", name)
    assert set(wanted.args) == set(declared.get("arguments") or {})
