"""No other process of the same account looks into one that holds secrets; what it starts works as before."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems have other ways")
AS_SOMEBODY = """
import ctypes, os, subprocess, sys
from pathlib import Path
from folkmoot.game.secret_store import shield
from folkmoot.cli.main import main
from folkmoot.forges.git_transport import Git
if os.getuid() == 0:  # who keeps the system looks everywhere
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)

def seen():
    found = subprocess.run(["cat", f"/proc/{os.getpid()}/environ"], capture_output=True)
    return b"swordfish" in found.stdout
"""


def run(code: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", AS_SOMEBODY + textwrap.dedent(code)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.threat("T-01")
@linux
@pytest.mark.parametrize(
    "name", ["FOLKMOOT_TOKEN", "FOLKMOOT_CHANCE", "FOLKMOOT_SEALING", "FOLKMOOT_ANNOUNCE", "GITHUB_TOKEN"]
)
@pytest.mark.sampled(2)
def test_a_child_does_not_read_what_the_program_was_started_with(name: str) -> None:
    """Though it is of the same account, behind no wall, and the variable was taken out long ago."""
    out = run(
        """
        print(seen())
        try:
            main(["--version"])
        except SystemExit:
            pass
        os.environ.clear()
        print(seen())
        """,
        **{name: "swordfish"},
    )
    assert [line for line in out.split("\n") if line in ("True", "False")] == ["True", "False"]


@linux
def test_who_holds_no_secret_is_no_other_process_than_before() -> None:
    assert run("print(shield(), seen(), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))", OTHER="swordfish") == "False True 1"


@linux
def test_children_are_given_what_they_were_and_nothing_else() -> None:
    """Python closes files for a child by `/proc/self/fd`, which such a process may be kept from."""
    out = run(
        """
        print(shield())
        left = os.dup2(os.open("/dev/null", os.O_RDONLY), 57, inheritable=True)
        for close in (True, False):
            print(57 in map(int, subprocess.run(
                ["ls", "/proc/self/fd"], capture_output=True, text=True, close_fds=close).stdout.split()))
        print(Git(Path("/")).ask(["--version"])[:11])
        print(subprocess.run(["cat", "/proc/self/environ"], env={"A": "b"}, capture_output=True).stdout)
        """,
        FOLKMOOT_TOKEN="swordfish",
    )
    assert out.split("\n") == ["True", "False", "True", "git version", "b'A=b\\x00'"]


@pytest.mark.parametrize("fault", [OSError("none"), AttributeError("prctl")])
def test_where_no_such_thing_is_known_nothing_happens(monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    def library(_: object) -> None:
        raise fault

    monkeypatch.setenv("FOLKMOOT_TOKEN", "swordfish")
    monkeypatch.setattr("ctypes.CDLL", library)
    from folkmoot.game.secret_store import shield

    assert not shield()
