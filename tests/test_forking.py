"""A fork of `tests.support.forking` does what a process that has just begun does."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from folkmoot.game.secret_store import CHANCE
from tests.support.forking import Forking, started

LOOK = """\
import json, locale, os, pygit2, signal, sys, time
streams = [sys.stdin, sys.stdout, sys.stderr]
print(json.dumps({
    "words": sys.argv[1:],
    "folder": os.getcwd(),
    "variables": {name: value for name, value in os.environ.items() if name not in ("_", "PWD", "OLDPWD")},
    "mask": os.umask(0),
    "settings": [pygit2.settings.homedir, *(pygit2.settings.search_path[level] for level in (2, 3, 4))],
    "zone": time.tzname,
    "locale": [locale.setlocale(locale.LC_ALL), sys.getfilesystemencoding(), locale.getpreferredencoding(False)],
    "streams": [[each.encoding, each.errors, each.line_buffering, each.write_through, each.isatty(), each.fileno()] for each in streams],
    "calls": sys.getrecursionlimit(),
    "signals": [str(signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGCHLD, signal.SIGTERM)],
    "name": __name__,
    "flags": [sys.flags.safe_path, sys.flags.no_user_site, sys.flags.utf8_mode],
    "open": sorted(os.listdir("/dev/fd"))[:3] + [len(os.listdir("/dev/fd"))] if sys.platform == "linux" else [],
}, sort_keys=True))
print(sys.stdin.read(), end="")
"""
SEEN = """\
import os, sys
sys.argv[0] = "moot"
from folkmoot.cli.main import main
try:
    main()
finally:
    from folkmoot.game.secret_store import CHANCE
    from folkmoot.core.versions import versions
    print(CHANCE in os.environ, os.access("/proc/self/environ", os.R_OK), sys.getrecursionlimit(), file=sys.stderr)
"""
ENDS = {
    "raise SystemExit": 0,
    "raise SystemExit(3)": 3,
    "raise SystemExit('no')": 1,
    "print('x', end='')": 0,
    "1 / 0": 1,
    "import os; os._exit(7)": 7,
    "import atexit; atexit.register(print, 'late'); print('soon')": 0,
    "import threading, time; threading.Thread(target=lambda: (time.sleep(0.05), print('late'))).start()": 0,
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": -signal.SIGKILL,
    "import os, signal; os.kill(os.getpid(), signal.SIGTERM)": -signal.SIGTERM,
    "import sys; sys.stdout = open('/dev/full', 'w'); print('x')": 120,
}


def both(forking: Forking, folder: Path, program: str) -> tuple[str, str]:
    """Write a program that forks and one that starts a process."""
    (folder / "real").mkdir()
    (folder / "fork").mkdir()
    return str(started(folder / "real" / "moot", program)), str(forking.shim(folder / "fork" / "moot", program))


def test_a_fork_sees_what_a_process_sees(forking: Forking, tmp_path: Path) -> None:
    told = forking.environment | {"TZ": "Asia/Tokyo", "NO_COLOR": "1", "ODD": "\udcff ü\n", CHANCE: "x"}
    told |= {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "settings")}
    said = []
    for program in both(forking, tmp_path, LOOK):
        words = [program, "one", "", "two three\n", "ü", "\udcff", "-c", "--help"]
        done = subprocess.run(
            words, cwd=tmp_path, env=told, input=b"typed\n", capture_output=True, check=True, umask=0o027
        )
        said.append(done.stdout)
    assert said[0] == said[1]
    assert b'"JST"' in said[1]


def test_a_fork_is_on_the_terminal_that_its_shim_is_on(forking: Forking, tmp_path: Path) -> None:
    said = []
    for program in both(forking, tmp_path, LOOK):
        leader, terminal = pty.openpty()
        with subprocess.Popen(
            [program], env=forking.environment, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal
        ) as process:
            os.close(terminal)
            shown = b""
            with suppress(OSError):
                while part := os.read(leader, 4096):
                    shown += part
            process.wait(60)
        os.close(leader)
        said.append(shown)
    assert said[0].replace(b"/real/", b"/fork/") == said[1]
    assert b', true, 1], ["utf-8", "backslashreplace", ' in said[1]


@pytest.mark.parametrize("program", ENDS)
def test_a_fork_ends_as_a_process_ends(program: str, forking: Forking, tmp_path: Path) -> None:
    real, fork = (
        subprocess.run([each], env=forking.environment, capture_output=True, text=True, check=False)
        for each in both(forking, tmp_path, program)
    )
    assert fork.returncode == real.returncode == ENDS[program]
    assert fork.stdout == real.stdout
    assert fork.stderr.split("\n")[-2:] == real.stderr.split("\n")[-2:] or fork.returncode == 120


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_fork_hides_its_secrets_as_a_process_does(forking: Forking, tmp_path: Path) -> None:
    said = []
    for program in both(forking, tmp_path, SEEN):
        for more in ({}, {CHANCE: "0123456789abcdef" * 4}):
            done = subprocess.run(
                [program, "-C", str(tmp_path), "key", "--dice"],
                env=forking.environment | more,
                capture_output=True,
                text=True,
                check=False,
            )
            said.append(done.stderr)
    assert said[:2] == said[2:]
    assert said[0].startswith("False True ")
    assert os.geteuid() == 0 or said[1].startswith("False False ")


def test_a_variable_that_python_looks_at_when_it_starts_gets_a_real_process(forking: Forking, tmp_path: Path) -> None:
    shim = forking.shim(tmp_path / "moot", "import os; print(os.getppid())")
    here = subprocess.run([shim], env=forking.environment, capture_output=True, text=True, check=True)
    assert int(here.stdout) == forking.process.pid
    other = forking.environment | {"LC_ALL": "C", "PYTHONUTF8": "0"}
    there = subprocess.run([shim], env=other, capture_output=True, text=True, check=True)
    assert int(there.stdout) == os.getpid()


def test_a_fork_ends_with_its_shim_and_all_end_with_the_server(tmp_path: Path) -> None:
    program = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
    with Forking() as server:
        shim = server.shim(tmp_path / "moot", program)
        pids = []
        for killed in (True, False):
            process = subprocess.Popen(
                [shim], env=server.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            assert process.stdout is not None
            pids.append(int(process.stdout.readline()))
            if killed:
                process.kill()
                process.wait()
                assert gone(pids[0])
            process.stdout.close()
    assert process.wait(60) == 1
    assert all(map(gone, pids))
    assert not server.folder.exists()


def gone(pid: int) -> bool:
    """Wait until there is no process of a number; say whether that came about."""
    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False
