"""`moot init` and `moot key --dice`: a repository and its forge made ready, once and for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from folkmoot.files.fast_reader import load_yaml
from folkmoot.forges.workflows import BEGIN
from folkmoot.game.secret_store import read_masters
from folkmoot.journal import GameFolder
from folkmoot.ops.doctor.place import Game
from folkmoot.ops.doctor.repository_files import (
    attributes,
    code_owners,
    wanted_workflows,
    with_addresses,
)
from folkmoot.site.preparation import prepare_site
from tests.forges.github.emulator import TOKEN
from tests.forges.github.settings import SettledGitHub
from tests.ops.conftest import FOUND, HOME, ON_GITHUB, Moot
from tests.support.meeting import git


def tree() -> dict[str, bytes]:
    """Return every file here but git's own."""
    found = [path for path in Path().rglob("*") if path.is_file() and path.parts[0] != ".git"]
    return {str(path): path.read_bytes() for path in found}


def head() -> str:
    return git(Path.cwd(), "rev-parse", "HEAD").strip()


def settings(name: str = "dragons") -> dict[str, Any]:
    return GameFolder(Path("state") / name).archive("game") or {}


def test_a_game_for_gitea_has_the_files_of_gitea(moot: Moot) -> None:
    home = "https://codeberg.org/moot/game"
    assert moot(*FOUND).code == 0
    said = moot("init", "--forge", "gitea", "--home", home, "--login", "ann=annabel:7", "--site", "https://x.example/")
    assert said.code == 0, said.err
    assert Path(".gitea/workflows/referee.yml").exists()
    assert Path(".gitea/CODEOWNERS").read_text().splitlines()[-1] == "!state/.* @annabel"
    assert 'edit_uri: "src/branch/main/site_src/"' in Path("mkdocs.yml").read_text()
    assert 'site_url: "https://x.example/"' in Path("mkdocs.yml").read_text()
    assert not Path(".github").exists()


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (("--forge", "github"), 1, "where does the game lie"),
        (("--forge", "github", "--home", "nowhere"), 1, "no address of a repository"),
        (("--forge", "github", "--home", "https://ann:pw@github.com/a/b"), 0, ""),
        (("--home", "https://x.example/a/b"), 1, "which kind of forge is it?"),
        ((*ON_GITHUB, "--login", "zed=z:9"), 1, "no player of that name: zed"),
        ((*ON_GITHUB, "--login", "ann"), 2, "NAME=VALUE"),
        ((*ON_GITHUB, "--login", "ann=a b"), 2, "PLAYER=LOGIN"),
    ],
)
def test_what_cannot_go_to_a_forge_stays_as_it_is(moot: Moot, more: tuple[str, ...], code: int, said: str) -> None:
    assert moot(*FOUND).code == 0
    before = tree()
    done = moot("init", *more)
    assert done.code == code
    assert said in done.err
    if code:
        assert tree() == before
    else:
        assert "pw" not in (Path("mkdocs.yml").read_text() + str(settings()))


def test_a_game_that_one_person_kept_goes_to_a_forge_once(moot: Moot) -> None:
    assert moot(*FOUND).code == 0
    before = head()
    said = moot("init", *ON_GITHUB, "--json")
    assert said.code == 0, said.err
    assert len(said.record["recorded"]) == 3
    wrote = set(said.record["written"])
    assert wrote >= {".github/workflows/check.yml", ".github/CODEOWNERS", "mkdocs.yml", "ci/site_pages.py"}
    assert "@annabel" in Path(".github/CODEOWNERS").read_text()
    assert 'site_url: "https://moot.github.io/game/"' in Path("mkdocs.yml").read_text()
    roster = GameFolder(Path("state/dragons")).archive("roster") or {}
    assert roster["bob"]["handles"]["github"] == {"id": "1002", "login": "bobby"}
    assert said.record["settings"] == []
    assert settings()["forge"] == {"kind": "github", "home": HOME}
    assert git(Path.cwd(), "rev-list", "--count", f"{before}..HEAD").strip() == "1"
    assert git(Path.cwd(), "status", "--porcelain") == ""
    assert moot("verify").code == 0
    files, commit = tree(), head()
    git(Path.cwd(), "remote", "add", "origin", f"{HOME}.git")
    for arguments in ((), ("--forge", "github"), ("--home", HOME), ON_GITHUB):
        said = moot("init", *arguments)
        assert (said.code, "as it must be" in said.out) == (0, True), said.err
    assert "/do identify" in moot("init", "--login", "ann=another:99").err
    elsewhere = moot("init", "--forge", "github", "--home", "https://github.com/moot/other")
    assert elsewhere.code == 1
    assert "/do use_forge forge=github home=https://github.com/moot/other" in elsewhere.err
    assert (tree(), head()) == (files, commit), "nor does doing it again"


def test_what_people_wrote_in_files_stays(moot: Moot) -> None:
    assert moot(*FOUND).code == 0
    Path(".gitattributes").write_text("*.png binary\n")
    assert prepare_site(Path.cwd())
    config = Path("mkdocs.yml").read_text()
    Path("mkdocs.yml").write_text(
        config.replace('site_name: "Folkmoot"', 'site_name: "Ours"  # by us\nsite_url: https://o.example/')
    )
    assert moot("init", *ON_GITHUB).code == 0
    assert Path(".gitattributes").read_text().startswith("*.png binary\n")
    assert "state/** -text" in Path(".gitattributes").read_text()
    text = Path("mkdocs.yml").read_text()
    assert 'site_name: "Ours"  # by us' in text
    assert "site_url: https://o.example/" in text
    assert text.count("site_url:") == 1


def test_the_number_of_an_account_is_asked_for(
    served: SettledGitHub, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLKMOOT_TOKEN", TOKEN)
    served.accounts["annabel"] = 583231
    assert moot(*FOUND).code == 0
    monkeypatch.setenv("FOLKMOOT_TOKEN", TOKEN)
    assert moot("init", *ON_GITHUB[:4], "--login", "ann=annabel").code == 0
    roster = GameFolder(Path("state/dragons")).archive("roster") or {}
    assert roster["ann"]["handles"]["github"] == {"id": "583231", "login": "annabel"}
    monkeypatch.setenv("FOLKMOOT_TOKEN", TOKEN)
    assert "nobody is called nobody" in moot("init", *ON_GITHUB[:4], "--login", "ann=nobody").err


# -- the forge


@pytest.fixture
def founded(served: SettledGitHub, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> Moot:
    assert (moot(*FOUND).code, moot("init", *ON_GITHUB).code) == (0, 0)
    git(Path.cwd(), "remote", "add", "origin", f"{HOME}.git")
    served.requests.clear()

    def run(*arguments: str) -> Any:
        monkeypatch.setenv("FOLKMOOT_TOKEN", TOKEN)
        return moot(*arguments)

    return run


def changes(github: SettledGitHub) -> list[str]:
    return [f"{request.method} {request.url.path}" for request in github.requests if request.method != "GET"]


def test_settings_are_named_and_put_right_with_apply_and_not_again(founded: Moot, served: SettledGitHub) -> None:
    said = founded("init", "--json")
    assert {each["state"] for each in said.record["settings"]} == {"to do"}
    assert len(said.record["settings"]) >= 7
    said = founded("init", "--apply", "--yes", "--json")
    assert {each["state"] for each in said.record["settings"]} == {"done"}
    assert served.labels == {"game"}
    assert served.pages_from == "workflow"
    made = served.opened("FOLKMOOT_CHANCE")
    assert read_masters(made)
    assert made not in said.out + said.err
    assert TOKEN not in said.out + said.err
    wrote = len(changes(served))
    assert founded("init", "--apply", "--yes", "--json").record["settings"] == []
    assert len(changes(served)) == wrote


def test_what_the_token_may_not_see_is_told_and_is_no_success(founded: Moot, served: SettledGitHub) -> None:
    served.hidden = {"/pages"}
    said = founded("init", "--apply", "--yes")
    assert said.code == 1
    assert "The token may not see where Pages come from" in said.err
    assert served.pages_from is None
    assert founded("init").code == 0, "nothing was asked for"


def test_apply_asks_before_each_step(founded: Moot, served: SettledGitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    assert founded("init", "--apply").code == 2  # nobody is at the terminal
    asked: list[str] = []

    def confirm(question: str, **_: Any) -> bool:
        asked.append(question)
        return "label" in question

    monkeypatch.setattr("folkmoot.cli.init.sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.confirm", confirm)
    said = founded("init", "--apply", "--json")
    states = {each["code"]: each["state"] for each in said.record["settings"]}
    assert states.pop("label") == "done"
    assert set(states.values()) == {"left"}
    assert len(asked) == len(said.record["settings"])
    assert len(changes(served)) == 1


def test_a_step_that_fails_is_told_and_the_others_are_done(founded: Moot, served: SettledGitHub) -> None:
    def refuse(request: httpx.Request, _answer: Any) -> httpx.Response | None:
        refused = request.method == "POST" and request.url.path.endswith("/pages")
        return httpx.Response(403, json={"message": "no"}) if refused else None

    served.faults.append(refuse)
    said = founded("init", "--apply", "--yes", "--json")
    assert said.code == 1
    assert [each["code"] for each in said.record["settings"] if each["state"] == "failed"] == ["pages"]
    assert served.labels == {"game"}
    served.there = False
    said = founded("init", "--apply", "--yes")
    assert (said.code, "does not know moot/game" in said.err) == (5, True)


# -- the secret, and files


def test_a_secret_is_printed_once_and_alone(moot: Moot) -> None:
    said, other = moot("key", "--dice"), moot("key", "--dice")
    assert read_masters(said.out)
    assert said.out.count("\n") == 1
    assert said.out != other.out
    assert said.err == ""
    assert tree() == {}


def test_attributes_are_added_after_what_would_undo_them() -> None:
    assert attributes("state/** -text\n") == "state/** -text\n"
    undone = "state/** -text\n* text=auto\n"
    assert attributes(undone).startswith(undone)
    assert attributes(attributes(undone)) == attributes(undone)


def test_code_owners_are_the_maintainers_in_the_form_of_each_forge() -> None:
    handles = {"github": {"id": "1001", "login": "annabel"}}
    known = Game("dragons", {"maintainers": ["ann", "github:99"]}, {"ann": {"until": None, "handles": handles}})
    assert code_owners("github", [known]).splitlines()[1:] == ["* @annabel", "/state/"]
    assert code_owners("gitea", [known]).splitlines()[1:] == [
        "# No maintainer of a game is known on this forge yet; see `identify` and `maintain`."
    ]


GITHUB = {"site_url": "https://ann.github.io/moor/", "repo_url": "https://github.com/ann/moor"}
CODEBERG = {"site_url": "https://ann.codeberg.page/moor/", "repo_url": "https://codeberg.org/ann/moor"}
ELSEWHERE = {"repo_url": "https://git.example/ann/moor"}
OWN = "https://moor.example/"


@pytest.mark.parametrize(
    ("before", "wanted", "chosen", "url"),
    [
        (GITHUB, CODEBERG, False, CODEBERG["site_url"]),
        (GITHUB, ELSEWHERE, False, None),
        (GITHUB, {**ELSEWHERE, "site_url": OWN}, True, OWN),
        (GITHUB, {**GITHUB, "site_url": OWN}, True, OWN),
        ({**GITHUB, "site_url": OWN}, CODEBERG, False, OWN),
        ({**GITHUB, "site_url": OWN}, GITHUB, False, OWN),
        (ELSEWHERE, GITHUB, False, GITHUB["site_url"]),
    ],
)
def test_the_address_of_a_site_goes_with_its_repository_unless_somebody_chose_it(
    before: dict[str, str], wanted: dict[str, str], chosen: bool, url: str | None
) -> None:
    text = "".join(f'{key}: "{value}"\n' for key, value in {"site_name": "x", **before}.items())
    made = with_addresses(f"{text}nav:\n  - repo_url: kept\n", wanted, chosen=chosen)
    addresses = {"site_url": url, "repo_url": wanted["repo_url"]}
    found = load_yaml(made, "mkdocs.yml")
    assert {key: found.get(key) for key in addresses} == addresses
    assert (found["site_name"], found["nav"]) == ("x", [{"repo_url": "kept"}]), "and nothing else is changed"
    assert with_addresses(made, wanted, chosen=chosen) == made


def test_the_workflow_that_begins_a_game_does_not_go_with_it_to_another_forge(ready: Moot) -> None:
    for folder in (".github/workflows", ".gitea/workflows"):
        Path(folder).mkdir(parents=True, exist_ok=True)
    Path(".github/workflows", BEGIN).touch()
    assert f".github/workflows/{BEGIN}" in wanted_workflows(Path(), "github")
    assert not any(name.endswith(BEGIN) for name in wanted_workflows(Path(), "gitea"))
