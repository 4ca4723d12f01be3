"""What the judge's process cannot do, tried from inside a process that is confined in the same way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import folkmoot
from folkmoot.sandbox import Sandbox
from folkmoot.sandbox.memory import MEMORY
from tests.sandbox.bench import act, found

ROOT = Path(folkmoot.__file__).resolve().parent.parent
linux = pytest.mark.skipif(sys.platform != "linux", reason="these walls are Linux's own")


def pid_of(judge: Sandbox) -> int:
    assert judge._child is not None
    return judge._child.pid


def walls() -> list[str]:
    with Sandbox() as judge:
        return judge.walls()


def confined(code: str, **environment: str) -> str:
    """Run code in a process that has raised the judge's walls, and return what it prints."""
    head = "from folkmoot.sandbox.confinement import confine\nimport os, socket, sys\nconfine()\n"
    trial = (
        "def tried(act):\n    try:\n        return f'did {act()!r}'\n    except OSError:\n        return 'refused'\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", head + trial + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.threat("T-01")
@linux
def test_secrets_of_the_environment_do_not_reach_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLKMOOT_CHANCE_SECRET", "swordfish")
    with Sandbox() as judge:
        seen = Path(f"/proc/{pid_of(judge)}/environ").read_bytes()
    assert b"swordfish" not in seen
    assert b"PYTHONHASHSEED=0" in seen


@pytest.mark.threat("T-01")
@linux
def test_the_judge_stands_in_no_folder_and_holds_only_its_pipes(tmp_path: Path) -> None:
    secret = (tmp_path / "token").open("w")
    os.set_inheritable(secret.fileno(), True)
    with secret, Sandbox() as judge:
        folder = Path(f"/proc/{pid_of(judge)}")
        assert (folder / "cwd").readlink() == Path("/")
        held = {str(link.readlink()) for link in (folder / "fd").iterdir()}
    assert not [name for name in held if "token" in name]
    assert all(name.startswith(("pipe:", "/dev/null", "/tmp", "/var/tmp")) or "deleted" in name for name in held), held


@pytest.mark.threat("T-01")
@linux
def test_no_network() -> None:
    if "calls" not in walls() and "network" not in walls():
        pytest.skip("this system can take away neither sockets nor the network")
    out = confined("print(tried(lambda: socket.create_connection(('127.0.0.1', 9), 1)))")
    assert out == "refused"


@pytest.mark.threat("T-01")
@linux
def test_no_sockets_children_programs_or_signals() -> None:
    if "calls" not in walls():
        pytest.skip("this system has no filter of system calls")
    out = confined(
        """
        print(tried(socket.socket))
        print(tried(lambda: socket.socketpair()))
        print(tried(os.fork))
        print(tried(lambda: os.execv('/bin/true', ['true'])))
        print(tried(lambda: os.kill(os.getppid(), 0)))
        print(tried(lambda: os.kill(os.getpid(), 0)))
        """
    )
    assert out.split("\n") == ["refused"] * 5 + ["did None"]


@linux
def test_no_file_is_written_not_even_where_only_limits_stand(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("as it was")
    out = confined(
        f"""
        print(tried(lambda: open({str(tmp_path / "new")!r}, 'w').write('x')))
        print(tried(lambda: os.unlink({str(kept)!r})) if {"calls" in walls()!r} else 'refused')
        """
    )
    assert out.split("\n") == ["refused"] * 2
    assert kept.read_text() == "as it was"


@pytest.mark.threat("T-01")
@linux
def test_neither_files_nor_the_parents_environment_are_read(tmp_path: Path) -> None:
    if "files" not in walls():
        pytest.skip("this system cannot restrict files")
    (tmp_path / "token").write_text("swordfish")
    out = confined(
        f"""
        import base64, zoneinfo
        print(tried(lambda: open({str(tmp_path / "token")!r}).read()))
        print(tried(lambda: open('/etc/passwd').read()))
        print(tried(lambda: open(f'/proc/{{os.getppid()}}/environ').read()))
        print(zoneinfo.ZoneInfo('Europe/Zurich'))
        """
    )
    assert out.split("\n") == ["refused"] * 3 + ["Europe/Zurich"]


@pytest.mark.threat("T-25")
def test_memory_is_limited() -> None:
    out = confined(
        f"""
        try:
            print(len(bytearray({MEMORY * 5 // 4})))
        except MemoryError:
            print('refused')
        """
    )
    assert out == "refused"


@linux
def test_the_judge_ends_with_its_parent() -> None:
    code = "import time\nfrom folkmoot.sandbox import Sandbox\nj = Sandbox()\nprint(j._child.pid, flush=True)\ntime.sleep(60)\n"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    for _ in range(600):
        if not alive(pid):
            return
        time.sleep(0.05)
    pytest.fail("the judge outlived its parent")


def alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_a_judge_started_by_a_thread_that_has_ended_still_serves() -> None:
    made: list[Sandbox] = []
    thread = threading.Thread(target=lambda: made.append(Sandbox()))
    thread.start()
    thread.join()
    time.sleep(0.1)
    with made[0] as judge:
        found(judge)
        assert act(judge, 2, "work").outcome.accepted
