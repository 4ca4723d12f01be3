"""Every command of `moot`, in clones that lead to servers of a stranger's: no token of another host arrives there."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from folkmoot.cli.main import COMMANDS
from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Git
from folkmoot.forges.web.client import Pacing
from folkmoot.forges.web.credentials import git_variables
from folkmoot.game.secret_store import TOKENS
from tests.forges.smart_http import running
from tests.support.meeting import git
from tests.support.moot import Moot

OTHERS = ("FOLKMOOT_TOKEN_GITHUB_COM", "FOLKMOOT_TOKEN_CODEBERG_ORG", "FOLKMOOT_OLD_TOKEN_GITHUB_COM")
SECRETS = {name: f"secret-of-{name.lower()}" for name in (*TOKENS, *OTHERS)}
ARGUMENTS: dict[str, tuple[str, ...]] = {
    name: tuple(words.split())
    for name, words in {
        "new": "second -p ann", "table": "table.git -p ann", "show": "1",
        "init": "--apply --yes --forge KIND --home HOME --login ann=ann", "begin": "club --forge KIND --home HOME --founder ann", "demo": ".", "join": "eve",
        "status": "--wait --timeout 0", "propose": "--rule state/demo/rules/101.yaml", "vote": "1 for", "try": "1",
        "act": "state text=hello", "comment": "hello", "withdraw": "1", "verify": "--repair revert", "key": "",
        "explain": "rule 101", "serve": "--port PORT", "log": "", "doctor": "", "referee": "", "check": "",
    }.items()
}  # fmt: skip


class Listener(ThreadingHTTPServer):
    """A server that notes what it is sent, and leads whoever asks to another."""

    daemon_threads = True

    def __init__(self, onward: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Noting)
        self.onward = onward
        self.lines: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def tokens(self) -> set[str]:
        """Return which tokens arrived, plainly or as git sends them."""
        words = {word for line in self.lines for word in line.split()}
        return {secret for word in words for secret in SECRETS.values() if secret in word + _plain(word)}


class _Noting(BaseHTTPRequestHandler):
    server: Listener

    def do_GET(self) -> None:
        self.server.lines += [
            f"{self.command} {self.path}",
            *(f"{name}: {self.headers[name]}" for name in self.headers),
        ]
        size = int(self.headers.get("Content-Length") or 0)
        self.server.lines.append(self.rfile.read(size).decode(errors="replace"))
        self.send_response(307 if self.server.onward else 404)
        self.send_header("Location", self.server.onward + self.path)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


for method in ("POST", "PUT", "PATCH", "DELETE", "CONNECT"):
    setattr(_Noting, f"do_{method}", _Noting.do_GET)


def _plain(word: str) -> str:
    try:
        return b64decode(word, validate=True).decode(errors="replace")
    except (binascii.Error, ValueError):
        return ""


@pytest.fixture
def listeners() -> Iterator[tuple[Listener, Listener]]:
    """Yield where clones lead, and where that leads on."""
    with running(Listener()) as last, running(Listener(last.address)) as first:
        yield first, last


@pytest.fixture
def clone(moot: Moot, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """Return what lays a clone of a game that says where it lies, with a remote that leads somewhere."""
    for name in ("GITHUB_SERVER_URL", "GITHUB_API_URL", "GITHUB_ACTIONS", "MOOT_REMOTE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(Path.cwd() / "settings"))
    monkeypatch.setattr("folkmoot.cli.serve.build_site", lambda *_, **__: Path())
    monkeypatch.setattr("folkmoot.forges.web.client.Pacing", lambda sleep, **_: Pacing(lambda seconds: None))

    def lay(kind: str, home: str, remote: str) -> None:
        git(Path.cwd(), "init", "--quiet", "--initial-branch=main")
        assert moot("new", "demo", *"-r suber -p ann -a ann".split()).code == 0
        said = moot("init", *"--login ann=ann:1 --forge".split(), kind, "--home", home)
        assert said.code == 0, said.err
        Path("mkdocs.yml").unlink(missing_ok=True)
        git(Path.cwd(), "remote", "add", "origin", remote)

    return lay


@pytest.mark.threat("T-03")
@pytest.mark.parametrize(
    ("kind", "way"), [("github", "at the listener"), ("gitea", "by a look-alike"), ("gitea", "by a setting of git")]
)
def test_no_command_gives_a_token_to_where_a_clone_leads(
    clone: Callable[[str, str, str], None],
    moot: Moot,
    listeners: tuple[Listener, Listener],
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    way: str,
) -> None:
    assert set(ARGUMENTS) == set(COMMANDS)
    first, last = listeners
    port = first.address.rpartition(":")[2]
    home, remote = {
        "at the listener": ("https://github.com/ann/demo", f"{first.address}/ann/demo.git"),
        "by a look-alike": (f"{first.address}/ann/demo", f"http://github.com:443@127.0.0.1:{port}/ann/demo.git"),
        "by a setting of git": ("https://codeberg.org/ann/demo", "https://codeberg.org/ann/demo.git"),
    }[way]
    clone(kind, home, remote)
    for name in ("https_proxy", "HTTPS_PROXY"):  # what is meant for the web arrives at the listener
        monkeypatch.setenv(name, first.address)
    if way == "by a setting of git":
        keep_for_all(monkeypatch, f"url.{first.address}/.insteadOf", "https://codeberg.org/")
    for command, words in ARGUMENTS.items():
        for name, secret in SECRETS.items():
            monkeypatch.setenv(name, secret)
        given = [word.replace("KIND", kind).replace("HOME", home).replace("PORT", port) for word in words]
        said = moot(command, *given)
        assert said.code != 70, (command, said.err)
        assert not first.tokens() | last.tokens(), command
        assert not [secret for secret in SECRETS.values() if secret in said.out + said.err], command
    assert any(line.startswith("GET /ann/demo") for line in first.lines), "git asked there"
    assert any("/api/" in line for line in first.lines) == (way == "by a look-alike"), "its API where a token is for it"


def keep_for_all(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """Let a person have a setting of git for all repositories."""
    git(Path.cwd(), "config", "--file", "../settings", name, value)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(Path("../settings").resolve()))


def test_whoever_names_the_server_gives_it_the_token_and_not_to_where_it_leads(
    clone: Callable[[str, str, str], None],
    moot: Moot,
    listeners: tuple[Listener, Listener],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, last = listeners
    clone("gitea", f"{first.address}/ann/demo", f"{first.address}/ann/demo.git")
    name = f"FOLKMOOT_TOKEN_HTTP_127_0_0_1_{first.address.rpartition(':')[2]}"
    for command in ("doctor", "referee"):
        monkeypatch.setenv(name, SECRETS["FOLKMOOT_TOKEN"])
        moot(command)
        assert first.tokens() == {SECRETS["FOLKMOOT_TOKEN"]}
        assert last.tokens() == set()
        first.lines.clear()


def test_git_gets_a_token_for_the_address_that_was_decided_whatever_its_settings_say(
    listeners: tuple[Listener, Listener], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = listeners
    git(tmp_path, "init", "--quiet")
    keep_for_all(monkeypatch, f"url.{last.address}/.insteadOf", f"{first.address}/")
    variables = git_variables(f"{first.address}/", SECRETS["FOLKMOOT_TOKEN"])
    with pytest.raises(ProblemError, match="cannot be read"):
        Git(tmp_path, variables=variables).listing(f"{first.address}/ann/demo.git")
    assert last.lines
    assert not first.tokens() | last.tokens()
