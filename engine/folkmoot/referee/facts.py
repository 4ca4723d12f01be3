"""What a forge shows, as facts in order of time, and to which game each is: looked at once, recorded at most once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.records import Via
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import Issue, Person, Pull, Push, Remark, Snapshot
from folkmoot.referee.commands import commands_in
from folkmoot.referee.content import Content
from folkmoot.referee.forms import read_form

Kind = Literal["content", "remark", "closing"]
Place = Pull | Issue


class Fact(Struct, frozen=True, kw_only=True):
    """Something that arrived: the content of a pull request, a remark, or that its author closed it.

    `at` is when it arrived (Unix seconds); `order` puts those of one second in order. What has neither a pull request
    nor an issue was said in the game's own thread; `opens` marks an issue's own text. Of a part `whole` is the fact
    that it is of.
    """

    kind: Kind
    at: int
    order: int
    id: str
    person: Person
    key: str
    pull: Pull | None
    push: Push | None = None
    remark: Remark | None = None
    issue: Issue | None = None
    opens: bool = False
    whole: Fact | None = None

    def part(self, name: object) -> Fact:
        """Return a part that is recorded by itself, such as a line with a command or a file with an act."""
        return replace(self, id=f"{self.id}/{name}", whole=self)

    @property
    def number(self) -> int:
        """Return the number of the pull request or issue, 0 for the game's own thread."""
        place = self.pull or self.issue
        return place.number if place else 0

    @property
    def place(self) -> Via:
        """Return where it arrived, as the record names it."""
        return Via(issue=self.issue.number) if self.issue else Via(pull=self.number)


def via_of(place: Place) -> Via:
    """Return where a pull request or an issue is, as the record names it."""
    return Via(pull=place.number) if isinstance(place, Pull) else Via(issue=place.number)


def facts_of(snapshot: Snapshot, horizon: int) -> list[Fact]:
    """Return the facts that arrived up to a time, in the order in which they are judged."""
    pulls = {pull.number: pull for pull in snapshot.pulls}
    found = [fact for pull in snapshot.pulls for fact in _of_pull(pull)]
    for number, remarks in snapshot.remarks.items():
        found += [_of_remark(pulls.get(number), remark) for remark in remarks if number == 0 or number in pulls]
    for issue in snapshot.issues:
        told = snapshot.remarks.get(issue.number, ())
        found += [replace(_of_remark(None, remark), issue=issue, opens=remark is told[0]) for remark in told]
    return sorted((f for f in found if f.at <= horizon), key=lambda fact: (fact.at, fact.order, fact.number, fact.id))


def is_young(pull: Pull, horizon: int) -> bool:
    """Say whether something of a pull request, apart from remarks, is too young to have been read."""
    return any(fact.at > horizon for fact in _of_pull(pull))


def young_of(remarks: Sequence[Remark], horizon: int) -> int:
    """Return how many of the last remarks of a place begin with the first that is too young to have been read."""
    return next((len(remarks) - place for place, remark in enumerate(remarks) if remark.at > horizon), 0)


def _of_pull(pull: Pull) -> Iterator[Fact]:
    """Yield the newest content of a pull request, and its closing by its author."""
    head, fact = pull.head, partial(Fact, person=pull.author, pull=pull)
    if pull.state == "open" and not pull.draft:
        arrived = max(head.at, pull.opened_at)
        yield fact(kind="content", at=arrived, order=-1, id=head.commit, key=head.key, push=head)
    if pull.state == "closed" and pull.closed_by is not None and pull.closed_by.id == pull.author.id:
        closed, key = pull.closed_at or pull.opened_at, pull.pushes[0].key  # who opened it signed closes it signed
        yield fact(kind="closing", at=closed, order=1 << 40, id=f"close-{pull.closed_at}", key=key)


def _of_remark(pull: Pull | None, remark: Remark) -> Fact:
    whole = replace(remark, body=remark.body.encode("utf-8", "replace").decode())  # no file holds halves of characters
    return Fact(kind="remark", at=remark.at, order=remark.order, id=remark.id, person=remark.author, key=remark.key,
                pull=pull, remark=whole)  # fmt: skip


def head_at(pull: Pull, at: int) -> Push:
    """Return the content that a pull request had when something arrived."""
    return next((push for push in reversed(pull.pushes) if push.at <= at), pull.pushes[0])


# -- to which game something is: a pull request, an issue, or what is said in the games' own thread


def homes(
    snapshot: Snapshot, games: Sequence[str], recorded: Callable[[Place], str | None], read: Callable[[str], Content]
) -> dict[int, str | None]:
    """Return to which game each pull request and issue is: the one that recorded something of it, else which it means.

    That is for a pull request the one whose files it changes, for an issue the one named, or the only one. `recorded`
    returns the game that recorded something of a place, `read` the content of a commit.
    """
    found: dict[int, str | None] = {}
    for pull in snapshot.pulls:
        known = recorded(pull)
        found[pull.number] = known or next((g.game for g in read(pull.head.commit).games if g.game in games), None)
    for issue in snapshot.issues:
        named = named_in(snapshot.remarks.get(issue.number, ()), games)
        found[issue.number] = recorded(issue) or next(iter(meant(named, games)), None)
    return found


def named_game(body: str) -> str:
    """Return the game that a comment names by `/game NAME`, or a form in its field; "" if none can be read."""

    def named() -> str:
        form, commands = read_form(body), commands_in(body)
        return form["game"] if form else next((command.rest for command in commands if command.name == "game"), "")

    return guarded(Stage.PLACE, named, lambda _: "")


def named_in(remarks: Iterable[Remark], games: Sequence[str] = ()) -> str:
    """Return the game that the author of an issue names in it, "" if none; of several the first that is in `games`.

    What others say below it does not lead their words to another game.
    """
    said = list(remarks)
    named = [name for remark in said if remark.author.id == said[0].author.id and (name := named_game(remark.body))]
    return next((name for name in named if name in games), named[-1] if named else "")


def meant(named: str, games: Sequence[str]) -> Sequence[str]:
    """Return the games that take what names one, or none: that one, or the only one."""
    return [name for name in games if name == named] if named or len(games) > 1 else games
