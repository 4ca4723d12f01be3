"""What the judge's process cannot do, tried from inside a process that is confined in the same way."""

from __future__ import annotations

import os
import platform
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Sequence
from errno import ENOSYS, EPERM
from functools import cache
from pathlib import Path

import pytest

import folkmoot
from folkmoot.cli.exit_codes import Exit, exit_of
from folkmoot.core.calendar import zone_file
from folkmoot.core.events import Event
from folkmoot.core.problems import ProblemError
from folkmoot.sandbox import connection, syscalls
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.syscalls import ALLOWED, NEWER, PROCESSORS
from folkmoot.sandbox.walls import VARIABLE, WALLS, missing_walls, refuse_bare_root, walls
from folkmoot.sandbox.wire import MEMORY, ZONES
from tests.support.bench import act, found
from tests.support.table import rule

ROOT = Path(folkmoot.__file__).resolve().parent.parent
linux = pytest.mark.skipif(sys.platform != "linux", reason="these walls are Linux's own")


def pid_of(judge: Sandbox) -> int:
    assert judge._child is not None
    return judge._child.pid


@cache
def standing() -> set[str]:
    with Sandbox() as judge:
        return {wall.name for wall in judge.walls() if not wall.missing}


needs_filter = pytest.mark.skipif("'calls' not in standing()", reason="this system has no filter of system calls")
WITHOUT = {
    "": "all walls",
    "confinement.close_files = lambda: False": "no Landlock",
    "confinement.CLONE_NEWUSER = confinement.CLONE_NEWNET = -1": "no namespaces",
    "confinement.SCOPES_SINCE = 99": "no scopes",
    "confinement.close_files = lambda: False; confinement.CLONE_NEWUSER = confinement.CLONE_NEWNET = -1": "the filter alone",
}
"""What takes away other walls, and what is left then."""
TRAPS = {335, 336}  # what the system itself puts into a program that is traced; from elsewhere it ends the process
LATE = '''
import sys
from pathlib import Path
from folkmoot.game.rulesets import founding
from folkmoot.sandbox.program import read_program
from folkmoot.sandbox.worker import ParentProcess, Worker

law = founding("orchard")
MISTAKES = """load("grids", "nosuch")
load("grid", "nosuch")
load("nosuchlib", "x")
def on_nosuch(e):
    annonce("x", y = 1)
def do_x(a):
    put("game", "nosuch", rule("7").txt)
    emit("planted", tree = give)
"""
written = [{"rule": {"uid": "90", "rule": "90", "title": "T", "text": "T", "script": MISTAKES}, "text": MISTAKES, "file": "t"}]
written += [{"rule": {**rule, "uid": "90" + str(n)}, "text": rule.get("script", ""), "file": "p"} for n, rule in enumerate(law["rules"])]
worker = Worker(ParentProcess(lambda size: b"", lambda data: None, None))
read_program()
late = set()
sys.addaudithook(lambda event, given: late.add(f"{event} {given[0]}") if event in ("open", "os.listdir", "os.scandir") else None)
for one in written:
    worker.do_check(law, [one])
    worker.do_check(None, [one])
print(len(written), *sorted(late), sep="\\n")
'''


def confined(code: str, before: str = "") -> str:
    """Run code in a process that has raised the judge's walls, `before` something, and return what it prints."""
    head = (
        "import fcntl, mmap, os, resource, socket, sys, termios\n"
        f"from folkmoot.sandbox import confinement\n{before}\nconfinement.confine()\n"
    )
    trial = "def tried(act):\n    try:\n        return f'did {act()!r}'\n    except (OSError, ValueError):\n        return 'refused'\n"
    done = subprocess.run(
        [sys.executable, "-c", head + trial + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.threat("T-01")
@linux
def test_the_judge_has_no_secret_no_folder_no_terminal_and_holds_only_its_pipes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLKMOOT_CHANCE_SECRET", "swordfish")
    secret = (tmp_path / "token").open("w")
    os.set_inheritable(secret.fileno(), True)
    with secret, Sandbox() as judge:
        folder = Path(f"/proc/{pid_of(judge)}")
        seen = (folder / "environ").read_bytes()
        assert (folder / "cwd").readlink() == Path("/")
        held = {str(link.readlink()) for link in (folder / "fd").iterdir()}
        assert os.getpgid(pid_of(judge)) != os.getpgid(0), "an interruption at the terminal does not reach it"
    assert b"swordfish" not in seen
    assert b"PYTHONHASHSEED=0" in seen
    assert not [name for name in held if "token" in name]
    assert all(name.startswith(("pipe:", "/dev/null", "/tmp", "/var/tmp")) or "deleted" in name for name in held), held


@pytest.mark.threat("T-01")
@linux
@needs_filter
@pytest.mark.parametrize("without", WITHOUT, ids=WITHOUT.get)
def test_every_system_call_that_is_not_on_the_list_is_refused(without: str) -> None:
    known = {getattr(call, platform.machine()) for call in ALLOWED} | TRAPS
    out = confined(
        f"""
        import ctypes
        call = ctypes.CDLL(None, use_errno=True).syscall
        for number in [*range({NEWER + 100}), *range(1 << 30, (1 << 30) + 600)]:
            if number not in {known!r}:
                ctypes.set_errno(0)
                print(number, call(number, 0, 0, 0, 0, 0, 0), ctypes.get_errno())
        """,
        without,
    )
    answers = {number: (came, why) for number, came, why in (map(int, line.split()) for line in out.split("\n"))}
    assert len(answers) == NEWER + 700 - len(known)
    assert {at: said for at, said in answers.items() if said != (-1, EPERM if at < NEWER else ENOSYS)} == {}


@pytest.mark.threat("T-01")
@linux
@needs_filter
@pytest.mark.parametrize("without", WITHOUT, ids=WITHOUT.get)
def test_nothing_is_opened_looked_for_started_signalled_or_slowed_down(tmp_path: Path, without: str) -> None:
    (tmp_path / "token").write_text("swordfish")
    token = str(tmp_path / "token")
    out = confined(
        f"""
        for act in (
            lambda: open({token!r}).read(), lambda: open(os.devnull), lambda: open('/proc/self/environ'),
            lambda: os.stat({token!r}), lambda: os.stat('/no/such/file'), lambda: os.listdir('/'),
            lambda: os.utime({token!r}), lambda: os.unlink({token!r}), lambda: open({token!r}, 'w'),
            socket.socket, socket.socketpair, os.fork, lambda: os.execv('/bin/true', ['true']), os.pipe,
            lambda: os.kill(os.getppid(), 0), lambda: os.kill(os.getpid(), 0), lambda: os.nice(1),
            lambda: os.setpriority(os.PRIO_PROCESS, 0, 1), lambda: os.sched_setaffinity(0, {{0}}),
            lambda: fcntl.fcntl(0, fcntl.F_SETOWN, 1), lambda: fcntl.ioctl(0, termios.TIOCSTI, b'x'),
            lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1, 1)),
            lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU),
            lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC),
        ):
            print(tried(act))
        print(tried(lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, -1))))
        print(tried(lambda: len(mmap.mmap(-1, 4096))))
        """,
        without,
    )
    assert out.split("\n") == ["refused"] * 24 + ["did None", "did 4096"]
    assert Path(token).read_text() == "swordfish"


@linux
@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_filter_of_each_processor_lets_through_its_list_alone(processor: str) -> None:
    program = [struct.unpack("HBBI", line) for line in syscalls._program(processor)]
    ours = PROCESSORS[processor]
    allowed = {at for at in range(1000) if _verdict(program, at, ours) == syscalls.ALLOW}
    assert allowed == {getattr(call, processor) for call in ALLOWED}
    assert {_verdict(program, at, ours ^ 2) for at in range(1000)} == {syscalls.REFUSE}
    for call in ALLOWED:
        assert call.reason
        for place, bits in call.zero:
            arguments = [0] * 6
            arguments[place] = bits & -bits
            assert _verdict(program, getattr(call, processor), ours, arguments) == syscalls.REFUSE


def _verdict(
    program: list[tuple[int, ...]], number: int, architecture: int, arguments: Sequence[int] = (0,) * 6
) -> int:
    """Return what a filter says to a call, as the system would run it."""
    seen = struct.pack("IIQ6Q", number, architecture, 0, *arguments)
    at = value = 0
    while True:
        code, then, otherwise, given = program[at]
        at += 1
        if code == syscalls.RETURN:
            return given
        if code == syscalls.LOAD:
            (value,) = struct.unpack_from("I", seen, given)
            continue
        test = {syscalls.EQUAL: value == given, syscalls.AT_LEAST: value >= given, syscalls.ANY_BIT: value & given}
        at += then if test[code] else otherwise


@linux
@pytest.mark.threat("T-01")
def test_without_the_filter_no_file_is_read_or_written(tmp_path: Path) -> None:
    if "files" not in standing():
        pytest.skip("this system cannot restrict files")
    (tmp_path / "token").write_text("swordfish")
    out = confined(
        f"""
        print(tried(lambda: open({str(tmp_path / "token")!r}).read()))
        print(tried(lambda: open(f'/proc/{{os.getppid()}}/environ').read()))
        print(tried(lambda: open({str(tmp_path / "new")!r}, 'w').write('x')))
        """,
        "confinement.refuse_calls = lambda: False",
    )
    assert out.split("\n") == ["refused"] * 3


@linux
@pytest.mark.threat("T-25")
def test_where_only_limits_stand_no_file_is_written_and_memory_is_limited(tmp_path: Path) -> None:
    out = confined(
        f"""
        print(tried(lambda: open({str(tmp_path / "new")!r}, 'wb', buffering=0).write(b'x')))
        try:
            print(len(bytearray({MEMORY * 5 // 4})))
        except MemoryError:
            print('refused')
        """,
        "confinement.refuse_calls = confinement.close_files = lambda: False",
    )
    assert out.split("\n") == ["refused", "refused"]


def test_nothing_is_opened_once_the_program_is_read() -> None:
    """What the process reads of its own program is read before its walls stand."""
    done = subprocess.run([sys.executable, "-c", LATE], cwd=ROOT.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    count, *late = done.stdout.split("\n")[:-1]
    assert int(count) > 10
    assert late == []


@linux
def test_the_judge_ends_with_its_parent() -> None:
    code = "import time\nfrom folkmoot.sandbox.client import Sandbox\nj = Sandbox()\nprint(j._child.pid, flush=True)\ntime.sleep(60)\n"
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


@pytest.mark.threat("T-01")
def test_the_superuser_judges_nothing_where_calls_are_not_filtered_unless_they_insist(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.delenv(VARIABLE, raising=False)
    refuse_bare_root(["calls"])
    with pytest.raises(ProblemError, match="this is the superuser, and system calls are not filtered") as caught:
        refuse_bare_root(["files", "network"])
    assert exit_of(caught.value.problems) == Exit.OUTSIDE
    monkeypatch.setenv(VARIABLE, "1")
    refuse_bare_root([])
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.delenv(VARIABLE)
    refuse_bare_root([])


def test_each_missing_wall_has_a_sentence_and_none_at_all_one_alone() -> None:
    assert missing_walls(walls(WALLS)) == []
    for name in WALLS:
        (said,) = missing_walls(walls(WALLS.keys() - {name}))
        assert said.startswith(WALLS[name])
    (none,) = missing_walls(walls([]))
    assert none.startswith("no wall of the sandbox stands here")
    assert "could read every file of this account" in missing_walls(walls(["network"]))[1]


def test_the_parent_reads_the_file_of_a_time_zone_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(connection, "zone_file", lambda name: asked.append(name) or zone_file(name))
    daily = rule("1", "def on_noon(e):\n    pass\n", timers={"noon": {"every": "day", "at": "12:00"}})
    game = {"rules": [daily], "players": [{"id": "ann"}], "administrators": ["root"], "zone": "Europe/Vienna"}
    with Sandbox() as judge:
        assert judge.apply(Event(seq=1, at=0, do="found", with_=game)).outcome.accepted
        assert asked == ["Europe/Vienna"]
        for name in ("../../../etc/passwd", "/etc/passwd", "Europe", "Europe/Nowhere", "a/../../b", "", "UTC/.."):
            assert judge._fetch(f"{ZONES}{name}") is None
