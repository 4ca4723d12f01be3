"""A game's repository with its workflows, and `act`, which runs the real files without a container.

Players meet by the local forge, so that no forge is needed; addresses of github.com lead to the repository on this
machine. Actions are stood in for by `tests/workflows/actions/`, the API by a server on loopback.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

from folkmoot.forges.engine_pin import pin
from folkmoot.forges.workflows import FOLDERS, JOBS, workflow_files
from folkmoot.ops.doctor.repository_files import write_stale
from tests.support.meeting import GAME, Meeting, git, identity
from tests.workflows.tools import run
from tests.workflows.wheels import ROOT, wheel

ACTIONS = Path(__file__).parent / "actions"
USES = re.compile(r"uses: (?P<action>actions/(?P<name>[a-z-]+)@[0-9a-f]{40}) ")
DATE = '[ "$*" = +%M ] && exec printf %02d {minute}\nexec {date} "$@"\n'
INSTALLED = """\
#!/bin/sh
{{ printf moot; printf '\\t%s' "$@"; echo; }} >>"$STUB_LOG"
PYTHONPATH={root} exec {moot} "$@"
"""
INSTALL = "import shutil, sys\nshutil.copy('{program}', sys.prefix + '/bin/moot')\n"
TOKEN = "token-of-the-job-1f2e3d"
CHANCE = "secret-of-the-dice-4c5b6a"
Event = dict[str, Any]


class Api:
    """A stand-in for the API of a forge: it keeps what it was asked, and says in which state `clock` is."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.bodies: list[str] = []
        self.clock = "active"
        self.said = ""  # what is found among issues, as they are written down
        api = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                known = self.headers.get("Authorization") in (f"Bearer {TOKEN}", f"token {TOKEN}")
                api.asked.append(f"{self.command} {self.path}")
                api.bodies.append(body)
                if known and self.path.endswith(("/enable", "/disable")):
                    api.clock = "active" if self.path.endswith("/enable") else "disabled_manually"
                issues = ("/issues" in self.path or self.path.endswith("/user")) and self.command == "GET"
                state = json.dumps({"id": 1, "name": "clock", "state": api.clock})
                content = (f"[{{{api.said}}}]" if issues else state).encode()
                self.send_response(200 if known else 401)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = _answer  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/api"

    def __enter__(self) -> Api:
        Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


@cache
def pip() -> Path:
    """Return a folder with a pip: a copy of this environment's, or else the one that a new environment unpacks."""
    folder = Path(tempfile.mkdtemp(prefix="folkmoot-pip-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if (here := find_spec("pip")) and here.origin:  # it is compiled already; to unpack another takes seconds
        package = Path(here.origin).parent
        for part in (package, *package.parent.glob("pip-*.dist-info")):
            shutil.copytree(part, folder / part.name)
        return folder
    subprocess.run([sys.executable, "-I", "-m", "venv", str(folder)], check=True)
    return next(folder.glob("lib/python3*/site-packages"))


@dataclass(frozen=True)
class Ran:
    """What a run of `act` printed, how it ended, and what the stand-ins wrote down."""

    code: int
    out: str
    log: list[list[str]]

    def of(self, what: str) -> list[list[str]]:
        """Return what was written down of one thing."""
        return [line[1:] for line in self.log if line[0] == what]


@dataclass
class Bench:
    """A game whose players meet at a bare repository, with everything that a game's repository on a forge has.

    Where `moot` is given, that is what jobs install, by no pip.
    """

    folder: Path
    api: Api
    moot: Path | None = None
    own: bool = False
    minute: int = 30
    meeting: Meeting = field(init=False)
    clone: Path = field(init=False)

    def __post_init__(self) -> None:
        (self.folder / "meeting").mkdir()
        self.meeting = Meeting(self.folder / "meeting")
        place = self.folder / "github" / "ann"
        place.mkdir(parents=True)
        (place / "game").symlink_to(self.meeting.bare)
        (self.folder / "gitconfig").write_text(
            f'[url "file://{self.folder}/github/"]\n\tinsteadOf = https://github.com/\n'
            "[uploadpack]\n\tallowAnySHA1InWant = true\n\tallowFilter = true\n[safe]\n\tdirectory = *\n"
        )
        self.clone = self.folder / "clone"
        git(self.folder, "clone", "--quiet", str(self.meeting.bare), str(self.clone))
        identity(self.clone, "ann")
        pin(self.clone, str(wheel(self.folder / "wheels")))
        for kind in FOLDERS:
            write_stale(self.clone, workflow_files(kind))
        self.push("Pin the engine, and let jobs referee")

    @property
    def pwned(self) -> Path:
        """Return the file that every payload would make."""
        return self.folder / "pwned"

    def push(self, message: str) -> None:
        """Commit everything in the clone and push it."""
        git(self.clone, "add", "--all", "--force", "ci", ".github", ".gitea")
        git(self.clone, "commit", "--quiet", "--allow-empty", "--message", message)
        git(self.clone, "push", "--quiet", "origin", "HEAD:refs/heads/main")

    def write(self, name: str, text: str) -> Path:
        """Write a workflow of the test's own into the clone."""
        path = self.clone / ".github" / "workflows" / name
        path.write_text(text, "utf-8")
        return path

    def act(
        self,
        event: str,
        workflow: str,
        payload: Event,
        *,
        job: str = "",
        kind: str = "github",
        find_links: str = "",
        bot: str = TOKEN,
        setup: str = "",
        more: Sequence[str] = (),
    ) -> Ran:
        """Run a workflow of the clone for an event.

        `find_links` is where pip may look, instead of an index; `bot` and `setup` are the secrets FOLKMOOT_TOKEN and
        FOLKMOOT_SETUP, "" where there is none; `more` goes to `act` as it is.
        """
        folder = next(each for each in (FOLDERS[kind], *JOBS) if (self.clone / each).is_dir())
        file = self.clone / folder / workflow
        text = file.read_text("utf-8")
        if kind == "gitea":  # no containers here: the tests' own Python takes the image's place
            text = re.sub(r"^    container:\n      image: .*\n", "", text, flags=re.MULTILINE)
            file = self.folder / workflow
            file.write_text(text, "utf-8")
        (self.folder / "event.json").write_text(json.dumps(payload), "utf-8")
        for kept in ("log", "said"):
            (self.folder / kept).unlink(missing_ok=True)
        known = {found["action"]: ACTIONS / found["name"] for found in USES.finditer(text)}
        words = [event, *more, "-W", str(file), "-e", str(self.folder / "event.json"), "--pull=false"]
        words += [word for label in ("ubuntu-latest", "docker") for word in ("-P", f"{label}=-self-hosted")]
        words += [word for action, path in known.items() for word in ("--local-repository", f"{action}={path}")]
        words += [word for name, value in self._variables(find_links).items() for word in ("--env", f"{name}={value}")]
        secrets = {"GITHUB_TOKEN": TOKEN, "FOLKMOOT_TOKEN": bot, "FOLKMOOT_CHANCE": CHANCE, "FOLKMOOT_SETUP": setup}
        words += [word for name, value in secrets.items() if value for word in ("-s", f"{name}={value}")]
        words += ["--job", job] if job else []
        done = self._run(words)
        lines = [line.split("\t") for line in self._kept("log").splitlines()]
        return Ran(done.returncode, self._kept("said") + done.stdout + done.stderr, lines)

    def _kept(self, name: str) -> str:
        path = self.folder / name
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def _run(self, words: list[str]) -> Any:
        programs = (str(self._programs()), str(Path(sys.executable).parent), os.environ["PATH"])
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "GITHUB_TOKEN")}
        own = {
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "HOME": str(self.folder),
            "PATH": os.pathsep.join(programs),
        }
        try:
            return run("act", words, self.clone, kept | own)
        finally:
            shutil.rmtree(self.folder / "cache", ignore_errors=True)

    def _programs(self) -> Path:
        """Return a folder with a bash that keeps what steps say, and a Python that unpacks pip once and for all.

        `act` loses the last lines of a step on a busy machine; to unpack pip takes as long as all else that a job does.
        Its `date` says of every hour that it is at `minute`: the clock's runs look at everything in an hour's first ten.
        """
        programs, said, bash = self.folder / "bin", self.folder / "said", shutil.which("bash")
        if not programs.exists():
            programs.mkdir()
            texts = {
                "bash": f'{bash} "$@" 2>&1 | tee -a {said}\nexit "${{PIPESTATUS[0]}}"\n',
                "python": f'[ "$2 $3" = "-m venv" ] || exec {sys.executable} "$@"\n'
                f'{sys.executable} "$@" --without-pip && ln -s {self._pip()}/pip* "$4"/lib/python3*/site-packages\n',
            }
            for name, text in [*texts.items(), ("python3", texts["python"])]:
                (programs / name).write_text(f"#!{bash}\n{text}", "utf-8")
                (programs / name).chmod(0o755)
        (programs / "date").write_text(
            f"#!{bash}\n{DATE.format(minute=self.minute, date=shutil.which('date'))}", "utf-8"
        )
        (programs / "date").chmod(0o755)
        return programs

    def _pip(self) -> Path:
        """Return a folder with what stands for pip in it."""
        if self.moot is None:
            return pip()
        installer = self.folder / "installer"
        (installer / "pip").mkdir(parents=True)
        program = self.folder / "installed"
        program.write_text(INSTALLED.format(root=ROOT, moot=self.moot), "utf-8")
        program.chmod(0o755)
        (installer / "pip" / "__main__.py").write_text(INSTALL.format(program=program), "utf-8")
        return installer

    def _variables(self, find_links: str) -> Mapping[str, str]:
        return {
            **({"PIP_FIND_LINKS": find_links} if find_links else {}),
            "GIT_CONFIG_GLOBAL": str(self.folder / "gitconfig"),
            "GITHUB_API_URL": self.api.url,
            "GITHUB_REPOSITORY": "ann/game",
            "STUB_LOG": str(self.folder / "log"),
            "PIP_NO_INDEX": "1",
            "PIP_CONFIG_FILE": "/dev/null",
        }

    # -- events as a forge writes them

    def repository(self) -> Event:
        """Return what events say of the repository."""
        return {"full_name": "ann/game", "default_branch": "main", "fork": False}

    def pull_request(self, number: int, **more: Any) -> Event:
        """Return the event of a pull request of the meeting."""
        given: Event = {
            "number": number,
            "title": "A dragon",
            "body": "",
            "user": {"id": 7, "login": "zed"},
            "base": {"ref": "main", "sha": git(self.meeting.bare, "rev-parse", "main")},
            "head": {"ref": "dragon", "sha": self.meeting.head(number)},
            **more,
        }
        return {"action": "opened", "number": number, "pull_request": given, "repository": self.repository()}

    def comment(self, text: str, **more: Any) -> Event:
        """Return the event of a comment."""
        issue = {"number": 1, "title": "A dragon", "body": "", "user": {"id": 7, "login": "zed"}, **more}
        comment = {"id": 3, "body": text, "user": {"id": 7, "login": "zed"}}
        return {"action": "created", "issue": issue, "comment": comment, "repository": self.repository()}

    def game_file(self, name: str) -> str:
        """Return the path of a file of the game."""
        return f"state/{GAME}/{name}"
