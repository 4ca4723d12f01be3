"""Git as a carrier: its failures are one clear sentence, its time is bounded, and no secret stands in a message."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from folkmoot.core.problems import Problem, ProblemError
from folkmoot.forges.git_transport import Git, Move, closed_environment, failure, without_secrets
from folkmoot.forges.local.forge import LocalForge
from tests.forges.local_table import LocalTable, bare, git
from tests.forges.smart_http import serving


def problem(do: object) -> Problem:
    assert callable(do)
    with pytest.raises(ProblemError) as caught:
        do()
    (found,) = caught.value.problems
    assert found.code == "E-FORGE"
    assert "\n" not in found.message
    assert found.hint
    return found


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    return bare(tmp_path)


def test_what_is_not_there_is_named(hub: Path, tmp_path: Path) -> None:
    found = problem(lambda: LocalForge(hub, str(tmp_path / "nowhere")).look(1))
    assert found.message.startswith("The remote repository cannot be read: ")
    assert found.hint == "check the address of the repository"
    assert problem(lambda: LocalForge(tmp_path / "nowhere")).hint.startswith("run it inside a repository")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    found = problem(lambda: LocalForge(hub, f"http://127.0.0.1:{port}/hub.git").look(1))
    assert found.hint == "check the network, then run it again"


@pytest.mark.parametrize("address", ["--upload-pack=touch pwned", "-x", "a\0b", "ext::sh -c touch% pwned"])
def test_an_address_is_never_an_option_and_starts_no_program(hub: Path, address: str) -> None:
    found = problem(lambda: Git(hub).listing(address))
    assert "ext" in address or "address" in found.message
    assert not (hub / "pwned").exists()


def test_a_server_that_never_answers_is_given_up(hub: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        git = Git(hub, seconds=0.5)
        begun = time.monotonic()
        found = problem(lambda: git.listing(f"http://127.0.0.1:{deaf.getsockname()[1]}/hub.git"))
    assert time.monotonic() - begun < 30  # and not 120, or for ever
    assert "after 0.5 seconds" in found.message


@pytest.mark.threat("T-02")
@pytest.mark.parametrize("login", ["ann:s3cret%21", "s3cret%21", "s3cret%21:x-oauth-basic"])
def test_passwords_never_stand_in_a_message(hub: Path, tmp_path: Path, login: str) -> None:
    with serving(tmp_path, "ann:right") as server:
        address = server.address.replace("://", f"://{login}@") + "/hub.git"
        forge = LocalForge(hub, address)
        message = str(problem(lambda: forge.look(1)))
    assert "s3cret" not in message
    assert "check that your key or token may read and write there" in message


@pytest.mark.threat("T-02")
@pytest.mark.parametrize(
    ("text", "remote", "clean"),
    [
        ("unable to access 'https://ann:tok@host/x.git/'", "https://ann:tok@host/x.git", "'https://host/x.git/'"),
        ("Authentication failed for 'https://tok@host/'", "https://tok@host/", "'https://host/'"),
        ("odd: p%40ss and p@ss", "https://ann:p%40ss@host/", "odd: … and …"),
        ("could not read 'https://host/x?token=abc'", "https://host/x?token=abc", "'https://host/x?…'"),
        ("ssh: git@host: denied", "git@host:x.git", "ssh: git@host: denied"),
        ("redirected to https://other:pw@host/", "https://host/", "https://host/"),
    ],
)
def test_secrets_are_taken_out(text: str, remote: str, clean: str) -> None:
    assert clean in without_secrets(text, remote)


def test_the_environment_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_EXTERNAL_DIFF", "GIT_TRACE", "MY_TOKEN"):
        monkeypatch.setenv(name, "x")
    given = closed_environment()
    assert given["GIT_TERMINAL_PROMPT"] == "0"
    assert not {
        name for name in given if name.startswith("GIT_CONFIG_P") or name in ("GIT_DIR", "GIT_TRACE", "MY_TOKEN")
    }


def test_a_hook_of_the_remote_may_refuse(tmp_path: Path, hub: Path) -> None:
    table = LocalTable(tmp_path, str(hub), hub, processes=True)
    hook = hub / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
    hook.chmod(0o755)
    before, after = table.played()
    found = problem(lambda: table.forge.publish(before, after))
    assert found.message.startswith("Nothing could be written to the repository: ")
    assert found.hint == "somebody who keeps the repository must allow this push"
    hook.unlink()
    assert table.forge.publish(before, after)


def test_uncommitted_work_stops_a_branch_that_is_checked_out(tmp_path: Path) -> None:
    game = tmp_path / "game"
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(game))
    (game / "law").write_text("one\n")
    git(game, "add", ".")
    git(game, "commit", "--quiet", "-m", "Begin")
    table = LocalTable(tmp_path, None, game, processes=True)
    before, after = table.played()
    (game / "law").write_text("two\n")
    found = problem(lambda: table.forge.publish(before, after))
    assert found.hint == "commit or put away the changes of the checked-out branch, then run it again"
    assert (game / "law").read_text() == "two\n"
    (game / "law").write_text("one\n")
    assert table.forge.publish(before, after)
    assert (game / "file-1").exists()  # the checked-out branch follows
    assert git(game, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "said",
    [
        "remote: error: GH013: Repository rule violations found for refs/heads/main.\n! [remote rejected] main -> main "
        "(push declined due to repository rule violations)",
        "!\tHEAD:refs/heads/main\t[remote rejected] (push declined due to repository rule violations)",
    ],
)
def test_a_reason_is_one_line_and_a_rule_of_the_forge_is_not_simply_to_be_tried_again(said: str) -> None:
    found = failure(said, "", "`git push` failed").problems[0]
    assert found.hint.startswith("a rule of the forge refuses this push: `moot doctor` names it")
    found = failure(b"hint: x\nfatal: it \x1b[31mfailed\x07\nmore\n", "", "It failed").problems[0]
    assert found.message == "It failed: it  [31mfailed"


def test_a_transaction_is_all_or_nothing(hub: Path) -> None:
    commit = git(hub, "commit-tree", git(hub, "mktree", data=""), "-m", "x")
    carrier = Git(hub)
    assert carrier.transact([Move("refs/moot/a", "", commit), Move("refs/moot/b", commit, commit)])
    assert git(hub, "for-each-ref") == ""
    assert carrier.transact([Move("refs/moot/a", "", commit)]) == ""
    assert "refs/moot/a" in git(hub, "for-each-ref")


def test_git_that_is_not_there(hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(hub))
    assert problem(lambda: Git(hub).listing(str(hub))).hint == "install git"


def test_over_ssh(tmp_path: Path, hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What git asks `ssh` to run on the server is run here."""
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    monkeypatch.setenv("GIT_SSH_VARIANT", "ssh")
    table = LocalTable(tmp_path, f"ann@game.example:{hub}", hub, processes=True)
    number = table.open("ann", "A dragon")
    name = table.comment("bob", number, "Hm.")
    snapshot = table.forge.look(5)
    assert [each.id for each in snapshot.remarks[number]] == [name]
    ssh.write_text("#!/bin/sh\necho 'Host key verification failed.' >&2\nexit 255\n")
    assert "once with `ssh`" in problem(lambda: table.forge.look(6)).hint
