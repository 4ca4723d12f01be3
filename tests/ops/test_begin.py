"""`moot begin` where something stands in the way: what could be done is done, and it says what could not."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from folkmoot.ops.template import write_template
from tests.cli.conftest import Said
from tests.forges.github.emulator import TOKEN
from tests.forges.github.settings import SettledGitHub
from tests.ops.conftest import HOME, Moot
from tests.referee.meeting import git
from tests.workflows.wheels import wheel


class Beginning:
    """A clone of a repository made from the template, and `moot begin` in it."""

    def __init__(self, moot: Moot, folder: Path, patch: pytest.MonkeyPatch, github: SettledGitHub) -> None:
        self.moot, self.patch, self.bare, self.github = moot, patch, folder / "hub.git", github
        settings = folder / "gitconfig"
        git(folder, "config", "--file", str(settings), f"url.file://{self.bare}.insteadOf", f"{HOME}.git")
        patch.setenv("GIT_CONFIG_GLOBAL", str(settings))
        write_template(folder / "t", "github", str(wheel(folder / "wheels")))
        git(folder / "t", "push", "--quiet", str(self.bare), "main")
        github.accounts |= {"annabel": 583231, "bobby": 583232, "3d.Dee": 583233}

    def __call__(self, *words: str, game: str = "club", token: str = TOKEN) -> Said:
        self.patch.setenv("FOLKMOOT_TOKEN", token)
        here = ("-C", "../t", "begin", "--forge", "github", "--home", HOME, "--founder", "annabel")
        return self.moot(*here, *words, game)

    def pushed(self) -> set[str]:
        """Return the names of the files on the forge."""
        return set(git(self.bare, "ls-tree", "-r", "--name-only", "main").splitlines())


@pytest.fixture
def begin(moot: Moot, served: SettledGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Beginning:
    return Beginning(moot, tmp_path, monkeypatch, served)


def test_a_token_that_may_not_do_all_is_told_and_kept_for_another_run(begin: Beginning, served: SettledGitHub) -> None:
    served.hidden = {"/pages", "/environments"}
    said = begin("--forget", "FOLKMOOT_SETUP", "--json")
    assert said.code == 1
    assert "where Pages come from" in said.record["unseen"]
    assert "state/club/game.yaml" in begin.pushed(), "the game is open all the same"
    assert not [each for each in served.requests if each.method == "DELETE"]
    served.hidden = set()
    again = begin()
    assert again.code == 0, again.err
    assert served.pages_from == "workflow"
    assert served.environment_secrets.keys() == {"FOLKMOOT_CHANCE"}


def test_what_was_not_seen_is_named_with_what_to_do(begin: Beginning, served: SettledGitHub) -> None:
    served.hidden = {"/pages"}
    said = begin()
    assert "The token may not see where Pages come from." in said.out
    assert "give it the rights that README.md names" in said.out


def test_everybody_who_is_named_plays_by_a_name_that_an_id_may_be(begin: Beginning) -> None:
    assert begin("--players", "@bobby, 3d.Dee annabel").code == 0
    roster = git(begin.bare, "show", "main:state/club/roster.yaml")
    assert [line for line in roster.splitlines() if line and line[0].isalpha()] == ["annabel:", "bobby:", "p3d-dee:"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--players", "nobody-here"), "nobody is called nobody-here on the forge"),
        (("--players", "a_b/../c"), "A login is written"),
        (("--ruleset", "nomad"), "there is no ruleset 'nomad'"),
        (("--ruleset", "/etc"), "E-"),
        (("--ruleset", "lanterns", "--settings", "pace=15"), "pace can be 10, 60, 1440"),
        (("--ruleset", "lanterns", "--settings", "pace"), "A setting is written NAME=VALUE"),
    ],
)
def test_what_cannot_be_founded_is_refused_before_anything_is_done(
    begin: Beginning, served: SettledGitHub, words: tuple[str, ...], said: str
) -> None:
    before = begin.pushed()
    done = begin(*words)
    assert done.code in (1, 2, 5)
    assert said in done.err
    assert begin.pushed() == before
    assert not [each for each in served.requests if each.method != "GET"]


def test_switches_of_the_rules_are_flipped(begin: Beginning) -> None:
    assert begin("--ruleset", "lanterns", "--settings", "pace=1440", "--players", "bobby").code == 0
    assert begin.moot("-C", "../t", "explain", "setting", "pace", "--offline", "--json").record["value"] == "1440"


def test_another_game_does_not_begin_beside_the_first(begin: Beginning) -> None:
    assert begin().code == 0
    said = begin(game="other")
    assert said.code == 1
    assert "club has begun here already" in said.err


def test_a_secret_that_the_forge_does_not_accept_is_named_with_the_page_where_it_is_stored(
    begin: Beginning, tmp_path: Path
) -> None:
    before, summary = begin.pushed(), tmp_path / "summary"
    said = begin("--forget", "FOLKMOOT_SETUP", "--summary", str(summary), token="ghp_expired")
    assert said.code == 5
    told = " ".join(said.err.split())
    assert "the forge does not accept the token that is stored as FOLKMOOT_SETUP" in told
    assert f"{HOME}/settings/secrets/actions" in told
    assert "run begin again" in told
    assert "referee's account" not in told
    assert "does not accept the token that is stored as FOLKMOOT_SETUP" in summary.read_text()
    assert "ghp_expired" not in said.out + said.err + summary.read_text()
    assert begin.pushed() == before


def test_a_push_that_rules_of_the_forge_refuse_is_told_and_the_secret_kept_for_another_run(begin: Beginning) -> None:
    hook = begin.bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'error: GH013: Repository rule violations found for refs/heads/main.'\nexit 1\n")
    hook.chmod(0o755)
    said = begin("--forget", "FOLKMOOT_SETUP")
    assert said.code == 5
    told = " ".join(said.err.split())
    assert "GH013" in told
    assert "a rule of the forge refuses this push" in told
    assert not [each for each in begin.github.requests if each.method == "DELETE"], "the next run needs the secret"
    hook.unlink()
    assert begin().code == 0


@pytest.mark.parametrize("after", [*range(1, 10), 14, 18])
def test_a_forge_that_fails_in_the_midst_is_told_and_the_next_run_does_the_rest(begin: Beginning, after: int) -> None:
    asked = iter(range(1_000))
    begin.github.faults.append(lambda request, go_on: httpx.Response(502) if next(asked) >= after else None)
    said = begin()
    assert said.code in (1, 5), said.err
    assert "answer" in said.err
    assert "502" in said.err
    assert "does not know" not in said.err
    begin.github.faults.clear()
    again = begin()
    assert again.code == 0, again.err
    assert begin.pushed() >= {"state/club/game.yaml"}
    assert begin.github.labels == {"game"}
    assert begin.github.environment_secrets.keys() == {"FOLKMOOT_CHANCE"}
