"""What the one comment on a pull request is made from: plain words and numbers, nothing escaped yet."""

from __future__ import annotations

from msgspec import Struct

from folkmoot.core.problems import Problem
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.referee.preview import Preview
from folkmoot.referee.redlines import Redline
from folkmoot.referee.report import Verdict


class Vote(Struct, frozen=True, kw_only=True):
    """A ballot as it stands: whose, what, why, and whether it counts."""

    voter: str
    choice: str
    reason: str = ""
    counts: bool = True
    why: str = ""
    weight: int = 1
    deemed: bool = False


class Happened(Struct, frozen=True, kw_only=True):
    """An entry of the journal that came of a pull request, with sentences of what it changed."""

    entry: int
    what: str
    effects: tuple[str, ...] = ()
    link: str = ""


class CommentModel(Struct, frozen=True, kw_only=True):
    """All that the comment on a pull request is made of; everything is plain words, nothing is escaped yet.

    `state` is that of the proposal (`pending`, `open`, `closed`, or its outcome), "" where there is none; `until` and
    `opens` are times in words; `stands` says in the law's words how an open vote stands; `displayed` says whether
    choices and reasons are; `proposal` is its name, as in `proposal 305`; `problems` say why the content cannot be
    taken; `stopped` why nothing is judged at present; `next` are further things to do, each a purpose and a command;
    `link` is where the site has it; `judge` decides, in an `office`, where no vote does; `ended` is how the pull
    request is left, `draft` and `paused` say why nothing happens; `place` is what `pull` is the number of, and
    `standing` a sentence of how it stands where it proposes nothing; `untried` says that what it would do is not
    tried yet; `came` is where it was before the game moved; `effective` that its outcome makes it law; `registers` are
    those that rules show, each with its value; `omission` says what of an adopted proposal was left out; `rivals` are
    undecided proposals that change the same passage.
    """

    game: str
    pull: int
    title: str
    author: str
    state: str = ""
    proposal: str = ""
    problems: tuple[Problem, ...] = ()
    stopped: tuple[Problem, ...] = ()
    untried: bool = False
    preview: Preview | None = None
    acts: tuple[str, ...] = ()
    redlines: tuple[Redline, ...] = ()
    requests: tuple[str, ...] = ()
    choices: tuple[str, ...] = tuple(CHOICES)
    votes: tuple[Vote, ...] = ()
    pending: tuple[str, ...] = ()
    until: str = ""
    stands: str = ""
    opens: str = ""
    displayed: bool = True
    notices: tuple[Verdict, ...] = ()
    registers: tuple[tuple[str, str], ...] = ()
    outcome: str = ""
    effective: bool = False
    why: str = ""
    rule: str = ""
    happened: tuple[Happened, ...] = ()
    next: tuple[tuple[str, str], ...] = ()
    link: str = ""
    forge: str = "local"
    judge: str = ""
    office: str = ""
    ended: str = "open"
    draft: bool = False
    paused: bool = False
    place: str = "pull request"
    standing: str = ""
    came: str = ""
    omission: str = ""
    rivals: tuple[str, ...] = ()

    @property
    def refusal(self) -> str:
        """Return why what it asks for was not taken, "" where it was, or may still be."""
        if self.proposal:
            return ""
        if self.problems:
            return self.problems[0].message
        flaw = next((n for n in reversed(self.notices) if n.own and n.state in ("refused", "void") and n.code), None)
        return "" if flaw is None else flaw.why or flaw.code

    @property
    def failed(self) -> bool:
        """Say whether the game stands still because the engine failed over it, not because of what somebody did."""
        return any(problem.code in ("E-FAULT", "E-JUDGE") for problem in self.stopped)
