"""Notes and hands that are sealed stand nowhere before their time: not in files, pages, the log, what is printed or tried, nor in a traceback."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import zlib
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from folkmoot.cli.main import main
from folkmoot.cli.play.web import Builds, common_routes
from folkmoot.cli.site import running, site_app
from folkmoot.core.sealed_data import write_box
from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_file
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.player.sealing import seal_arguments
from tests.support.clones import ways
from tests.support.moot import Moot, Said
from tests.support.sites import lay_small_site
from tests.support.table import START, rule

AT = "2026-01-05T12:00:00Z"
CANARY = "heartsease5f3a"
ANN = (["user.name", "Ann"], ["user.email", "ann@x.org"])
NOTES = rule(
    "1",
    """
    def adds(note):
        return note + 1

    def digs(note):
        return {"a": 1}[note]

    def quits(note):
        fail(note)

    def do_keep(a):
        put(a.by, "note", a.args.note)
        put(a.by, "alone", a.args.alone)

    def do_ask(a):
        put(a.by, "note", sealed(a.args.function, get(a.by, "note")))

    def do_use(a):
        announce("x" + get(a.by, "note"))

    def do_order(a):
        announce("%s" % sorted([get(a.by, "note"), get(a.by, "alone")]))

    def do_show(a):
        reveal(get(a.by, "note"))
    """,
    sealed=dict.fromkeys(("adds", "digs", "quits"), "What it tells"),
    defines={
        "player": {"note": {"type": "any", "sealed": "owner"}, "alone": {"type": "any", "sealed": "owner"}},
    },
    actions={
        "keep": {
            "arguments": {"note": {"type": "any", "sealed": "owner"}, "alone": {"type": "any", "sealed": "author"}}
        },
        "choose": {"arguments": {"one": {"type": "choice", "of": ["a", "b"], "sealed": "nobody"}}},
        "ask": {"arguments": {"function": {"type": "string"}}},
        **{name: {} for name in ("use", "order", "show")},
    },
)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a game in which ann has sealed the canary, and her settings; it is to be copied."""
    folder = tmp_path_factory.mktemp("notes")
    game = folder / "game"
    people = [{"id": player, "surname": player} for player in ("ann", "bob")]
    law = {"title": "Notes", "rules": [NOTES], "players": people, "administrators": ["ann"]}
    for words in (["init", "-q", str(game)], *(["-C", str(game), "config", *each] for each in ANN)):
        subprocess.run(["git", *words], check=True)
    assert Session.found(game / "state" / "notes", law, START).accepted

    def run(*words: str) -> Said:
        with CliRunner().isolation() as (out, err, _), pytest.raises(SystemExit) as ended:
            main(list(words))
        said = Said(int(ended.value.code or 0), out.getvalue().decode(), err.getvalue().decode())
        assert said.code == 0, said
        return said

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(game)
        patch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        patch.setenv("XDG_CONFIG_HOME", str(folder / "settings"))
        patch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
        run("key", "--keeper")
        act(run, "open_sealing")
        key = run("key", "--sealing", "--json").record["recipient"]
        act(run, "use_sealing_key", f"key={key}")
        act(run, "keep", f"note={CANARY}", f"alone={CANARY}")
    return folder


@pytest.fixture
def kept(notes: Path, moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Moot:
    """Return `moot` where ann has sealed the canary twice: to the keeper and herself, and to herself alone."""
    settings = tmp_path.parent / f"{tmp_path.name}-settings"
    shutil.copytree(notes / "game", tmp_path, dirs_exist_ok=True)
    shutil.copytree(notes / "settings", settings)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(settings))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
    return moot


def act(moot: Moot, do: str, *words: str) -> Said:
    return moot("act", "--at", AT, "--by", "ann", do, *words)


def told(folder: Path, said: list[Said]) -> bytes:
    """Return every byte of a repository, its objects unpacked, its pages too, and what was printed."""
    found = [f"{each.out}{each.err}".encode() for each in said]
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            found.append(data)
            if data.startswith(b"\x1f\x8b"):  # the site's map and the index of its search are compressed
                found.append(gzip.decompress(data))
            if ".git" in path.parts and "objects" in path.parts:
                found.append(zlib.decompress(data) if path.parent.name != "pack" else b"")
    return b"\n".join(found)


def leaks(told: bytes) -> list[bytes]:
    """Return the ways in which the canary stands in what was said."""
    return [way for way in ways(CANARY) if way in told]


def damaged(moot: Moot, folder: Path) -> list[Said]:
    """Send what was sealed before with something of it changed, in clear JSON too, and return what is said of that."""
    with Session.open(folder / "state" / "notes") as session:
        words = [
            seal_arguments(session, "ann", "keep", {"note": CANARY, "alone": CANARY}),
            seal_arguments(session, "ann", "choose", {"one": CANARY}),
        ]
    note, alone, one = words[0]["note"], words[0]["alone"], words[1]["one"]
    _, commitment, box = note.split(".")
    wrong = [
        write_box("0" * 64, box),
        write_box(commitment, f"{box[:-8]}AAAAAAA="),
        write_box(commitment, box[:400]),
        write_box(commitment, box[400:]),
        one,
        alone,
        f"{note}x",
        f"[{note}]",
    ]
    said = [
        moot("act", "--at", AT, "--by", "ann", "keep", f"note={each}", f"alone={alone}", "--anyway") for each in wrong
    ]
    said += [moot("act", "--at", AT, "--by", "ann", "choose", f"one={one}", "--anyway")]
    said += [moot("act", "--at", AT, "--by", "bob", "open_sealed", "number=2", f"value={one}", "salt=ab", "nonce=cd")]
    assert [each for each in said[:5] if each.code == 0] == []
    return said


EXPLAINED = ("ann note", "ann alone", "action keep", "rule 1", "limits")


def looked(moot: Moot) -> list[Said]:
    """Return what is printed by all that shows a game, but the owner's own hand."""
    looks = (
        *(
            "log",
            "log --json",
            "status",
            "status --json",
            "verify",
            "verify --json",
            "serve --build --trust",
            "show rules",
        ),
        *("show rules --json", "show", "show scores", "show rule 1", "act --list", "act keep --help", "doctor"),
        *(f"explain {what}{form}" for what in EXPLAINED for form in ("", " --json")),
        *(f"explain entry {seq}{' --json' * (seq % 2)}" for seq in range(1, 16)),
    )
    said = [moot(*words.split()) for words in looks]
    there = [each for each in said if "there is no entry" not in each.err + each.out]
    assert len([each for each in there if each.code == 0 and len(each.out) > 40]) >= len(there) - 2
    assert len(there) > 25
    return [*said, moot("show", "hand", "--by", "bob"), moot("show", "hand", "--by", "bob", "--json")]


@pytest.mark.threat("T-81")
def test_the_canary_is_nowhere_before_its_time(kept: Moot, tmp_path: Path) -> None:
    """Neither in the built site, its search, feeds and calendars, nor where it is asked for by a redaction."""
    seq = next(int(entry["seq"]) for entry in _entries(tmp_path) if entry.get("do") == "keep")
    said = [act(kept, "choose", f"one={CANARY}")]
    assert (said[0].code, "one is one of (a, b)" in said[0].err) == (1, True), "it is blamed where it was typed alone"
    for part in ("with.note", "with.note.box", "with.alone", "with.alone.commitment", "sealed.0.commitment"):
        said.append(act(kept, "redact", f"seq={seq}", f"path={part}", "why=Not for the record"))
        assert (said[-1].code, "E-ARGS" in said[-1].err) == (1, True), part
    for name in ("adds", "digs", "quits"):
        said += [act(kept, "ask", f"function={name}"), act(kept, "keep", f"note={CANARY}", f"alone={CANARY}")]
    said += [act(kept, "use"), act(kept, "order"), *damaged(kept, tmp_path)]
    lay_small_site(tmp_path)
    said += looked(kept)
    assert [each for each in said if "Traceback" in each.err] == []
    site = tmp_path / "site"
    assert list((site / "pagefind" / "fragment").iterdir())
    assert [(site / "notes" / name).is_file() for name in ("events.atom", "game.json", "calendar.ics")] == [True] * 3
    assert leaks(told(tmp_path, said)) == []
    assert CANARY in kept("show", "hand", "--by", "ann").out
    assert any("sealed" in path.read_text("utf-8") for path in (site / "notes").rglob("*.html"))
    assert kept("verify").code == 0
    not_served(tmp_path)


def not_served(folder: Path) -> None:
    """Ask the server for every file of the site, and by ways out of its folder for what lies in the repository's own one."""
    site, key = folder / "site", keeper_file(GameFolder(folder / "state" / "notes"))
    secret = key.read_text("utf-8").strip().removeprefix("1:").encode()
    assert secret.startswith(b"AGE-SECRET-KEY-1")
    out = key.relative_to(folder).as_posix()
    paths = ["/" + path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()]
    ways_out = [
        f"{up}{out}" for up in ("/", "/../", "/%2e%2e/", "/..%2f", "/notes/../../", "//../", "/..\\", "/%5c../")
    ]
    answers: dict[str, tuple[int, bytes]] = {}
    with running(site_app(site, common_routes(Builds())), None) as (address, _thread):
        for path in [*paths, *ways_out, f"/{key}", "/state/notes/head.yaml", "/.git/config"]:
            connection = HTTPConnection(urlsplit(address).netloc, timeout=10)
            connection.request("GET", path.replace(" ", "%20"))
            answer = connection.getresponse()
            answers[path] = answer.status, answer.read()
            connection.close()
    assert len([path for path in paths if answers[path][0] == 200]) > 20
    assert [path for path in answers if path not in paths and answers[path][0] == 200] == []
    public = b"\n".join(body for _, body in answers.values())
    assert (secret in public, leaks(public)) == (False, [])


@pytest.mark.threat("T-81")
@pytest.mark.parametrize(
    ("how", "path", "keyed"),
    [("show", "effects.0.to", True), ("show", "sealed.0.value", False), ("open_sealed", "", False)],
)
def test_what_was_opened_is_gone_from_the_record_once_it_is_redacted(
    kept: Moot, tmp_path: Path, how: str, path: str, keyed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record goes on to verify, with the keeper's key and without; that it was opened rightly cannot be shown."""
    assert act(kept, how).code == 0
    entry = _entries(tmp_path)[-1]
    place = path or next(f"sealed.{n}.value" for n, each in enumerate(entry["sealed"]) if "opened" in each)
    done = act(kept, "redact", f"seq={entry['seq']}", f"path={place}", "why=Not for the record")
    assert done.code == 0, done.err
    if not keyed:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path.parent / "nobody's settings"))
        shutil.rmtree(tmp_path / ".git" / "moot", ignore_errors=True)
    proved = kept("verify")
    assert proved.code == 0, proved.err
    assert "1 opened value is redacted" in proved.out
    assert act(kept, "use").code in (0, 3)
    said = [kept("log"), kept("log", "--json"), kept("show")]
    files = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
    assert leaks(b"".join([*(path.read_bytes() for path in files), *(each.out.encode() for each in said)])) == []


def test_an_opening_that_looks_as_if_it_were_redacted_proves_nothing(kept: Moot, tmp_path: Path) -> None:
    """Only what a later entry says was redacted counts as that; the record itself cannot say so."""
    assert act(kept, "show").code == 0
    file = max((tmp_path / "state" / "notes" / "journal").rglob("*.yaml"))
    marker = f"[redacted sha256:{'0' * 64}]"
    text = file.read_text("utf-8").replace(CANARY, f'"{marker}"')
    file.write_text(f'{text}redacted:\n  sealed.0.value: "{"0" * 64}"\n', "utf-8")
    assert kept("verify").code == 4


def _entries(folder: Path) -> list[Any]:
    with Session.open(folder / "state" / "notes") as session:
        return list(session.record.entries())


def test_what_was_opened_is_shown_with_its_proof(kept: Moot, tmp_path: Path) -> None:
    assert act(kept, "show").code == act(kept, "open_sealed").code == 0
    log = kept("log").out
    assert log.count(CANARY) >= 2
    with Session.open(tmp_path / "state" / "notes") as session:
        commitments = [each["commitment"] for each in session.document("sealed/000").values()]
    assert [each[-8:] in log for each in commitments] == [True, True]
    assert "moot verify checks" in " ".join(log.split())
    lay_small_site(tmp_path)
    assert kept("serve", "--build", "--trust").code == kept("verify").code == 0
    pages = "".join(path.read_text("utf-8") for path in (tmp_path / "site" / "notes").rglob("*.html"))
    assert [each in pages for each in commitments] == [True, True]
    lines = [unescape(found) for found in re.findall(r"<code>(printf [^<]*)</code>", pages)]
    said = [subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True).stdout for line in lines]
    assert sorted(each.split()[0] for each in said) == sorted(commitments)
    assert [line for line in lines if CANARY.encode().hex() not in line] == []


# -- what is only tried, and what the site's server answers


LEAKS = """rule: "2"
title: Leaks
text: |
  Everything is told.
sealed:
  longer: The note and a word
actions:
  tell: {}
  give: {arguments: {player: {type: player}}}
  guess: {}
script: |
  def longer(note):
      return [note, note]

  def do_tell(a):
      announce("It is %s." % reveal(get("ann", "note")))

  def do_give(a):
      disclose(get(a.args.player, "note"), a.by)

  def do_guess(a):
      found = declassify(sealed("longer", get("ann", "note")), "why not")
      fail("%s" % found)
"""
STEPS: tuple[dict[str, object], ...] = (
    {"by": "bob", "do": "tell"},
    {"by": "bob", "do": "guess"},
    {"by": "ann", "do": "show"},
    {"by": "ann", "do": "ask", "args": {"function": "quits"}},
    {"expect": [{"player": "ann", "note": 7}]},
    {"expect": [{"player": "ann", "note": CANARY[:-1]}]},
    {"expect": [{"player": "ann", "note": "sealed", "seen_by": "ann"}]},
    {"expect": [{"player": "ann", "note": 7, "seen_by": "bob"}]},
)


@pytest.mark.threat("T-81")
def test_what_is_only_tried_tells_nothing_even_where_the_keys_are(kept: Moot, tmp_path: Path) -> None:
    """The machine has the keeper's key and ann's: a rule that would tell all is tried, and steps and claims on it."""
    rule, steps = tmp_path / "leaks.yaml", tmp_path / "steps.yaml"
    rule.write_text(LEAKS, "utf-8")
    before = (tmp_path / "state" / "notes" / "head.yaml").read_bytes()
    for step in STEPS:
        steps.write_text(json.dumps([step]), "utf-8")
        said = [kept("try", str(rule), "--steps", str(steps), *form) for form in ((), ("--json",))]
        tried = "".join(each.out + each.err for each in said)
        assert "expect" in step or "this depends on what is sealed" in tried
        assert "Unreadable" not in tried
        assert leaks(tried.encode()) == []
    for words in (("show",), ("ask", "function=quits"), ("use",), ("order",)):
        for form in ((), ("--json",)):
            dry = kept("act", "--dry-run", "--at", AT, "--by", "ann", *words, *form)
            assert len(dry.out + dry.err) > 20
            assert leaks(f"{dry.out}{dry.err}".encode()) == []
    assert (tmp_path / "state" / "notes" / "head.yaml").read_bytes() == before
