"""`moot begin` where something stands in the way: what could be done is done, and it says what could not."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from folkmoot.ops.doctor.repository_files import write_template
from tests.forges.github.emulator import TOKEN
from tests.forges.github.settings import SettledGitHub
from tests.ops.conftest import HOME, Moot
from tests.support.meeting import git
from tests.support.moot import Said
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


@pytest.mark.parametrize("methods", [("POST", "PUT", "PATCH", "DELETE"), ("GET", "POST", "PUT", "PATCH", "DELETE")])
def test_a_token_of_too_few_rights_is_told_and_another_one_does_the_rest(
    begin: Beginning, methods: tuple[str, ...]
) -> None:
    begin.github.faults.append(lambda request, go_on: httpx.Response(403) if request.method in methods else None)
    said = begin("--forget", "FOLKMOOT_SETUP")
    told = " ".join((said.out + said.err).split())
    assert said.code in (1, 5), told
    assert not begin.pushed() or ".github/workflows/begin.yml" in begin.pushed(), "it is to be run again"
    assert "may not do that on the forge" in told
    if "GET" in methods:
        assert "the token that is stored as FOLKMOOT_SETUP may not do that" in told
        assert f"store it at {HOME}/settings/secrets/actions" in told
    begin.github.faults.clear()
    assert begin().code == 0


def test_a_push_that_rules_of_the_forge_refuse_is_told_and_the_secret_kept_nowhere(begin: Beginning) -> None:
    hook = begin.bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'error: GH013: Repository rule violations found for refs/heads/main.'\nexit 1\n")
    hook.chmod(0o755)
    said = begin("--forget", "FOLKMOOT_SETUP")
    assert said.code == 5
    told = " ".join(said.err.split())
    assert "GH013" in told
    assert "a rule of the forge refuses this push" in told
    deleted = [each.url.path for each in begin.github.requests if each.method == "DELETE"]
    assert deleted == ["/repos/moot/game/actions/secrets/FOLKMOOT_SETUP"], "another run is given another"
    hook.unlink()
    assert begin().code == 0


@pytest.mark.parametrize("after", [*range(1, 10), 14, 18])
@pytest.mark.sampled(4)
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
    assert begin.pushed() >= {"state/club/game.yaml", ".github/workflows/referee.yml"}
    assert ".github/workflows/begin.yml" not in begin.pushed(), "what asks for such a token stays no longer than needed"
    assert begin().code == 0
    assert begin.github.labels == {"game"}
    assert begin.github.secret_store.keys() == {"FOLKMOOT_CHANCE"}
