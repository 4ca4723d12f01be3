"""`moot key` for sealed data: a key of one's own, of SSH, from a forge, those of a keeper, and keys that are retired."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from folkmoot.cli.main import main, moot
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import ProblemError
from folkmoot.game import keeper as keeper_keys
from folkmoot.game import secret_store
from folkmoot.game.keeper import KEEPER, keeper_file, keeper_word
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder, entry_digest
from folkmoot.player.hand import own_key_file, own_keys
from folkmoot.sealing import commitments as seeds
from folkmoot.sealing.boxes import Opening, fresh_salt, open_all, open_box, seal
from folkmoot.sealing.commitments import EntryContext, SealingError
from folkmoot.sealing.keys import make_key, read_identity
from tests.sealing.make_vectors import ssh_key
from tests.support.keeper import Cards
from tests.support.moot import Moot, Said

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


def record(result: Result) -> dict[str, object]:
    found: dict[str, object] = json.loads(done(result))
    return found


def refused(result: Result) -> str:
    assert isinstance(result.exception, ProblemError), result.output
    return str(result.exception)


def test_a_key_is_made_once_and_kept_where_nobody_else_reads_it(run: Run) -> None:
    said = done(run("--sealing"))
    assert "A new key is kept in" in said
    assert "AGE-SECRET-KEY" not in said
    key = own_keys()[0]
    assert f"public half: {key.recipient.text}\nfingerprint: {key.recipient.fingerprint}\n" in said
    assert stat.S_IMODE(own_key_file().stat().st_mode) == 0o600
    again = record(run("--sealing", "--json"))
    assert (again["kind"], again["recipient"], again["warning"]) == ("age", key.recipient.text, None)
    assert (again["fingerprint"], again["file"]) == (key.recipient.fingerprint, str(own_key_file()))
    assert own_keys() == [key]
    second = record(run("--sealing", "--new", "--json"))["recipient"]
    assert [each.recipient.text for each in own_keys()] == [second, key.recipient.text]
    opening = Opening(EntryContext("5a" * 32, 3, "hand"), 1, fresh_salt())
    assert open_box(seal(opening, key.recipient), own_keys()) == opening, "the old one still opens"


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
    file.write_text(ssh_key("ssh-rsa"), "utf-8")
    assert "Mind: RSA is old and slow" in run("--sealing", "--from-ssh", str(file)).stderr
    file.write_text(ssh_key("ecdsa"), "utf-8")
    assert f"{file}: E-RECIPIENT: an ECDSA key cannot open" in refused(run("--sealing", "--from-ssh", str(file)))
    assert own_key_file().read_text("utf-8").count("# ssh key: ") == 1


# -- the keeper


def test_the_keys_of_a_keeper_are_numbered_and_lie_in_gits_own_folder(run: Run) -> None:
    game = GameFolder(Path("state/demo"))
    first = record(run("--keeper", "--json"))
    said = done(run("--keeper"))
    assert "Key 2 of the keeper of demo is kept in" in said
    assert "moot act open_sealing \\\n    key=age1" in said
    assert max(map(len, said.split("An administrator")[1].splitlines())) <= 80
    keys = keeper_keys.keeper_keys(game)
    assert list(keys) == [1, 2]
    assert keys[1].recipient.text == first["recipient"]
    assert first["seeds"] == seeds.seed_root(seeds.seed_secret(keys[1].secret), entry_digest(game.entry(1)))
    file = keeper_keys.keeper_file(game)
    assert (first["file"], stat.S_IMODE(file.stat().st_mode)) == (str(file), 0o600)
    assert ".git/folkmoot/demo.sealing" in str(file)
    keeper_keys.forget_keeper_key(game, 1)
    assert list(keeper_keys.keeper_keys(game)) == [2]


def test_a_key_for_a_forge_is_printed_once_and_kept_nowhere(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run("--keeper", "--print")
    word = done(result).strip()
    assert list(keeper_keys.read_keeper_keys(word)) == [1], "the game names none yet"
    assert "AGE-SECRET" not in result.stderr
    game = GameFolder(Path("state/demo"))
    assert not keeper_keys.keeper_file(game).exists()
    monkeypatch.setenv(secret_store.SEALING, word)
    assert list(keeper_keys.keeper_keys(game)) == [1]
    assert record(run("--keeper", "--json"))["number"] == 2, "it comes after those that the environment holds"
    with pytest.raises(SystemExit):
        main(["--version"])
    assert secret_store.SEALING not in os.environ, "the environment loses them when a command begins"
    assert secret_store.HIDDEN[secret_store.SEALING] == word


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


def test_words_that_do_not_go_together_are_a_mistake_of_typing(run: Run) -> None:
    Path("key").write_text(ssh_key("ssh-ed25519"), "utf-8")
    wrong = (
        *("add", "--sealing --keeper", "--new", "--keeper --new", "--print", "--forget 1", "--sealing --print"),
        *("--keeper --print --forget 1", "--sealing --new --from-ssh key"),
    )
    assert [words for words in wrong if run(*words.split()).exit_code != 2] == []
    assert own_keys() == []


# -- retired


AT = "2026-01-05T12:00:00Z"


@pytest.fixture
def cards(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cards:
    """Return a game of cards in which a hand is dealt under the first key; `moot` plays in its folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path.parent / f"{tmp_path.name}-settings"))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
    found = Cards(tmp_path)
    assert moot("key", "--keeper").code == 0
    assert act(moot, "open_sealing").code == act(moot, "deal").code == 0
    return found


def act(moot: Moot, do: str, *words: str) -> Said:
    return moot("act", "--no-commit", "--at", AT, "--by", "ann", do, *words)


def forget(moot: Moot, number: int) -> tuple[int, str]:
    said = moot("key", "--keeper", "--forget", str(number))
    assert "AGE-SECRET" not in said.out + said.err
    return said.code, said.out + said.err


def keys(cards: Cards) -> list[int]:
    return sorted(keeper_keys.keeper_keys(GameFolder(cards.path)))


def test_a_key_that_is_needed_is_kept(cards: Cards, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one in use, one that is not named yet, one by which alone a draw can be proved, and one in a secret."""
    for number, why in ((1, "no later key has replaced key 1"), (7, "key 7 of the keeper of cards is not here")):
        code, said = forget(moot, number)
        assert (code != 0, why in said) == (True, True), said
    assert moot("key", "--keeper").code == 0
    assert ("no later key" in forget(moot, 1)[1], "no later key" in forget(moot, 2)[1]) == (True, True)
    assert act(moot, "open_sealing").code == 0
    assert "1 sealed draw can be proved by key 1 alone, the first is 1" in forget(moot, 1)[1]
    assert keys(cards) == [1, 2]
    assert act(moot, "open_seed", "draw=1", "insist=true").code == 0
    held = keeper_keys.keeper_keys(GameFolder(cards.path))
    words = " ".join(keeper_word(n, key) for n, key in held.items())
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, words)
    keeper_file(GameFolder(cards.path)).unlink()
    code, said = forget(moot, 1)
    assert (code, "FOLKMOOT_SEALING holds it: take it out of that secret" in said) == (0, True), said


@pytest.mark.threat("T-101")
def test_a_key_that_nothing_needs_is_deleted_and_the_game_goes_on(cards: Cards, moot: Moot) -> None:
    """What was sealed under it opens with the next one; with the old one the boxes of old entries do, and no later."""
    old = keeper_keys.keeper_keys(GameFolder(cards.path))[1]
    assert moot("key", "--keeper").code == act(moot, "open_sealing").code == 0
    assert act(moot, "open_seed", "draw=1", "insist=true").code == 0
    code, said = forget(moot, 1)
    assert (code, "Key 1 of the keeper of cards is forgotten here" in said, keys(cards)) == (0, True, [2])
    assert act(moot, "open").code == act(moot, "deal").code == 0
    proved = moot("verify")
    assert (proved.code, "is sound" in proved.out) == (0, True), proved.out
    opened = []
    with Session.open(cards.path) as session:
        for entry in session.record.entries():
            for box in entry.get("boxes", {}).get(KEEPER, []):
                with suppress(SealingError):
                    open_all(box, [old])
                    opened.append((entry["do"], entry["seq"] <= 3))
    assert {*opened} == {("deal", True)}, "those of the first deal alone"
