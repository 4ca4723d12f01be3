"""Trying what a person is about to send on the game as their clone knows it, after what waits there already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast, get_args

from msgspec.structs import replace

from folkmoot.core.keys import GAME, ROSTER, forge_kind
from folkmoot.core.problems import ProblemError
from folkmoot.forges.local.letters import Letter, NoLetterError, author_of, commit_of
from folkmoot.forges.port import Person, Pull, Push, Remark, RemarkKind
from folkmoot.forges.signatures import signing_key
from folkmoot.game.session import Session
from folkmoot.player import present_time
from folkmoot.player.proposing import Proposal
from folkmoot.player.remote_view import SETTING, PullSeen, RemoteView, account_in
from folkmoot.referee.content import read_content
from folkmoot.referee.dry_run import Foresight, UntriedError, foresee
from folkmoot.referee.facts import Fact
from folkmoot.referee.people import player_of

FORGES = {"github": "GitHub", "gitea": "Forgejo or Gitea"}
UNKNOWN = "?"  # for the id of an account that nobody knows yet
NEW = 999_999_999
"""The number of a pull request that is not opened yet: one that none has."""
MOST_WAITING = 20  # things that nobody has judged yet and that are judged first


def try_letters(
    view: RemoteView,
    session: Session,
    letters: Sequence[Letter],
    opened: PullSeen | None = None,
    *,
    joining: bool = False,
) -> Foresight:
    """Return what would become of letters that the person is about to send, of a pull request first that they open.

    `opened` may also be one that is there already, with the content that it is to have; who is `joining` may be one
    whose account nobody knows yet. On a forge on the web the letters stand for what is said there.
    Raises UntriedError.
    """
    trying = _Trying(view, session, joining=joining)
    try:
        before = list(trying.waiting(opened.head if opened else ""))
        now = [*([trying.content(opened)] if opened else []), *trying.facts(letters, opened)]
    except (ProblemError, KeyError, NoLetterError) as error:
        why = error.problems[0].message if isinstance(error, ProblemError) else "the clone lacks a part of it"
        raise UntriedError(why) from None
    record, content = view.record(session.record.name), partial(read_content, view.repo, view.main)
    return foresee(session, record, trying.forge, content, before, now)


def opening(view: RemoteView, made: Proposal, body: str = "") -> PullSeen:
    """Return the pull request that a commit would be, or is already."""
    there = next((pull for pull in view.pulls() if pull.head == made.commit), None)
    if there is not None:
        return there
    author = author_of(commit_of(view.repo, made.commit))
    return PullSeen(number=NEW, author=author, title=made.title, state="open", head=made.commit, observed=False,
                    body=body)  # fmt: skip


class _Trying:
    """Makes facts of what is sent, as if they arrived now; raises UntriedError where nobody knows whose they are."""

    def __init__(self, view: RemoteView, session: Session, *, joining: bool) -> None:
        self.view, self.session = view, session
        self.forge = forge_kind(session.kept(GAME)) or "local"
        found = account_in(view, session.kept(ROSTER), self.forge)
        if found is None and not joining:
            whose = f"nothing here says which account on {FORGES[self.forge]} is yours"
            raise UntriedError(f"{whose} (`git config {SETTING} ID` says which player you are)")
        self.person = found or Person(id=UNKNOWN, handle=view.person.handle)
        self.at = max(present_time.present(), session.at)
        self.key = self._key()
        self._count = 0

    def _key(self) -> str:
        """Return the key with which the person's git signs: theirs in the game, where they have one and git signs.

        What is said on a forge on the web carries none.
        """
        if self.forge != "local" or not self.view.author.signs:
            return ""
        if self.view.author.key:
            return self.view.author.key
        roster = self.session.kept(ROSTER)
        entry = roster.get(player_of(roster, self.forge, self.person) or "")
        keys = (entry.get("keys") or ()) if entry else ()
        return next((kept["key"] for kept in keys if kept["until"] is None), "")

    def waiting(self, but: str) -> Iterator[Fact]:
        """Yield what nobody has judged yet, as far as this clone has it: new pull requests, and the person's letters.

        A pull request with the head `but` is left out. Raises UntriedError where there is too much.
        """
        unseen = [pull for pull in self.view.pulls() if not pull.observed and pull.head != but]
        if self.forge != "local":  # the content of games on the web is not fetched before a referee has looked at it
            unseen = [pull for pull in unseen if pull.head in self.view.repo]
        letters = self.view.letters() if self.forge == "local" else []
        if len(unseen) + len(letters) > MOST_WAITING:
            raise UntriedError(f"{len(unseen) + len(letters)} things that were sent before wait to be judged")
        yield from map(self.content, unseen)
        yield from self.facts(letters)

    def content(self, seen: PullSeen) -> Fact:
        """Return the fact that a pull request has its present content."""
        pull = self._pull(seen)
        identifier, key = pull.head.commit, pull.head.key
        return Fact(kind="content", at=self.at, order=0, id=identifier, person=pull.author, key=key, pull=pull,
                    push=pull.head)  # fmt: skip

    def facts(self, letters: Sequence[Letter], opened: PullSeen | None = None) -> Iterator[Fact]:
        """Yield the facts that letters are, in their order."""
        for letter in letters:
            self._count += 1
            seen = opened if opened is not None and opened.number == letter.pull else self.view.pull(letter.pull)
            if letter.pull and seen is None:
                raise UntriedError(f"pull request {letter.pull} is not here yet")
            pull = self._pull(seen) if letter.pull and seen is not None else None
            name = f"{self._count:040x}"
            fact = Fact(kind="remark", id=name, at=self.at, order=self._count, person=self.person, key=self.key,
                        pull=pull)  # fmt: skip
            if letter.kind in get_args(RemarkKind):
                remark = Remark(
                    id=name, pull=letter.pull, kind=cast(RemarkKind, letter.kind), author=self.person, at=self.at,
                    body=letter.body, order=self._count, commit=letter.head, key=self.key,
                )  # fmt: skip
                yield replace(fact, remark=remark)
            elif letter.kind == "close" and pull is not None:
                closed = replace(pull, state="closed", closed_at=self.at, closed_by=self.person)
                yield replace(fact, kind="closing", id=f"close-{self.at}", pull=closed)

    def _pull(self, seen: PullSeen) -> Pull:
        """Return a pull request as the forge has it, with the content that it has now as its last."""
        place = self.view.seen.pull(seen.number) if seen.number != NEW else None
        known = place.pull if place is not None and place.head else None
        if known is not None and known.head.commit == seen.head:
            return known
        author = self.person if seen.number == NEW and self.forge != "local" else seen.author
        pusher = author_of(commit_of(self.view.repo, seen.head)) if self.forge == "local" else author
        pushed = Push(commit=seen.head, at=self.at, author=pusher, key=signing_key(self.view.repo, seen.head))
        if known is not None:
            return replace(known, pushes=(*known.pushes, pushed))
        return Pull(
            number=seen.number, author=author, title=seen.title, body=seen.body, state="open",
            base=self.view.branch, pushes=(pushed,), opened_at=self.at,
        )  # fmt: skip
