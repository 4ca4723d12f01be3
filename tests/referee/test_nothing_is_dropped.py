"""Every way in which something that a person said may be left without a judgement, and what its author is told.

`WAYS` are the ways, each with the words that its author reads and where. `CUTS` names every function of the referee and
the forges that is handed something of people's and leaves part of it out (`continue`, an early return, a filter, a
condition in a loop, a slice), how often it does, and which ways those are; "" says that nothing of anybody's is lost by it. A new cut fails the
test until it is written down here, and a way whose words are no longer said anywhere does too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import folkmoot
from folkmoot.forges.cache.refs import LETTERS, pull_ref
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.referee.comment import CommentModel, comment
from folkmoot.referee.intake import _too_late_to_wait
from folkmoot.referee.outbox import comment_on_kept
from tests.support.issues import WithIssues
from tests.support.meeting import rule
from tests.support.quick import GAME, POINTS, SMALL, QuickMeeting
from tests.support.seats import Seats, Sit

ENGINE = Path(folkmoot.__file__).parent
GUIDE = ENGINE.parents[1] / "site_src" / "reference" / "forges.md"
PEOPLES = {
    *(
        "Asked",
        "Command",
        "Comment",
        "Content",
        "Fact",
        "GameContent",
        "Heard",
        "InboxAct",
        "Issue",
        "Letter",
        "Note",
    ),
    *("Pull", "PullRequest", "Push", "Remark", "Review", "Sent", "Snapshot", "PullDetails", "Turn", "Verdict"),
}
"""What is somebody's: a function that takes one of these is looked at."""

COMMENT, THREAD, STATUS, GUIDED, LATER = "comment", "thread", "status", "guide", "later"
WAYS = {
    # what a comment holds
    "slip": ("means nothing here", COMMENT),
    "too many": ("commands: the ", COMMENT),
    "too long": ("characters and was not read; say it in fewer words", COMMENT),
    "form": ("another order", COMMENT),
    "came later": ("no rule knew that when it was said", COMMENT),
    "proposes alone": ("on a pull request /propose stands alone", COMMENT),
    "proposed already": ("it is proposed already, as ", COMMENT),
    "moved": ("and what is said here counts for nothing", COMMENT),
    "opened by the move": ("this pull request was opened when the game moved", COMMENT),
    "no change": ("this pull request changes no rule", COMMENT),
    "not yours to propose": ("only the author of a pull request proposes it", COMMENT),
    "nothing to ignore": ("there is nothing to be ignored here", COMMENT),
    "edited": ("only what it said at first was read", COMMENT),
    "description": ("a description commands nothing", COMMENT),
    "changed later": ("what was recorded stands", COMMENT),
    "withheld": ("the forge does not take this", COMMENT),
    # who says it
    "stranger": ("is no player of this game", COMMENT),
    "robot": ("robots neither vote nor act", COMMENT),
    "unsigned": ("it carries no good signature", COMMENT),
    "other game": ("it is signed for another game", COMMENT),
    # limits
    "typing errors": ("errors of form", THREAD),
    "too many acts": (" after them were not read", COMMENT),
    "accepted acts": (" were accepted today", COMMENT),
    "refused acts": ("this is answered only, because", COMMENT),
    "crowd": ("Too many at once", COMMENT),
    "questions": ("questions are answered here; ask the others again", COMMENT),
    "more lines": ("… and ", COMMENT),
    # votes
    "waits": ("it is counted when", COMMENT),
    "two choices": ("” may mean ", COMMENT),
    "closed": ("nothing was proposed here, and this is closed", COMMENT),
    "closed and not open yet": ("once it is open, vote in the game's thread", COMMENT),
    "decided": (", which is decided", COMMENT),
    "older text": ("it was cast before the text was changed", COMMENT),
    "other content": ("it was made on other content than what is voted on", COMMENT),
    "taken back": ("before it was recorded; review again", COMMENT),
    "no proposal": ("this issue made no proposal: name the one that is meant", COMMENT),
    # content
    "problems": ("This cannot be taken", COMMENT),
    "newer content": ("is voted on as it was submitted; this newer content is not", COMMENT),
    "pushed by another": ("it was pushed by ", COMMENT),
    "other games": ("open another pull request for that", COMMENT),
    "nothing more": ("it changes nothing of this game any more", COMMENT),
    "no rule takes": ("no rule in force takes in rule-changes", COMMENT),
    "draft": ("It is a **draft**", COMMENT),
    "closed content": ("so nothing in it is proposed", COMMENT),
    "withdrawing": ("the rules know no withdrawing", COMMENT),
    "closed by another": ("although this pull request is closed: no rule took the proposal back", COMMENT),
    "unfetched": ("what is said here is kept", COMMENT),
    "cannot be taken": ("nothing here is judged while its files cannot be taken", COMMENT),
    # where no game is meant
    "stray pull": ("this pull request is of no game", COMMENT),
    "stray thread": ("say in the games' own thread to which game", THREAD),
    "stray issue": ("Which game?", COMMENT),
    "kept by one": ("not played by pull requests here", COMMENT),
    # letters
    "no letter": ("it must hold the file", STATUS),
    "put back": ("is no longer on the game's branch", STATUS),
    "numbered": ("pull requests are numbered one after the other", STATUS),
    # the engine
    "fault": ("it is not tried again", COMMENT),
    "by hand": ("changed it by hand", COMMENT),
    # nothing is lost, it is its turn later
    "next run": ("answers are written by the next runs", LATER),
    "young": ("counts after two minutes", GUIDED),
    # nothing at all, which the guide says
    "talk": ("Talk is not answered", GUIDED),
    "robots talk": ("what robots say among people", GUIDED),
    "quoted": ("commands in quotations and code", GUIDED),
    "unlabelled": ("an issue without the game's label", GUIDED),
    "before": ("was over before the referee first looked", GUIDED),
    "same again": ("what is read a second time", GUIDED),
}

CUTS: dict[str, tuple[int, str]] = {
    "referee/game_answers.answer_game": (2, "young, robots talk"),
    "referee/game_answers._case": (1, "young"),
    "referee/intake.review": (7, "talk, taken back, other content, decided, two choices"),
    "referee/dry_run._answers": (1, "same again"),
    "referee/dry_run._is_kept": (1, "talk"),
    "referee/intake.came_to_nothing": (1, "decided"),
    "referee/intake.vote": (5, "waits, closed, closed and not open yet, decided, two choices, older text"),
    "referee/recorder._joins_again": (1, ""),
    "referee/recorder._has_done_enough": (1, "accepted acts"),
    "referee/recorder.act": (2, "unsigned, slip, refused acts, stranger, next run"),
    "referee/recorder._is_held_back": (3, "refused acts"),
    "referee/recorder.warn": (1, ""),
    "referee/recorder._newcomer": (2, "unsigned, stranger"),
    "referee/recorder.refused": (1, ""),
    "referee/recorder.note": (2, ""),
    "referee/comment.grouped": (2, "more lines"),
    "referee/comment.told_lines": (2, "questions"),
    "referee/recorder.heard": (3, "crowd"),
    "referee/outbox.issues": (1, "young, robots talk"),
    "referee/outbox.answer_thread": (3, "stray thread"),
    "referee/facts.facts_of": (2, "young, crowd"),
    "referee/facts.young_of": (1, "young"),
    "referee/facts.head_at": (1, ""),
    "referee/report.heard_of": (3, ""),
    "referee/facts.named_in": (2, "stray issue"),
    "referee/comment_building.is_over": (3, ""),
    "referee/comment_building.asks": (1, ""),
    "referee/recorder.slip_in": (3, "slip"),
    "referee/preview.preview": (2, "more lines, stranger"),
    "referee/run._awake": (1, ""),
    "referee/facts.taken_by": (1, "stray thread"),
    "referee/facts.addressed": (1, "stray thread"),
    "referee/run._decide": (3, "next run, moved"),
    "referee/run._records": (1, ""),
    "referee/facts.homes_of_pulls": (2, "kept by one, other games"),
    "referee/outbox.astray_of": (2, "talk, robots talk"),
    "referee/outbox.comment_on_strays": (1, "more lines"),
    "referee/intake.play": (1, "next run"),
    "referee/intake._abandon_epoch": (5, ""),
    "referee/intake._so_many": (1, "too many acts"),
    "referee/intake._content": (5, "description, other games, nothing more, pushed by another, same again, next run"),
    "referee/intake._take_in": (1, ""),
    "referee/intake._submit": (1, "newer content, proposed already, no rule takes"),
    "referee/content.acts_apart": (2, ""),
    "referee/content.named_by": (1, "description"),
    "referee/intake.is_opened_for_another": (1, ""),
    "referee/intake.not_theirs": (1, "opened by the move"),
    "referee/intake._remark": (5, "robot, other game, withheld, too many, too long, talk, same again"),
    "referee/intake._state": (1, "slip, form"),
    "referee/intake._command": (3, "proposes alone, nothing to ignore, came later, slip"),
    "referee/recorder._applications": (1, ""),
    "referee/intake._closing": (4, "withdrawing, opened by the move"),
    "referee/outbox.comment_on_game": (2, ""),
    "referee/approvers.upkeep": (7, "stray pull"),
    "forges/local/letters._same": (1, ""),
    "forges/local/letters._check_bound": (1, "put back"),
    "forges/local/letters._touch": (1, "same again"),
    "forges/local/players_repository._send": (2, ""),
    "forges/web/forge._reviewed": (1, "unfetched"),
    "forges/web/reading.labels_of": (1, ""),
    "forges/web/reading._thread": (1, ""),
    "forges/web/reading._issue_stories": (3, "unlabelled, before"),
    "forges/web/reading._is_new": (1, "before"),
    "forges/web/reading.issue": (1, ""),
    "forges/web/reading._pushes": (1, "same again"),
    "forges/web/reading._remarks": (3, ""),
    "forges/web/reading._inline": (1, ""),
    "forges/web/reading._said": (1, ""),
    "forges/web/reading._comments": (1, ""),
    "forges/web/delivery._post": (1, ""),
    "forges/cache/forge._snapshot": (4, "unfetched"),
    "referee/intake._law_on_push": (2, "newer content"),
    "forges/cache/forge_cache.keep_answers": (5, ""),
    "forges/cache/forge_cache.ignore": (1, ""),
    "forges/github.is_unclear": (2, ""),
    "forges/github._story": (1, "before"),
    "forges/github._arrival": (2, ""),
    "forges/github._reviews": (3, "before, talk"),
    "forges/github._labelled_at": (1, ""),
    "forges/gitea._story": (1, "before"),
    "forges/gitea._read": (2, ""),
    "forges/gitea._reviews_of": (1, ""),
    "forges/gitea._arrival": (2, ""),
    "forges/gitea._submitted": (2, ""),
    "forges/gitea._inline": (1, ""),
    "forges/gitea._reviews": (2, "before, talk"),
}


def cuts_in(function: ast.FunctionDef) -> int:
    """Return how often a function leaves something out."""
    found = 0
    for node in ast.walk(function):
        if isinstance(node, ast.Continue):
            found += 1
        elif isinstance(node, ast.If):
            found += sum(isinstance(each, ast.Return) and _is_empty(each.value) for each in node.body)
        elif isinstance(node, ast.For):
            found += sum(isinstance(each, ast.If) and not each.orelse and not _goes_on(each) for each in node.body)
        elif isinstance(node, ast.comprehension):
            found += len(node.ifs)
        elif isinstance(node, ast.Subscript):
            found += isinstance(node.slice, ast.Slice)
    return found


def _goes_on(node: ast.If) -> bool:
    return any(isinstance(each, ast.Continue | ast.Return) for each in node.body)


def _is_empty(value: ast.expr | None) -> bool:
    if value is None or (isinstance(value, ast.Constant) and value.value in (None, False, "")):
        return True
    return isinstance(value, ast.List | ast.Tuple) and not value.elts


def _takes_something(function: ast.FunctionDef) -> bool:
    given = [each.annotation for each in (*function.args.args, *function.args.kwonlyargs) if each.annotation]
    return any(isinstance(n, ast.Name) and n.id in PEOPLES for each in given for n in ast.walk(each))


def cuts() -> Iterator[tuple[str, int]]:
    """Yield the functions that are handed something of people's and leave part of it out, and how often."""
    folders = ("referee", "forges/local", "forges/web", "forges/cache")
    files = [file for folder in folders for file in sorted((ENGINE / folder).glob("*.py"))]
    for file in (*files, ENGINE / "forges/github.py", ENGINE / "forges/gitea.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and _takes_something(node) and (found := cuts_in(node)):
                yield f"{file.relative_to(ENGINE).with_suffix('')}.{node.name}", found


def test_every_cut_is_written_down() -> None:
    """A new `continue`, early return, filter or slice over what people send needs a line here, and so an answer."""
    found = dict(cuts())
    assert len(found) > 60
    assert found == {name: number for name, (number, _) in CUTS.items()}


def test_every_way_is_one_of_those_and_its_words_are_said() -> None:
    named = {way for _, ways in CUTS.values() for way in filter(None, ways.split(", "))}
    assert named <= set(WAYS)
    said = " ".join(re.sub(r'"\s*\n\s*f?"', "", file.read_text("utf-8")) for file in ENGINE.rglob("*.py"))
    guide = " ".join(GUIDE.read_text("utf-8").split())
    for way, (words, where) in WAYS.items():
        assert words in (guide if where == GUIDED else said), (way, words)


# -- stories


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


def test_what_is_said_on_a_pull_request(table: Seats) -> None:
    """One pull request is proposed, pushed to, voted on and decided; each person says what cannot count."""
    pull = table.open("ann", {"rules/x.yaml": rule("X")}, "A rule\n\n/vote for")
    table.referee(60)
    first = table.head(pull)
    table.say("ann", pull, "/propose")
    table.say("bob", pull, "/propose")
    table.say("bob", pull, "/ignore this")
    table.say("cid", pull, "/state " + "x" * 10_000)
    table.say("cid", pull, "/rule 1\n/rule 2\n/rule 3\n/help\n/help vote\n/help give")
    table.referee(60)
    assert WAYS["proposed already"][0] in table.said(pull)
    typo = table.say("dee", pull, "/vot for")
    table.send("dee", Letter(pull=pull, kind="edit", of=typo, body="/vote for"))
    table.put(pull_ref(pull), table.change("ann", {f"state/{GAME}/rules/x.yaml": rule("Y")}))
    taken = table.say("dee", pull, "", "approve", head=first)
    table.send("dee", Letter(pull=pull, kind="delete", of=taken))
    table.approve("cid", pull)
    table.referee(60)
    said = table.said(pull)
    for way in ("description", "nothing to ignore", "too long", "questions", "edited",
                "newer content", "taken back", "other content"):  # fmt: skip
        assert WAYS[way][0] in said, way
    assert "Has no effect" in said
    assert "No effect: /propose: it is proposed already, as proposal 301" in table.status("ann")
    for who in ("ann", "bob", "cid", "dee"):
        table.say(who, pull, "/vote for")
    table.referee(60)
    assert table.proposal(301)["outcome"] == "adopted"
    table.say("bob", pull, "One more word.")
    table.referee(60)
    assert WAYS["decided"][0] in table.said(pull)


def test_what_content_is_not_judged(table: Seats) -> None:
    """Of another game, of none any more, pushed by somebody else, closed before it was proposed, of a game kept by one."""
    gone = table.open("ann", {"rules/x.yaml": rule("X")})
    foreign = table.open("bob", {"rules/y.yaml": rule("Y")})
    table.referee(60)
    table.put(pull_ref(gone), table.change("ann", {"README.md": b"x"}))
    table.put(pull_ref(foreign), table.change("eve", {f"state/{GAME}/rules/y.yaml": rule("Z")}))
    closed = table.open("cid", {"rules/z.yaml": rule("Z")})
    table.say("cid", closed, "", "close")
    table.say("bob", closed, "/vote for")
    other = table.pull(table.change("cid", {"state/other/rules/1.yaml": rule("Z")}))
    table.put(pull_ref(other + 90_000), table.change("cid", {"README.md": b"y"}))
    table.referee(60)
    assert WAYS["nothing more"][0] in table.said(gone)
    assert WAYS["pushed by another"][0] in table.said(foreign)
    assert WAYS["closed content"][0] in table.said(closed)
    assert WAYS["closed"][0] in table.said(closed)
    assert table.said(other)
    assert WAYS["numbered"][0] in table.status("cid")
    assert "No effect: a ballot: nothing was proposed here, and this is closed" in table.status("bob")


def test_who_may_propose_and_what_no_rule_takes(seats: Sit) -> None:
    """A law without proposals; one whose proposals cannot be withdrawn; issues and letters that are none."""
    lawless = seats({**SMALL, "rules": [POINTS]})
    lawless.forge = forge = WithIssues(LocalForge(lawless.bare))  # type: ignore[assignment]
    pull = lawless.open("ann", {"rules/x.yaml": rule("X")})
    said = forge.open("ann", "Good morning, all.", lawless.now)
    forge.comment("bob", said, "/vote for", lawless.now)
    odd = lawless.change("bob", {"README.md": b"x"})
    lawless.put(LETTERS + "bob@x-org", odd)
    lawless.referee(60, forge=forge)
    assert WAYS["no rule takes"][0] in lawless.said(pull)
    assert WAYS["no proposal"][0] in forge.kept[said].said
    assert WAYS["no letter"][0] in lawless.status("bob")


def test_what_is_proposed_and_by_whom(table: Seats) -> None:
    empty = table.open("ann", {"inbox/say.yaml": b"do: state\nargs: {text: Hello}\n"})
    mine = table.open("ann", {"rules/x.yaml": b"title: [\n"})
    table.referee(60)
    table.put(pull_ref(mine), table.change("ann", {f"state/{GAME}/rules/x.yaml": rule("X")}))
    table.say("ann", empty, "/propose")
    table.say("bob", mine, "/propose")
    table.send("eve", Letter(pull=0, kind="comment", body="/state x", game=table.game().founding, seen=table.tip()))
    table.referee(60)
    assert WAYS["no change"][0] in table.said(empty)
    assert WAYS["not yours to propose"][0] in table.said(mine)
    proposal = {"kind": "proposal", "number": 301}
    assert WAYS["closed and not open yet"][0] in _too_late_to_wait(proposal)
    sheet = CommentModel(game="g", pull=1, title="", author="", state="open", proposal="proposal 301", ended="closed")
    assert WAYS["closed by another"][0] in comment(sheet)
    assert WAYS["kept by one"][0] in comment_on_kept(["chess"])


def test_content_and_letters_of_another_game(tmp_path: Path) -> None:
    two = QuickMeeting(tmp_path, law={**SMALL}, games=("fen", "moor"))
    pull = two.pull(two.change("ann", {f"state/{game}/rules/x.yaml": rule("X") for game in two.games}))
    two.referee(60)
    assert WAYS["other games"][0] in two.said(pull)
    foreign = Letter(pull=0, kind="comment", body="/game fen\n/state x", seen=two.tip(), game=two.game("moor").founding)
    two.send("bob", foreign)
    two.referee(60)
    same = two.game("moor").founding == two.game("fen").founding
    assert same or WAYS["other game"][0] in two.said(0)
    assert len(two.journal("fen")) != len(two.journal("moor"))


def test_every_way_is_shown_by_a_test() -> None:
    here = Path(__file__)
    texts = [file.read_text("utf-8") for file in here.parent.parent.rglob("*.py") if file != here]
    shown = " ".join(re.sub(r'"\s*\n\s*f?"', "", text).replace("\\", "") for text in texts)
    stories = here.read_text("utf-8").partition("# -- stories")[2]
    unshown = [
        way
        for way, (words, where) in WAYS.items()
        if where not in (GUIDED, LATER) and words not in shown and f'"{way}"' not in stories
    ]
    assert unshown == []
