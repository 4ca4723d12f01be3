"""`moot key` for sealed data: a key of one's own, of SSH, from a forge, and those of a keeper."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result

from folkmoot.cli import sealing_keys
from folkmoot.cli.main import moot
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import ProblemError
from folkmoot.forges.web import client as key_lists
from folkmoot.game import keeper as keeper_keys
from folkmoot.game import secret_store
from folkmoot.journal import GameFolder, entry_digest
from folkmoot.player.hand import own_key_file, own_keys
from folkmoot.sealing import commitments as seeds
from folkmoot.sealing.boxes import Opening, fresh_salt, open_box, seal
from folkmoot.sealing.commitments import EntryContext
from folkmoot.sealing.keys import make_key, read_identity, read_recipient
from tests.sealing.make_vectors import ecdsa_public, ssh_key

PACKAGED = Path(__file__).parents[2] / "state" / "suber-mail"
FOUNDING = "journal/000/000001.yaml"

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `moot key` for somebody who has no settings yet, in a repository with the folder of a game."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
    monkeypatch.delenv(secret_store.SEALING, raising=False)
    game = tmp_path / "table" / "state" / "demo"
    (game / "journal" / "000").mkdir(parents=True)
    for name in ("head.yaml", "game.yaml", FOUNDING):
        shutil.copy(PACKAGED / name, game / name)
    subprocess.run(["git", "init", "-q", str(tmp_path / "table")], check=True)
    monkeypatch.chdir(tmp_path / "table")
    return lambda *words: CliRunner().invoke(moot, ["key", *words], obj=Terminal())


def done(result: Result) -> str:
    assert (result.exception, result.exit_code) == (None, 0), (result.output, result.exception)
    return result.stdout


def refused(result: Result) -> str:
    assert isinstance(result.exception, ProblemError), result.output
    return str(result.exception)


def told(result: Result) -> dict[str, object]:
    found: dict[str, object] = json.loads(done(result))
    return found


def test_a_key_is_made_once_and_kept_where_nobody_else_reads_it(run: Run) -> None:
    said = done(run("--sealing"))
    assert "A new key is kept in" in said
    assert "AGE-SECRET-KEY" not in said
    key = own_keys()[0]
    assert f"public half: {key.recipient.text}\nfingerprint: {key.recipient.fingerprint}\n" in said
    assert stat.S_IMODE(own_key_file().stat().st_mode) == 0o600
    again = told(run("--sealing", "--json"))
    assert again == {
        "kind": "age",
        "recipient": key.recipient.text,
        "fingerprint": key.recipient.fingerprint,
        "warning": None,
        "file": str(own_key_file()),
    }
    assert own_keys() == [key]


def test_another_key_comes_first_and_the_old_one_still_opens(run: Run) -> None:
    first = told(run("--sealing", "--json"))["recipient"]
    second = told(run("--sealing", "--new", "--json"))["recipient"]
    assert [key.recipient.text for key in own_keys()] == [second, first]
    opening = Opening(EntryContext("5a" * 32, 3, "hand"), 1, fresh_salt())
    assert open_box(seal(opening, read_recipient(str(first))), own_keys()) == opening


def test_a_key_of_ssh_stays_where_it_is(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "id"
    file.write_text(ssh_key("ssh-ed25519"), "utf-8")
    said = done(run("--sealing", "--from-ssh", str(file)))
    assert read_identity(file.read_text("utf-8")).recipient.fingerprint in said
    done(run("--sealing", "--from-ssh", str(file)))
    assert [key.recipient.kind for key in own_keys()] == ["ssh-ed25519"]
    assert "PRIVATE KEY" not in own_key_file().read_text("utf-8")
    file.unlink()
    assert "this key cannot be read: no such file" in refused(run("--sealing"))


def test_rsa_comes_with_a_warning_and_what_cannot_open_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "id"
    file.write_text(ssh_key("ssh-rsa"), "utf-8")
    assert "Mind: RSA is old and slow" in run("--sealing", "--from-ssh", str(file)).stderr
    file.write_text(ssh_key("ecdsa"), "utf-8")
    assert f"{file}: E-RECIPIENT: an ECDSA key cannot open" in refused(run("--sealing", "--from-ssh", str(file)))
    assert own_key_file().read_text("utf-8").count("# ssh key: ") == 1


# -- from a forge


@pytest.fixture
def forge(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answer for a forge where ann has a key of ECDSA and two others; return what was asked of it."""
    asked: list[str] = []
    keys = [ecdsa_public(), make_key().recipient.text, read_identity(ssh_key("ssh-ed25519")).recipient.text]

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.url} {sorted(set(request.headers) & {'authorization', 'cookie'})}")
        pages = {"/ann.keys": "\n".join(keys), "/bob.keys": keys[0], "/long.keys": "x" * 300_000}
        found = pages.get(request.url.path)
        return httpx.Response(404) if found is None else httpx.Response(200, text=found)

    real = key_lists.key_list
    monkeypatch.setattr(key_lists, "key_list", lambda server, name: real(server, name, httpx.MockTransport(answer)))
    asked.extend(keys)
    return asked


def test_the_keys_of_an_account_are_shown_and_one_is_chosen(run: Run, forge: list[str]) -> None:
    ssh = read_recipient(forge[2])
    said = done(run("--sealing", "--from-forge", "ann", "--number", "2"))
    assert "– an ECDSA key cannot open what is sealed to it" in said
    assert f"2. {ssh.fingerprint}" in said
    assert said.count(f"public half: {ssh.text}") == 1
    assert forge[3:] == ["https://github.com/ann.keys []"], "no token is sent"
    assert "there is no key 3 in the list" in refused(run("--sealing", "--from-forge", "ann", "--number", "3"))
    assert "has to be said, by its number" in refused(run("--sealing", "--from-forge", "ann", "--json"))
    assert own_keys() == []


def test_a_list_that_holds_nothing_usable_or_is_none(run: Run, forge: list[str]) -> None:
    assert "bob has no key on https://github.com" in refused(run("--sealing", "--from-forge", "bob"))
    assert "it answers 404" in refused(run("--sealing", "--from-forge", "carol"))
    assert "it is too long" in refused(run("--sealing", "--from-forge", "long"))
    assert "no name of an account" in refused(run("--sealing", "--from-forge", "../ann"))


def test_the_forge_of_the_game_is_asked(run: Run, forge: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    home = {"forge": {"kind": "gitea", "home": "https://forge.example/ann/game"}}
    monkeypatch.setattr(sealing_keys.GameFolder, "archive", lambda self, key: home)
    assert "nothing on the branch" in refused(run("--sealing", "--from-forge", "ann", "--number", "1"))
    assert forge[3] == "https://forge.example/ann.keys []"


def test_the_key_that_is_chosen_is_named_by_an_act_of_ones_own(
    gathering: Any, forge: list[str], tmp_path: Path
) -> None:
    """Which fingerprints there are is shown first; what is recorded is the key, and no list is fetched again."""
    said = gathering.moot("bob", "key", "--sealing", "--from-forge", "ann", "--number", "2", "--dry-run")
    assert gathering.letters("bob") == []
    said = gathering.moot("bob", "key", "--sealing", "--from-forge", "ann", "--number", "2").out
    ssh = read_recipient(forge[2])
    assert said.index(f"2. {ssh.fingerprint}") < said.index("Sent to")
    assert len(gathering.letters("bob")) == 1
    asked = len(forge)
    gathering.referee()
    assert gathering.document("roster")["bob"]["sealing"]["key"] == ssh.text
    entry = list(gathering.game().entries())[-1]
    assert (entry["by"], entry["do"], entry["with"]) == ("bob", "use_sealing_key", {"key": ssh.text})
    assert len(forge) == asked


# -- the keeper


def test_the_keys_of_a_keeper_are_numbered_and_lie_in_gits_own_folder(run: Run) -> None:
    game = GameFolder(Path("state/demo"))
    first = told(run("--keeper", "--json"))
    said = done(run("--keeper"))
    assert "Key 2 of the keeper of demo is kept in" in said
    assert "moot act open_sealing \\\n    key=age1" in said
    assert max(map(len, said.split("An administrator")[1].splitlines())) <= 80
    keys = keeper_keys.keeper_keys(game)
    assert list(keys) == [1, 2]
    assert keys[1].recipient.text == first["recipient"]
    root = seeds.seed_root(seeds.seed_secret(keys[1].secret), entry_digest(game.entry(1)))
    assert first["seeds"] == root
    assert first["file"] == str(keeper_keys.keeper_file(game))
    assert ".git/folkmoot/demo.sealing" in str(first["file"])
    assert stat.S_IMODE(keeper_keys.keeper_file(game).stat().st_mode) == 0o600
    keeper_keys.forget_keeper_key(game, 1)
    assert list(keeper_keys.keeper_keys(game)) == [2]


def test_a_key_for_a_forge_is_printed_once_and_kept_nowhere(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run("--keeper", "--print", "--number", "7")
    word = done(result).strip()
    assert list(keeper_keys.read_keeper_keys(word)) == [7]
    assert "AGE-SECRET" not in result.stderr
    assert list(keeper_keys.read_keeper_keys(done(run("--keeper", "--print")))) == [1], "the game names none yet"
    game = GameFolder(Path("state/demo"))
    assert not keeper_keys.keeper_file(game).exists()
    monkeypatch.setenv(secret_store.SEALING, word)
    assert list(keeper_keys.keeper_keys(game)) == [7]
    assert told(run("--keeper", "--json"))["number"] == 8, "it comes after those that the environment holds"


@pytest.mark.parametrize("text", ["hunter2", "1:hunter2", "x:", "{0} {0}", "0:{1}", "1001x:{1}", "1:{2}"])
def test_what_holds_no_keys_of_a_keeper_is_said_without_showing_it(text: str) -> None:
    key = make_key()
    word = text.format(
        keeper_keys.keeper_word(1, key), key.secret, key.secret[:-1] + ("Q" if key.secret[-1] != "Q" else "P")
    )
    with pytest.raises(ProblemError, match=r"E-SECRET: FOLKMOOT_SEALING does not hold numbered keys") as caught:
        keeper_keys.read_keeper_keys(word)
    assert key.secret[20:40] not in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_the_environment_loses_the_keys_when_a_command_begins(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    import os

    from folkmoot.cli.main import main

    word = keeper_keys.keeper_word(1, make_key())
    monkeypatch.setenv(secret_store.SEALING, word)
    with pytest.raises(SystemExit):
        main(["--version"])
    assert secret_store.SEALING not in os.environ
    assert secret_store.HIDDEN[secret_store.SEALING] == word


@pytest.mark.parametrize(
    "words",
    [
        ["add"],
        ["--sealing", "--keeper"],
        ["--new"],
        ["--keeper", "--new"],
        ["--print"],
        ["--forget", "1"],
        ["--keeper", "--print", "--forget", "1"],
        ["--sealing", "--print"],
        ["--sealing", "--number", "1"],
        ["--keeper", "--number", "1"],
        ["--sealing", "--new", "--from-forge", "ann"],
    ],
    ids=" ".join,
)
def test_words_that_do_not_go_together_are_a_mistake_of_typing(run: Run, words: list[str]) -> None:
    assert run(*words).exit_code == 2
    assert own_keys() == []
