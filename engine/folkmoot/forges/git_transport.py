"""Git itself as the carrier: what a remote holds, fetching from it, pushing to it, each in bounded time.

It runs in an environment of its own: nothing may ask at a terminal, no hook of ours runs, no odd protocol is spoken.
The keeper's own settings for reaching a server (keys, credential helpers, proxies) are left to git.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct

from folkmoot.core.problems import Problem, ProblemError
from folkmoot.journal.git_folder import common_folder, find_git_folder
from folkmoot.journal.git_programs import AS_IT_IS, SETTINGS, as_in_place, ended, own_settings, without_filters

NOTHING = "0" * 40  # what git calls a ref that is not there
SECONDS = 120  # for how long one command of git may run
PATIENT = 600  # the same, where it may ask a person for a password
EMPTY_AGAIN = 2  # how often a remote that seems to be empty is asked again
LOCKED_PAUSES = (0.1, 0.4, 1.0)  # seconds between attempts to fetch where another git of the same clone holds a ref
_LOCKED = re.compile(rb"cannot lock ref|Unable to create .*\.lock")

_KEPT = (
    *("PATH", "HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "TMPDIR", "SSH_AUTH_SOCK", "SSH_AGENT_PID"),
    *("GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_SSL_CAINFO"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"),
    *("no_proxy", "NO_PROXY"),
)
_CLOSED = {
    "GIT_TERMINAL_PROMPT": "0",
    "SSH_ASKPASS_REQUIRE": "never",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
    **AS_IT_IS,
}
_OPEN = {"GIT_TERMINAL_PROMPT": "1", "SSH_ASKPASS_REQUIRE": ""}
_SETTINGS = (
    *SETTINGS,
    *("protocol.version=2", "fetch.recurseSubmodules=false", "push.recurseSubmodules=no", "push.gpgSign=false"),
    *("push.followTags=false", "gc.auto=0", "maintenance.auto=false", "advice.pushUpdateRejected=false"),
)
_CONFIGURED = [word for setting in _SETTINGS for word in ("-c", setting)]
_MAKING = ("init", "clone")  # of another repository than the one around
_FETCH = ("fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--quiet", "--refmap=", "--stdin")
_USER_IN_ADDRESS = re.compile(r"(?<=://)[^/\s'\"]*@")
_QUERY_IN_ADDRESS = re.compile(r"(?<=\?)[^\s'\"]+")
FULL = re.compile(
    r"No space left|quota exceeded|File too large|couldn't write|unable to write|unpacker error", re.IGNORECASE
)
"""What git says where a disk is full, or a quota, be it the server's."""
_IN_USE = re.compile(
    r"lock|already exists|failed to update ref|incorrect old value|stale info|fetch first", re.IGNORECASE
)
_REJECTED = re.compile(r"\[(?:remote )?rejected\] \((.*)\)")
_TOO_LARGE = re.compile(r"HTTP 413|exceeds maximum", re.IGNORECASE)
_CLOSED_BRANCH = re.compile(r"GH006|protected branch|not allowed to push|read-only|archived", re.IGNORECASE)
"""What a server says to whoever may not push there at all, whatever they push."""
_SERVERS_WORDS = re.compile(r"remote:.*\w")
_NOISE = re.compile(r"^(?:remote: )?(?:fatal|error|warning): ")


class LateError(ProblemError):
    """Raised where git was stopped because it took too long."""


class PushRefusedError(ProblemError):
    """Raised where the server refuses a push for what is in it, though nobody was quicker and we may push there."""


class Move(Struct, frozen=True):
    """A ref to be moved from one object to another (hex); an empty `old` means that it must not exist."""

    ref: str
    old: str
    new: str


class Listing(Struct, frozen=True):
    """What a remote holds: `head` the name of the ref that HEAD stands for ("" if unknown), `refs` name → hex."""

    head: str
    refs: Mapping[str, str]


def closed_environment() -> dict[str, str]:
    """Return the variables that git gets from us, and nothing else of ours."""
    return {name: os.environ[name] for name in _KEPT if name in os.environ} | _CLOSED


class Git:
    """The `git` command, run in one repository (a folder, bare or not).

    Where it may ask, somebody sits at the terminal who can give the password of a key. `variables` are what git gets
    beside the closed environment: a secret that stood among its words could be read by everybody on the machine.
    """

    def __init__(
        self, path: Path, seconds: float = SECONDS, *, may_ask: bool = False, variables: Mapping[str, str] | None = None
    ) -> None:
        self.path = path
        self.seconds = max(seconds, PATIENT) if may_ask else seconds
        self.may_ask = may_ask
        self.variables = dict(variables or {})

    def listing(self, remote: str) -> Listing:
        """Ask what a remote holds. Raises E-FORGE.

        Where it seems to hold nothing at all it is asked again: so git takes an answer that was cut off in its head.
        """
        words = ["ls-remote", "--symref", "--quiet", "--", _address(remote)]
        code, out, err = self._run(words)
        for _ in range(EMPTY_AGAIN if "://" in remote else 0):
            if code or out:
                break
            code, out, err = self._run(words)
        if code != 0:
            raise failure(err, remote, "The remote repository cannot be read")
        head, refs = "", {}
        for line in out.decode(errors="surrogateescape").split("\n"):
            value, _, name = line.partition("\t")
            if value.startswith("ref: "):
                head = value[5:] if name == "HEAD" else head
            elif name.startswith("refs/") and not name.endswith("^{}"):  # what a tag stands for is no ref
                refs[name] = value
        return Listing(head, refs)

    def fetch(self, remote: str, pairs: Iterable[tuple[str, str]]) -> str:
        """Fetch refs of the remote into refs of ours, whatever these were; returns what git complained of, or "".

        It is tried again where another git of the same clone holds a ref.
        """
        lines = "".join(f"+{theirs}:{ours}\n" for theirs, ours in pairs).encode(errors="surrogateescape")
        words = [*_FETCH, "--", _address(remote)]
        code, _, err = self._run(words, lines)
        for pause in LOCKED_PAUSES:
            if code == 0 or not _LOCKED.search(err):
                break
            time.sleep(pause)  # it is soon done
            code, _, err = self._run(words, lines)
        return "" if code == 0 else _text(err) or "git fetch failed"

    def push(self, remote: str, moves: Sequence[Move], receive: str = "") -> str:
        """Move refs of the remote, all or none; returns what git complained of, or "" where all were moved."""
        leases = [f"--force-with-lease={move.ref}:{move.old}" for move in moves]
        pack = [f"--receive-pack={receive}"] if receive else []
        words = ["push", "--atomic", "--porcelain", "--no-verify", "--no-signed", *pack, *leases]
        moved = (f"{move.new}:{move.ref}" for move in moves)
        code, out, err = self._run([*words, "--", _address(remote), *moved])
        return "" if code == 0 else f"{_text(out)}\n{_text(err)}".strip() or "git push failed"

    def transact(self, moves: Sequence[Move]) -> str:
        """Move refs of this repository itself, all or none; returns what git complained of, or ""."""
        lines = [f"update {move.ref} {move.new} {move.old or NOTHING}" for move in moves]
        text = "\n".join(["start", *lines, "prepare", "commit", ""])
        code, _, err = self._run(["update-ref", "--stdin"], text.encode())
        return "" if code == 0 else _text(err) or "git update-ref failed"

    def ask(
        self,
        words: Sequence[str],
        data: bytes = b"",
        variables: Mapping[str, str] | None = None,
        allowed: Container[int] = (0,),
    ) -> str:
        """Run any other command and return what it prints. Raises E-FORGE where it ends with a code not `allowed`."""
        code, out, err = self._run(words, data, variables)
        if code not in allowed:
            raise failure(err, "", f"`git {words[0]}` failed")
        return out.decode(errors="replace").strip()

    def look(self, words: Sequence[str], allowed: Container[int] = (0,)) -> str:
        """Run a command that reads files of the work tree or gives some out, through no filter; as `ask` otherwise."""
        from folkmoot.journal.git_library import pygit2  # which takes longer to load than most commands take

        unfiltered = {}
        with suppress(pygit2.GitError, KeyError):
            own = find_git_folder(self.path)
            unfiltered = without_filters(pygit2.Repository(str(own))) if own else {}
        code, out, err = self._run(words, variables=unfiltered)
        if code not in allowed:
            raise failure(err, "", f"`git {words[0]}` failed")
        return out.decode(errors="replace")

    def configure(self, name: str, value: str) -> None:
        """Keep a setting with the repository itself. Raises E-FORGE where it cannot be written."""
        own = find_git_folder(self.path)
        file = [] if own is None else ["--file", str(common_folder(own) / "config")]
        self.ask(["config", *file, "--", name, value])

    def _run(
        self, words: Sequence[str], data: bytes = b"", variables: Mapping[str, str] | None = None
    ) -> tuple[int, bytes, bytes]:
        """Run git by those settings of the repository that are harmless."""
        if words[0] in _MAKING:
            return self._start(words, data, self.variables | dict(variables or {}))
        sends = words[0] == "push"  # which looks for attributes of what it packs, in the folder where it runs
        with own_settings(self.path, files=not sends) as settings:
            place = settings.get("GIT_DIR") if sends else None
            code, out, err = self._start(words, data, settings | self.variables | dict(variables or {}), place)
        return code, out, as_in_place(err, settings)

    def _start(
        self, words: Sequence[str], data: bytes, variables: Mapping[str, str], place: str | None = None
    ) -> tuple[int, bytes, bytes]:
        """Run git, by itself in a session of its own, so that nothing it started outlives its time."""
        command = ["git", "-C", place or str(self.path), *_CONFIGURED, *words]
        pipe, environment = subprocess.PIPE, closed_environment() | (_OPEN if self.may_ask else {}) | dict(variables)
        try:
            process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=not self.may_ask,
                restore_signals=False,  # where a file grows beyond a quota git is told so, not killed over its locks
            )  # fmt: skip
        except OSError as error:
            raise _problem("Git cannot be started", error.strerror or "", "install git") from None
        with process:
            _RUNNING[process] = self
            try:
                out, err = process.communicate(data, timeout=self.seconds)
            except BaseException as error:
                self._end(process)
                if isinstance(error, subprocess.TimeoutExpired):
                    why = f"`git {words[0]}` was stopped after {self.seconds:g} seconds"
                    late = _problem(
                        "The remote repository takes too long", why, "run it again; what was done is not lost"
                    )
                    raise LateError(*late.problems) from None
                raise
            finally:
                _RUNNING.pop(process, None)
        return process.returncode, out, err if process.returncode >= 0 else err + ended(process.returncode).encode()

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        if self.may_ask:
            process.kill()
            return
        with suppress(ProcessLookupError):  # it has ended by itself meanwhile
            os.killpg(process.pid, signal.SIGKILL)


_RUNNING: dict[subprocess.Popen[bytes], Git] = {}


def end_running() -> None:
    """End every git that threads of this process wait for, so that none of them outlives it."""
    for process, git in list(_RUNNING.items()):
        if process.poll() is None:
            git._end(process)


def _address(remote: str) -> str:
    if remote.startswith("-") or "\0" in remote:
        raise _problem("This is no address of a repository", "", "give a path or a URL")
    return remote


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace").strip()


def without_secrets(text: str, remote: str) -> str:
    """Return a message of git's without passwords, tokens or user names of addresses."""
    for secret in _secrets(remote):
        text = text.replace(secret, "…")
    return _QUERY_IN_ADDRESS.sub("…", _USER_IN_ADDRESS.sub("", text))


def _secrets(remote: str) -> list[str]:
    """Return what a URL holds before its `@` and behind its `?`, as written and as meant, longest first."""
    _, scheme, rest = remote.partition("://")
    if not scheme:
        return []
    user, at, _ = rest.rpartition("@")
    name, _, password = user.partition(":")
    query = remote.partition("?")[2]
    parts = [part for part in (user if at else "", password or name, query) if part]
    return sorted({*parts, *map(unquote, parts)}, key=len, reverse=True)


DAMAGED = "`git fsck` says what is damaged; a fresh clone has all that was sent"
"""What to do where git's own files in a clone are not what they should be."""
RIGHTS = "check that your key or token may read and write there"
_HINTS = (
    (r"Host key verification failed", "reach that server once with `ssh`, so that its key is known"),
    (r"Authentication failed|could not read (?:Username|Password)|Permission denied|HTTP 40[13]|error: 40[13]",
     RIGHTS),
    (r"not found|does not exist|does not appear to be a git repository|HTTP 404|error: 404",
     "check the address of the repository"),
    (r"Could not resolve|Couldn't connect|Failed to connect|Connection (?:refused|reset|timed out)|unreachable",
     "check the network, then run it again"),
    (FULL.pattern, "make room on the disk, there or here, then run it again"),
    (r"cannot lock|Unable to create .*\.lock",
     "run it again; if no git runs there any more, delete the lock file that is named"),
    (r"dubious ownership", "git does not trust the owner of that folder: see `git help config`, safe.directory"),
    (r"would be overwritten|Working directory has|uncommitted|unstaged",
     "commit or put away the changes of the checked-out branch, then run it again"),
    (r"bad object|packed refname|corrupt|bad (?:index|config)|index file|not a git repository|unknown repository ext",
     DAMAGED),
    (r"unknown (?:option|switch)|unrecognized (?:option|argument)|is not a git command|^usage: git",
     "this git is too old: install git 2.31 or newer"),
    (r"public key|private key|signing key|ssh-keygen|gpg failed|agent refused",
     "git cannot sign: mend `git config user.signingkey`, or `ssh-add` the key (`moot key --help` says more)"),
    (r"refusing to allow",
     "its token may write no workflow, and what is pushed has one, be it in the history of a branch that was adopted"),
    (r"GH013|rule violations|push declined",
     "a rule of the forge refuses this push: `moot doctor` names it, where the token may see that"),
    (r"hook declined|protected", "somebody who keeps the repository must allow this push"),
)  # fmt: skip

_UNPROVED = re.compile(r"could not read (?:Username|Password) for .*https?://.*terminal prompts disabled")
RENEW = (
    "it may have expired or been taken back: make a new one for the referee's account, and give it where this one "
    "came from (in jobs: the secret FOLKMOOT_TOKEN)"
)
"""What to do where a token is not accepted."""


def failure(complaint: bytes | str, remote: str, what: str) -> ProblemError:
    """Return the error for something that git could not do, with its own reason and what to do about it."""
    text = without_secrets(_text(complaint) if isinstance(complaint, bytes) else complaint, remote)
    if _UNPROVED.search(text):
        return _problem(what, "the forge does not accept the token, or was given none", f"{RIGHTS}; {RENEW}")
    hint = next((hint for pattern, hint in _HINTS if re.search(pattern, text, re.IGNORECASE)), "run it again")
    return _problem(what, _reason(text), hint)


def push_failure(complaint: str, remote: str) -> ProblemError:
    """Return the error for a push that nobody was quicker than: `PushRefusedError` where its content is at fault."""
    error = failure(complaint, remote, "Nothing could be written to the repository")
    at_fault = _TOO_LARGE.search(complaint) or (_REJECTED.search(complaint) and not FULL.search(complaint))
    return PushRefusedError(*error.problems) if at_fault and not _CLOSED_BRANCH.search(complaint) else error


def is_race(complaint: str) -> bool:
    """Say whether git complains that a ref was in use; what a hook prints that declines it does not count."""
    declined = any("declined" in reason for reason in _REJECTED.findall(complaint))
    return not declined and not FULL.search(complaint) and bool(_IN_USE.search(complaint))


def _reason(text: str) -> str:
    """Return the line of git's that says most: of a push that was refused, the server's own first words."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if FULL.search(line)]
    if not telling and _REJECTED.search(text):
        telling = [line.removeprefix("remote:").strip() for line in lines if _SERVERS_WORDS.match(line)]
    telling = telling or [line for line in lines if _NOISE.match(line) or line.startswith("!")] or lines[:1]
    reason = _NOISE.sub("", telling[0]).replace("\t", " ") if telling else ""
    return "".join(character if character.isprintable() else " " for character in reason)[:300].rstrip(". ")


def _problem(what: str, why: str, hint: str) -> ProblemError:
    return ProblemError(Problem("E-FORGE", f"{what}: {why}" if why else what, None, hint))
