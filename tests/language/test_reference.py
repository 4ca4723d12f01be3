"""The reference: complete, up to date in the repository, and every example in it is played."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from ci.reference import pages_of_law
from folkmoot.kernel.host import HOST
from folkmoot.kernel.proposals import OUTCOMES
from folkmoot.kernel.rule_changes import EVENTS as CHANGED
from folkmoot.language.declarations import catalogue, introduction, library, library_modules
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from folkmoot.site.game_views import QUESTIONS
from tests.support.table import Record, Table, rule

ROOT = Path(__file__).parents[2]
KERNEL_FILES = (ROOT / "engine" / "folkmoot" / "kernel").rglob("*.py")
SOURCES = sorted(path for path in KERNEL_FILES if path.name != "vaults.py")
KERNEL = "\n".join(path.read_text("utf-8") for path in SOURCES)
ASKING = ("referee/intake.py", "game/status.py", "scenarios/scenario.py")
PATHS = [ROOT / "engine" / "folkmoot" / name for name in ASKING]
REFEREE = "\n".join(path.read_text("utf-8") for path in PATHS)


def test_the_pages_in_the_repository_are_those_that_are_made() -> None:
    made = pages_of_law()
    kept = {name: (ROOT / "site_src" / name).read_text("utf-8") for name in made}
    assert kept == made, "make them anew: python ci/reference.py"


def test_links_lead_somewhere() -> None:
    pages = pages_of_law()
    links = {f"reference/{link}" for link in re.findall(r"\]\(([^#].*?)\)", pages["reference/index.md"])}
    assert set(pages) <= links | {"reference/index.md"}
    assert [link for link in links if not (ROOT / "site_src" / link.partition("#")[0]).is_file()] == []


# -- complete ----------------------------------------------------------------------------------------------------------


def test_every_host_function_has_a_meaning_and_an_example() -> None:
    assert [name for name, entry in HOST.words.items() if f"{name}(" not in entry.body] == []
    assert [name for name, entry in HOST.words.items() if not entry.meaning.endswith((".", "''."))] == []


def test_every_event_of_the_kernel_is_listed() -> None:
    named = set(re.findall(r'(?:play\.emit|tell)\((?:play, )?"([a-z_]+)"', KERNEL))
    named |= set(re.findall(r'for name in \("([a-z_]+)", f"\1_\{', KERNEL))  # raised with the one of a register
    assert {"on_" + name for name in named} >= {"on_acted", "on_voting_opened"}
    outcomes = {f"on_proposal_{outcome}" for outcome in OUTCOMES}
    changed = {f"on_{name}" for name in CHANGED.values()}
    assert set(catalogue("events")) == {f"on_{name}" for name in named} | outcomes | changed | {"on_changed_REGISTER"}


def test_every_question_of_the_kernel_is_listed() -> None:
    asked = set(re.findall(r'\.(?:ask|ask_whose|answers)\(\s*"([a-z_]+)"', KERNEL))
    asked |= set(re.findall(r'ask_usable\(\s*play, "([a-z_]+)"', KERNEL))
    asked |= set(re.findall(r'\("([a-z_]+)", \[shown', KERNEL))
    asked |= set(re.findall(r'_ask\(play, "(may_[a-z_]+)"', KERNEL))
    asked |= set(re.findall(r'_read\(play, "([a-z_]+)"', KERNEL))
    asked |= set(re.findall(r'(?:session\.ask|kernel\.ask)\(\s*"([a-z_]+)"', REFEREE))
    asked |= set(re.findall(r'_said\(session, "([a-z_]+)"', REFEREE))
    asked |= set(QUESTIONS)
    assert set(catalogue("questions")) == {f"decide_{name}" for name in asked}


def test_everything_says_what_it_means() -> None:
    for part in ("hooks", "events", "questions"):
        for name, entry in catalogue(part).items():
            assert entry.meaning, name
            described = {field.partition(".")[0] for field in entry.fields}
            assert described <= set(entry.names), name
            assert described == set(entry.names) or part == "events", name
    for module in library_modules():
        assert introduction(pages_of_law()[f"reference/library-{module}.md"]) == ""
        assert library(module)


# -- played ------------------------------------------------------------------------------------------------------------

PAIR = "def both(a, b):\n    return [a, b]\n\ndef same(a, b):\n    return a == b\n\n"
SEALED = {"both": "Two cards", "same": "Whether two cards are a pair"}
"""Functions that the examples have look into what is sealed."""

ROOM = rule(
    "1",
    """
    def decide_phase():
        return get("game", "phase")

    def decide_number(p):
        return 301 + get("game", "waves")

    def on_proposal_submitted(e):
        add("game", "waves", 1)

    def decide_adopted(p):
        return verdict(True, "so be it")

    def on_acted(e):
        return None

    def submit_one(change):
        return submit("More waves", [change])

    def do_drive(a):
        waves = {"enact": {"title": "Waves", "text": "There are waves."}}
        create("player", "dan")
        destroy("dan")
        ball = create("ball")
        give(ball, a.by)
        reveal(ball)
        destroy(ball)
        put(a.by, "tired", True)
        put(office("scribe"), "holder", a.by)
        put("settings", "T-Q1", "loud")
        award(a.by, "score", 1)
        r = enact("Waving", "Everybody waves.", labels = {"status": "mutable"})
        amend(r, text = "Everybody waves twice.")
        label(r, section = "manners")
        renumber(r, "902")
        for change in [{"transmute": r.uid, "to": "immutable"}, {"retitle": r.uid, "title": "Wave"}, {"repeal": r.uid}]:
            resolve(submit_one(change), "adopted")
        for outcome in ["defeated", "accepted", "rejected", "ignored", "replaced", "withdrawn"]:
            resolve(submit_one(waves), outcome)
        resolve(revise(submit_one(waves), title = "Wavelets"), "withdrawn")
        p = submit_one(waves)
        locks_out(p)
        open_voting(p)
        cast(p, "bob", "for", deemed = True)
        if proposal(p.number) != None and proposal(p.number).state == "open":
            close_voting(p)
        open_voting(submit_one(waves))
        holder("judge")
        holder("scribe")
        ask("mover")
        ask("turn_no")

    def do_nod(a):
        announce("yes")

    def do_knock(a):
        announce("knock")

    def forbid_knock(a):
        return hold("clock")

    def do_finish(a):
        win(a.by, "they came to the end")
    """,
    labels={"status": "mutable"},
    defines={
        "game": {
            "phase": {"type": "string", "initial": "day"},
            "last_time": {"type": "time", "optional": True},
            "visitors": {"type": "list"},
            "waves": {"type": "integer"},
            "waved": {"type": "map"},
        },
        "player": {"tired": {"type": "boolean"}, "hand": {"type": "list", "sealed": "owner"}},
        "kinds": {
            "ball": {
                "registers": {
                    "colour": {"type": "string", "optional": True},
                    "mark": {"type": "string", "optional": True, "sealed": "owner"},
                }
            }
        },
        "currencies": {"score": {}},
        "boards": {"field": {"columns": 12, "rows": 5}},
        "offices": {"scribe": {"fill": "appointed"}, "judge": {"fill": "by_rule"}},
    },
    actions={
        "drive": {"summary": "Do everything"},
        "finish": {"summary": "Win"},
        "nod": {"summary": "Nod"},
        "knock": {},
    },
    timers={"bell": {"summary": "Rings"}},
    settings={"T-Q1": {"question": "How?", "default": "quiet", "alternatives": {"quiet": "softly", "loud": "loudly"}}},
)


def play(example: Record) -> tuple[Table, set[str], list[Any]]:
    """Play everything there is with an example among the rules; return the hooks of it that were called, and its failures."""
    table = Table(ROOM, example, rule("3", "def on_acted(e):\n    return None\n"), words={"english": "scone\ntea\n"})
    ran: set[str] = set()

    def entered(uid: str, hook: str) -> None:
        ran.update([hook] if uid == example["rule"] else [])

    table.kernel.play.entered = entered
    failures: list[Any] = [*table.founded.failures]
    steps: list[tuple[str, str, Record]] = [
        ("ann", "drive", {}),
        ("bob", "vote", {"choice": "for"}),
        ("bob", "state", {"text": "I am tired of it"}),
        ("bob", "knock", {}),
        ("root", "correct", {"of": "proposal/303", "name": "outcome", "to": "defeated", "why": "miscounted"}),
        ("root", "pause", {}),
    ]
    steps += [
        ("root", "resume", {}),
        *(("ann", name, {}) for name in example.get("actions", {})),
        ("ann", "finish", {}),
    ]
    for by, do, arguments in steps:
        outcome = table.judge(do, by, arguments)
        failures += outcome.failures
        assert outcome.accepted or do in FORBIDDEN, (do, outcome.code, outcome.reasons, outcome.failures)
        for page in table.kernel.pages(table.now).values():
            assert "error" not in page
    made = next(
        document for key, document in table.kernel.documents.everything().items() if key.startswith("proposals/")
    )
    table.kernel.ask("standing", [], table.now, made["id"])
    table.kernel.ask("review", ["ann", "approve", "yes"], table.now, made["id"])
    table.kernel.taken_as({"by": "ann", "title": "Tea", "text": "", "changes": [], "requests": []}, table.now)
    table.kernel.ask("acts_for", ["bob", "scribe"], table.now)
    table.kernel.read_push(made["id"], [], table.now)
    table.ask("conflict", None, None, {"$": 2, "part": "title", "before": "A", "law": "B", "change": "C"})
    return table, ran, failures


FORBIDDEN: set[str] = set()
QUIET = {
    "drop",
    "take_back",
    "cite",
    "debug",
    "release",
    "setting",
    "proposal",
    "timer",
    "ballots",
    "ballot_of",
    "voted",
    "require",
    "later",
    "chance",
}
SHOWN = {
    "EVENT": "joined",
    "ACTION": "wave",
    "QUESTION": "phase",
    "PAGE": "scores",
    "REGISTER": "tired",
    "CURRENCY": "score",
}


def as_rule(part: str, name: str) -> tuple[str, Record]:
    """Return the name of a hook and a rule that has the example of the catalogue as its script."""
    entry = catalogue(part)[name]
    for placeholder, filled in SHOWN.items():
        name = name.replace(placeholder, filled)
    return name, rule("2", f"def {name}({entry.parameters}):\n{entry.body}", labels={"status": "mutable"})


PITCH = "Whoever builds the highest tower makes the next rule."


@pytest.mark.parametrize(
    ("part", "name"), [(part, name) for part in ("events", "questions") for name in catalogue(part)]
)
def test_examples_of_events_and_questions_are_heard(part: str, name: str) -> None:
    hook, example = as_rule(part, name)
    assert [str(p) for p in check_script(example, known_in([ROOM, example]))] == []
    if name in ("on_founded", "on_enacted"):
        table = Table(ROOM, example)
        words = "Let us play " if name == "on_founded" else "From now on rule 2 holds"
        assert (table.founded.failures, said(table)) == ([], [words])
        return
    if name == "on_unsealed":
        keeping = {"keep": {"arguments": {"what": {"type": "string", "sealed": "author"}}}}
        table = Table(ROOM, example, rule("3", "def do_keep(a):\n    return None\n", actions=keeping))
        table.ok("ann", "keep", what="a stone")
        assert [each["text"] for each in table.ok("ann", "open_sealed").effects[1:]] == ["ann had sealed a stone"]
        return
    if name == "on_duty_overdue":
        owing = rule("3", "def do_late(a):\n    owe(a.by, 'come', by = now() + 1)\n", actions={"late": {}})
        table = Table(ROOM, example, owing)
        table.ok("ann", "late")
        (fired,) = table.pass_time(2)
        assert [effect["text"] for effect in fired.effects] == ["ann is late: come"]
        return
    if name == "decide_moment_named":
        assert Table(ROOM, example).kernel.ask("moment_named", ["tea"], 0) is None
        return
    if name == "decide_headline":
        assert Table(ROOM, example).ask("headline").endswith(" players are at the table, and nobody has left")
        return
    if name == "decide_coming":
        assert Table(ROOM, example).kernel.ask("coming", ["bell/ann"], 0) == "the bell rings for ann"
        return
    if name in ("decide_pitch", "decide_to_win", "decide_front_page"):
        assert Table(ROOM, example).ask(name.removeprefix("decide_")) in ("12 lanterns", PITCH, "scores")
        return
    if name == "on_won":
        winning = rule(
            "3", "def do_win(a):\n    award(a.by, 'score', 5)\n    win(a.by, 'bold', True)\n", actions={"win": {}}
        )
        table = Table(ROOM, example, winning)
        assert table.ok("ann", "win").failures == []
        assert table.get("ann", "score") == 0
        return
    _, ran, failures = play(example)
    assert (failures, hook in ran) == ([], True)


def said(table: Table) -> list[str]:
    """Return what was announced at the founding."""
    return [effect["text"] for effect in table.founded.effects if effect["effect"] == "announce"]


@pytest.mark.parametrize("name", list(catalogue("hooks")))
def test_examples_of_hooks_are_called(name: str) -> None:
    hook, example = as_rule("hooks", name)
    wave = {"wave": {"summary": "Wave"}}
    example["actions"] = wave
    if hook != "do_wave":
        example["script"] += "\ndef do_wave(a):\n    ask('phase')\n"
    assert [str(p) for p in check_script(example, known_in([ROOM, example]))] == []
    FORBIDDEN.update({"wave"} if hook == "forbid_wave" else set())  # ann is tired by then
    _, ran, failures = play(example)
    FORBIDDEN.clear()
    if hook == "show_scores":
        return  # its page was shown, without an error, after every step
    assert (failures, hook in ran) == ([], True)


@pytest.mark.parametrize("name", list(HOST.words))
def test_examples_of_functions_are_carried_out(name: str) -> None:
    body = textwrap.indent(HOST.words[name].body, "    ")
    example = rule(
        "2",
        f"{PAIR}def do_wave(a):\n{body}",
        labels={"status": "mutable"},
        actions={"wave": {"summary": "Wave"}},
        sealed=SEALED,
    )
    found = check_script(example, known_in([ROOM, example]))
    assert [p.arguments["check"] for p in found] == (["debug"] if name == "debug" else [])
    table = Table(ROOM, example, words={"english": "scone\ntea\n"})
    outcome = table.act("ann", "wave")
    assert (outcome.accepted, outcome.failures) == (True, []), outcome.reasons
    assert outcome.effects or name in QUIET
    table.pass_time(8 * 86_400)


def test_the_introduction_of_a_page_reads_well() -> None:
    assert textwrap.dedent(introduction('"""A board.\n\nMore."""\n')) == "A board.\n\nMore."
