"""The one comment on a pull request: what it says, and what hostile words cannot make of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from folkmoot.core.problems import Position, Problem
from folkmoot.referee.commands import commands_in
from folkmoot.referee.comment import MOST_CHARACTERS, CommentModel, comment
from folkmoot.referee.markdown import TEMPLATES, code, drawn, fenced, said, written
from folkmoot.referee.mentions import GameState
from folkmoot.referee.outbox import comment_on_game
from folkmoot.referee.preview import Preview, Ruling, redline
from folkmoot.referee.report import Verdict
from tests.support.timing import Spent

GOLDEN = Path(__file__).parent / "golden"
RULE = {
    "rule": "305", "uid": "203", "title": "Votes", "labels": {"status": "mutable"}, "source": "# ours\ntitle: Votes\n",
    "text": "Everybody has a vote.\nNobody has two.\n\nThat is all.\n",
    "script": "def decide_weight(p, player):\n    return 1\n",
}  # fmt: skip
HALF = "Everybody has half a vote.\nNobody has two.\n\nThat is all.\n"
AMEND = {"amend": "203", "text": HALF, "script": "", "source": "title: Votes\n# hush\n"}
EXAMPLE = Problem("E-EXAMPLE", "mine: step 1: it was refused", Position("state/toy/rules/203.yaml", 9, 5), "mend it")
SHOWN = Preview(
    changes=(redline(AMEND, RULE, "state/toy/rules/203.yaml", stale=True),),
    requests=("retool section: 1",), adopted=True, problems=(EXAMPLE,), new_actions=("roar",),
    effects=("Amended rule 305", "ann +10 score by rule 202"), pages=("Wealth (wealth, rule 7): changed",),
    failures=("rule 9: on_x failed, line 3: no such thing",),
    locked_out="after it, no way was found to adopt even a harmless rule-change",
)  # fmt: skip
OPEN = CommentModel(
    game="toy", pull=7, title="Halve the votes", author="ann", state="open", proposal="proposal 314",
    until="Thu 8 Jan 2026, 12:00", preview=SHOWN, pending=("eve", "fay"),
    votes={
        "bob": {"choice": "for", "reason": "Because I\nlike it."},
        "cid": {"choice": "against", "counts": False, "why": "it came late", "weight": 2},
        "dee": {"choice": "abstain", "deemed": True},
    },
    notices=(
        Verdict(state="waiting", who="zed", what="a ballot", why="the vote is not open yet"),
        Verdict(state="void", who="gus", what="vote", why="gus is no player of this game", code="E-NOT-PLAYER"),
        Verdict(state="refused", who="hal", what="move", why="it is the turn of ann", code="E-ORDER", rule="201", seq=41),
    ),
)  # fmt: skip
CAME = ("Voting on proposal 314 closed", "Proposal 314 adopted")
VOTED = {"entry": 42, "what": "bob voted for", "effects": CAME, "link": ""}
ADOPTED = replace(
    OPEN, state="adopted", outcome="adopted", effective=True, why="more than half voted for it", rule="203", pending=(),
    until="", notices=(), happened=(VOTED,),
)  # fmt: skip
KEY = Problem("E-KEY", "`titel` is no key here", Position("state/toy/rules/x.yaml", 1, 1), "did you mean `title`?")
BROKEN = CommentModel(game="toy", pull=8, title="Oops", author="Zed", problems=(KEY,))


@pytest.mark.parametrize(("name", "sheet"), [("open", OPEN), ("adopted", ADOPTED), ("broken", BROKEN)])
def test_the_comment_reads_as_it_did(name: str, sheet: CommentModel) -> None:
    assert comment(sheet) == (GOLDEN / f"{name}.md").read_text("utf-8")


def test_the_exact_command_for_what_comes_next_and_what_became_of_it() -> None:
    assert "- Vote for: `moot vote 7 for`" in comment(OPEN)
    assert "`moot vote 7 aye`" in comment(replace(OPEN, choices=("aye", "nay")))
    assert "moot vote" not in comment(ADOPTED)
    assert "`git push origin HEAD:refs/pull/8/head`" in comment(BROKEN)
    assert "`git push`" in comment(replace(BROKEN, forge="github"))
    assert "`git fetch origin && git merge origin/HEAD`" in comment(OPEN)
    failed = CommentModel(
        game="tea", pull=1, title="Tea", author="ann", outcome="failed_by_dependence", why="hal objected"
    )
    assert "It **failed by dependence**: hal objected." in comment(failed)


def test_what_else_the_state_of_things_makes_of_it() -> None:
    text = comment(replace(OPEN, problems=BROKEN.problems))
    for part in ("The vote is **open**", "#### What is wrong with its newest content", "moot vote 7 for"):
        assert part in text
    hidden = comment(replace(OPEN, displayed=False))
    assert "3 ballots are in, from " in hidden
    assert "like it" not in hidden
    died = comment(
        replace(OPEN, preview=replace(SHOWN, died="the judge ended by SIGABRT in a rule that this would make"))
    )
    assert "⚠ **It cannot be tried:** the judge ended by SIGABRT" in died
    assert "What adoption would do" not in died


def test_what_has_no_proposal_says_why() -> None:
    no = Ruling(ok=False, code="E-IMMUTABLE", why="rule 101 is immutable", rule="103")
    late = Ruling(ok=False, code="E-ORDER", why="it is the turn of bob", rule="201")
    shown = replace(SHOWN, proper=no, proposing=late, paused=True)
    text = comment(replace(OPEN, proposal="", state="", votes={}, pending=(), preview=shown))
    assert "It is **not proper**, by rule 103: “rule 101 is immutable” (`E-IMMUTABLE`)." in text
    assert "It cannot be proposed now, by rule 201: “it is the turn of bob” (`E-ORDER`)." in text
    assert "The game is paused" in text
    assert "What adoption would do" not in text, "the law does not let it come to that"


def test_the_games_own_thread_and_a_game_that_stands_still() -> None:
    told = comment_on_game([Verdict(who="ann", what="join", state="recorded", seq=7)])
    assert told == "### What arrived here\n\nIs recorded:\n\n- ann, join [entry 7]\n"
    problem = Problem("E-DERIVED", "it is not what the journal gives", Position("state/toy/head.yaml"))
    text = comment(CommentModel(game="toy", pull=0, title="", author="", stopped=(problem,)))
    assert text.startswith("### **The game stands still**\n\nNothing is judged at present. Game `toy`.\n")
    assert "`state/toy/head.yaml`: it is not what the journal gives (`E-DERIVED`)" in text


# -- hostile words

HOSTILE = [
    "@ann @everyone @org/team",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "<!-- folkmoot 0123456789abcdef -->",
    "--> <b></details></td></table>",
    "<!-- folkmoot:end -->",
    "```\n/vote against\n```",
    "````````````````",
    "`code` ``two``",
    "![pixel](https://evil.example/x.png) [click](javascript:alert(1))",
    "https://evil.example www.evil.example mailto:x@y.z",
    "fixes #1, org/repo#2, GH-3, !4",
    "0123456789abcdef0123456789abcdef01234567",
    "| a | b |\n|---|---|\n| c | d |",
    "# A heading\n## Another\n\n---\n***\n===",
    "- [ ] task\n1. one\n> quote\n    code",
    "**bold** __under__ *em* _em_ ~~strike~~ a_b_c",
    "\u202egnp.exe\u2066 \u200bhidden\u200d\ufeff\U000e0041",
    "&lt;b&gt; &#64;ann &commat;ann &#x40;ann",
    "$\\href{javascript:x}{y}$ \\(x\\) :tada:",
    "[^1]: note [ref]: http://x [[wiki]]",
    "### **Proposal 305** · adopted\nIt was **adopted**.",
    "\r\n/vote for\r\n\x00\x1b[31m\x85\u2028x",
    "~~~\nx\n~~~",
    "x" * 5_000,
]


def hostile(words: str) -> CommentModel:
    """Return a sheet whose every word is hostile."""
    made: dict[str, Any] = {}
    for name, kind in CommentModel.__annotations__.items():
        if kind == "str" and name not in ("state", "forge", "link"):
            made[name] = words
    spec = {**dict.fromkeys(("rule", "uid", "title", "text", "script", "source"), words), "labels": {"status": words}}
    change = {
        "amend": words,
        **dict.fromkeys(("title", "text", "script"), words + "!"),
        "labels": {words[:9]: words},
        "source": "#" + words,
    }
    shown = Preview(
        changes=(redline(change, spec, words), redline({"enact": spec}, None, words), redline({"repeal": words}, spec, words)),
        requests=(words,), proper=Ruling(ok=False, code=words, why=words, rule=words), adopted=True, effects=(words,),
        proposing=Ruling(ok=False, code=words, why=words + "x", rule=words), remarks=(words,), failures=(words,),
        problems=(Problem(words, words, Position(words, 1, 1), words),), new_actions=(words,), lost_actions=(words,),
        pages=(words,), locked_out=words,
    )  # fmt: skip
    return CommentModel(**made | {
        "pull": 7, "state": "open", "preview": shown, "outcome": "", "acts": (words,), "choices": (words,), "pending": (words,),
        "problems": (Problem(words, words, Position(words, 1, 1), words),), "next": ((words, words),),
        "votes": {words: {"choice": words, "reason": words}, f"{words}!": {"choice": words, "why": words, "counts": False}},
        "notices": (Verdict(state="void", who=words, what=words, why=words, code=words, rule=words, seq=1),),
        "happened": ({"entry": 1, "what": words, "effects": (words,), "link": ""},),
    })  # fmt: skip


INVISIBLE = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\u2028\ufeff\U000e0000-\U000e0fff]"
READER = MarkdownIt("gfm-like", {"linkify": False, "html": True})


@pytest.mark.threat("T-36")
@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_stay_words(words: str) -> None:
    text = comment(hostile(words))
    assert len(text) <= MOST_CHARACTERS
    own = headings(comment(hostile("plain")))
    for token in READER.parse(text):
        assert token.type != "html_block", token.content
        if token.type == "fence":
            assert all(re.match(r"@@ |[-+ ] |  …", line) for line in token.content.splitlines()), token.content
        for child in token.children or ():
            assert child.type not in ("html_inline", "image", "link_open", "math_inline"), child
    assert headings(text) == own
    nothing_acts(text)


def nothing_acts(text: str) -> None:
    """Check that no word of a text is a mention, a reference, an address, a mark or a command."""
    spoken = [child.content for token in READER.parse(text) for child in token.children or () if child.type == "text"]
    assert not re.search(r"@\w|#\d|\bGH-\d|!\d|https?:|www\.|mailto:|\b[0-9a-f]{40}\b", " ".join(spoken))
    assert "<!--" not in text
    assert not re.search(INVISIBLE, text)
    assert commands_in(text) == []


def headings(text: str) -> list[str]:
    """Return the kinds of headings, tables and rules of a comment, in order."""
    kinds = ("heading_open", "table_open", "hr", "blockquote_open")
    return [token.tag for token in READER.parse(text) if token.type in kinds]


CALLS = (TEMPLATES / "calls.md").read_text("utf-8")


def other_answers(words: str) -> list[tuple[str, str]]:
    """Return what each other template makes where every word is somebody's; what holds Markdown is made by another."""
    proposal = {"id": words, "kind": words, "number": words, "title": words, "outcome": words}
    state = GameState(slug=words, documents={"game": {"title": words}}, at=0, choices=lambda _: [words])
    by = {"as": words, "by": words, "player": words, "what": words, "due": 0}
    notices = [Verdict(state=each, who=words, what=words, why=words, code=words, rule=words, lines=(words,))
               for each in ("recorded", "waiting", "void", "refused", "told")]  # fmt: skip
    game = {"state": state, "claim": by, "mover": words, "asleep": [words],
            "votes": [(proposal, [words], 9, by)], "duties": [({**by, "by": 9}, words)]}  # fmt: skip
    upkeep = {"standing": f"Of no game; {words}", "wrong": [words], "told": [words], "others": words}
    call = dict.fromkeys(("on", "office", "place", "who", "why", "player", "left"), words) | {
        "state": state, "proposal": proposal, "closes": 9, "typed": lambda *_: words, "link": "", "owed": f"you owe {said(words)}",
    }  # fmt: skip
    awaited = [{"state": state, "awaited": drawn("game_awaited.md", **game).splitlines()}]
    models = [CommentModel(pull=7, title=words, author=words, **dict.fromkeys(("rule", "why", "until"), words) | more)
              for more in ({"outcome": words, "omission": words}, {"state": "open"}, {"state": "pending"},
                           {"state": "pending", "preview": Preview(changes=(), judge=words, office=words)})]  # fmt: skip
    given: list[tuple[str, dict[str, Any]]] = [
        ("awaited.md", {"games": awaited, "several": True}), ("kept.md", {"games": [words] * 2}),
        ("fault.md", {"problem": Problem(words, words)}), ("moved.md", {"sentence": f"It went: {words}"}),
        ("strays.md", {"found": notices}), ("stray.md", {"named": words, "games": [words]}),
        ("upkeep.md", upkeep),
        ("crowd.md", dict.fromkeys(("of_player", "of_stranger", "of_strangers"), words)),
        ("unread.md", {"somebody_else": False, "why": "", "commit": "0" * 12, "again": words}),
        ("thread.md", {"found": notices, "arrived": "", "before": "", "earlier": ()}),
        *(("standing.md", {"m": model}) for model in models),
        *(("calls.md", {**call, "occasion": each}) for each in re.findall(r'occasion == "(.+?)"', CALLS)),
    ]  # fmt: skip
    return [(name, written(name, **each)) for name, each in given]


@pytest.mark.threat("T-36")
@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_stay_words_in_every_other_answer(words: str) -> None:
    plain, made = other_answers("plain"), other_answers(words)
    within = {"comment.md", "parts.md", "game_awaited.md"}  # these are seen above, or in others
    assert {name for name, _ in made} == {path.name for path in TEMPLATES.iterdir()} - within
    for (name, text), (_, own) in zip(made, plain, strict=True):
        assert marks(text) == marks(own), name
        nothing_acts(text)


def marks(text: str) -> list[str]:
    """Return the marks of Markdown and HTML in a text, in order, but for code in a line."""
    every = (each for token in READER.parse(text) for each in (token, *(token.children or ())))
    return [each.type for each in every if each.type not in ("text", "code_inline")]


def test_words_inside_a_line_stay_inside_of_it() -> None:
    for words in HOSTILE:
        for made in (said(words), code(words)):
            assert "\n" not in made
            (opening, inline, _closing) = READER.parse(f"x {made}")
            assert opening.tag == "p"
            kinds = {child.type for child in inline.children or ()}
            assert not kinds & {"html_inline", "image", "strong_open", "em_open", "link_open"}


def test_a_fence_is_longer_than_every_run_inside() -> None:
    assert fenced(["+ ```", "+ ~~~", "+ `````"]).startswith("``````diff\n")
    assert fenced([]) == ""
    assert fenced(["+ <!-- x -->", "+ a\u202eb"]).splitlines()[1:3] == ["+ <!‐‐ x -->", "+ a⟦U+202E⟧b"]


def test_a_comment_is_bounded_and_says_what_it_left_out() -> None:
    long = "".join(f"line {n} of a long script = {n}\n" for n in range(20_000))
    change = redline({"enact": {"title": "Long", "script": long}}, None, "state/toy/rules/long.yaml")
    many = {f"p{n}": {"choice": "for", "reason": "very long reason " * 200} for n in range(500)}
    notices = tuple(Verdict(state="void", who=f"p{n}", what="x" * 300, why="y" * 5_000) for n in range(500))
    shown = replace(SHOWN, changes=(change,) * 30, effects=("effect " * 500,) * 300, failures=("failure " * 500,) * 200)
    text = comment(
        replace(OPEN, preview=shown, votes=many, notices=notices, pending=tuple(f"p{n}" for n in range(500)))
    )
    assert len(text) <= MOST_CHARACTERS
    assert "more lines are left out here; they stand in `state/toy/rules/long.yaml`" in text
    assert "moot vote 7 for" in text
    assert "more lines are left out here._" in text
    assert text.count("```") % 2 == 0


def test_a_redline_shows_words_struck_and_added_and_hidden_comments() -> None:
    parts = dict(redline(AMEND, RULE).parts)
    assert parts["text"] == (
        "- Everybody has a vote. Nobody has two.", "+ Everybody has {+half+} a vote. Nobody has two.", "  ", "  That is all."
    )  # fmt: skip
    assert parts["script"] == ("- def decide_weight(p, player):", "-     return 1")
    assert parts["comments"] == ("- # ours", "+ # hush")


def test_each_kind_of_change_has_its_redline() -> None:
    transmuted, retitled = {"transmute": "203", "to": "immutable"}, {"retitle": "203", "to": "Suffrage"}
    for change, verb in (
        ({"repeal": "203"}, "repeals"),
        (transmuted, "transmutes"),
        (retitled, "retitles"),
        (AMEND, "amends"),
    ):
        assert redline(change, RULE).head == f"{verb} rule 305"
    assert redline(transmuted, RULE).parts == (("labels", ("- status: mutable", "+ status: immutable")),)
    assert redline(retitled, RULE).parts == (("title", ("- [-Votes-]", "+ {+Suffrage+}")),)
    gone = redline({"amend": "9", "text": "x"}, None)
    assert (gone.gone, gone.head) == (True, "amends rule 9")


def test_a_redline_of_wearing_texts_takes_no_time() -> None:
    for old, new in (("a\nb\n" * 12_000, "b\na\n" * 12_000), ("a " * 25_000, "b " * 25_000), ("", "\n" * 190_000)):
        with Spent() as spent:
            redline({"amend": "203", "text": new, "script": new}, {**RULE, "text": old, "script": old})
        assert spent.units < 500


def test_commands_in_sentences_of_the_engine_are_code_and_nothing_is_escaped_in_them() -> None:
    why = "it stays until its author says `/do end_turn *x*` here, *not* before"
    notice = Verdict(state="void", who="bob", what="new content", why=why)
    text = comment(replace(OPEN, notices=(notice,), problems=(Problem("E-KEY", "say `a_b`", None, "as `c_d`"),)))
    assert r"says `/do end_turn *x*` here, \*not\* before" in text
    assert "say `a_b`; *as `c_d`*" in text
    assert "\\`" not in text


def test_it_is_said_which_vote_a_review_is() -> None:
    on_the_web = replace(OPEN, forge="github", choices=("for", "against", "abstain"), reviewed=("for", "against"))
    assert "- Vote for, by approving this in a review or in a comment of one line: `/vote for`" in comment(on_the_web)
    assert "- Vote against, by requesting changes in a review or in a comment of one line" in comment(on_the_web)
    assert "- Vote abstain, in a comment of one line: `/vote abstain`" in comment(on_the_web)
    assert "in a review" not in comment(replace(on_the_web, reviewed=()))


def test_what_cannot_be_proposed_now_says_how_it_is_later() -> None:
    """A pull request that came out of turn is proposed by a word, without being opened anew."""
    shown = replace(SHOWN, proposing=Ruling(ok=False, code="E-TURN", why="it is ann's turn"))
    early = replace(OPEN, proposal="", state="", preview=shown, forge="gitea")
    line = "- Propose it once that may be done, in a comment of one line: `/propose`"
    assert line in comment(early)
    assert line not in comment(replace(early, ended="closed"))
    assert line not in comment(replace(early, proposal="proposal 305", state="pending"))
    assert line not in comment(replace(early, preview=replace(shown, proposing=Ruling(ok=True))))
    assert f"`moot comment --on {OPEN.pull} /propose`" in comment(replace(early, forge="local"))
