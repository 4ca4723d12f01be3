"""What each pull request is told: one comment, kept up to date, its check, who is called, and whether it is over.

The text is made anew only where something that it depends on has changed: a mark in its first line tells, beside the
calls that were made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import __version__
from engine.forge.port import Answer, Call, Check, Pull, PullState, Remark, Snapshot
from engine.problems import Problem
from engine.referee import calls
from engine.referee.bench import Verdict
from engine.referee.calls import Caller, Occasion, Scene
from engine.referee.checks import check_of
from engine.referee.comment import comment, comment_on_game, comment_on_stop
from engine.referee.content import Content, GameContent, split_requests
from engine.referee.links import NOWHERE, Site
from engine.referee.memory import UNFINISHED, Told, mark_of, told
from engine.referee.people import player_of
from engine.referee.preview import Preview, preview
from engine.referee.sheet import Sheet
from engine.referee.table import Table
from engine.referee.told import sheet_of
from engine.referee.upkeep import Keepers, keepers_of, upkeep
from engine.referee.view import PullView
from engine.referee.waiting import ARRIVED, Awaited, awaited_in, comment_on_waiting
from engine.status import until

MOST_PREVIEWS = 20  # made in one run; the rest follow in the next ones

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Case:
    """A pull request of a game at the end of a run, with what became of all that arrived there."""

    table: Table
    pull: Pull
    proposal: Document | None
    verdicts: tuple[Verdict, ...]
    remarks: tuple[Remark, ...]
    state: PullState
    busy: frozenset[str]
    scene: Scene


class Answers:
    """Collects what to answer in one run; `notifies` says whether the forge lets people know of their handles."""

    def __init__(
        self,
        forge: str,
        snapshot: Snapshot,
        read: Callable[[str], Content],
        *,
        notifies: bool = False,
        site: Callable[[Mapping[str, Any]], Site] = lambda _game: NOWHERE,
    ) -> None:
        self.forge = forge
        self.snapshot = snapshot
        self.read = read
        self.wanted: list[Answer] = []
        self._caller = Caller(forge, notifies)
        self._site = site
        self._previews = 0
        self._told: list[Verdict] = []
        self._awaited: list[Awaited] = []
        self._keepers: list[Keepers] = []
        self._scenes: list[tuple[Scene, Document]] = []

    def changed(self) -> list[Answer]:
        """Return the answers that would change something, in order of pull requests."""
        pulls = {pull.number: pull for pull in self.snapshot.pulls}
        said = self.snapshot.said
        return [
            answer
            for answer in sorted(self.wanted, key=lambda answer: answer.pull)
            if answer.text != said.get(answer.pull, "") or answer.settled or _moves(pulls.get(answer.pull), answer)
        ]

    # -- one game

    def game(self, table: Table, pulls: Iterable[Pull], horizon: int) -> None:
        """Answer the pull requests of a game, and note what to say in its own thread."""
        scene = self._scene(table)
        for pull in pulls:
            if pull.opened_at <= horizon:
                self._pull(table, pull, horizon, scene)
        self._told += table.verdicts.get(0, [])
        self._keepers.append(keepers_of(table.session.document("game"), table.roster))
        self._scenes.append((scene, table.roster))
        if self._caller.notifies:
            self._awaited.append(awaited_in(table, scene, self.forge, told(self.snapshot.said.get(0, "")).keys))

    def _scene(self, table: Table) -> Scene:
        session = table.session
        return Scene(
            game=table.record.name,
            documents=session.documents,
            now=self.snapshot.at,
            choices=table.choices_of,
            actions=session.actions,
        )

    def _pull(self, table: Table, pull: Pull, horizon: int, scene: Scene) -> None:
        proposal = table.proposal_of(pull.number)
        remarks = self.snapshot.remarks.get(pull.number, ())
        late = [remark for remark in remarks if remark.at > horizon]
        state, commit = self._state(table, pull, proposal)
        case = _Case(
            table=table,
            pull=pull,
            proposal=proposal,
            verdicts=tuple(table.verdicts.get(pull.number, ())),
            remarks=remarks,
            state=state,
            busy=frozenset(filter(None, (player_of(table.roster, self.forge, remark.author) for remark in late))),
            scene=scene,
        )
        made = self._made(case)
        if made is None:
            return  # its turn comes in the next run
        text, check, made_calls = made
        over = state != "open" and not late and not table.more
        self.wanted.append(
            Answer(
                pull=pull.number,
                text=text,
                state=state,
                commit=commit,
                settled=over,
                check=check,
                calls=made_calls,
            )
        )

    def _made(self, case: _Case) -> tuple[str, Check | None, tuple[Call, ...]] | None:
        """Return the comment with its check and calls, both made anew where it is; None where that must wait."""
        table, proposal = case.table, case.proposal or {}
        before = told(self.snapshot.said.get(case.pull.number, ""))
        mark = self._mark(table, case.pull, case.proposal, case.verdicts, case.remarks, case.state)
        occasions = list(calls.reminder_of(case.scene, proposal, case.busy, pull=True)) if proposal else []
        kept: tuple[str, ...] = ()
        check, body = None, before.body
        if before.mark != mark:
            view = self._view(table, case.pull, case.proposal, case.verdicts, case.remarks, case.state)
            if view is None:
                return None
            sheet = sheet_of(view)
            body, check = comment(sheet), check_of(sheet, case.pull.head.commit)
            occasions = [*self._occasions(case, sheet, view.entries), *occasions]
        else:
            kept = before.keys
        made, keys, complete = self._caller.call(occasions, before.keys, table.roster, quiet=case.scene.quiet)
        keys = tuple(dict.fromkeys((*kept, *keys)))
        return str(Told(mark if complete else UNFINISHED, keys, body)), check, made

    def _occasions(self, case: _Case, sheet: Sheet, entries: Sequence[Mapping[str, Any]]) -> Iterable[Occasion]:
        """Yield of what people are to be told as a pull request stands."""
        scene, proposal = case.scene, case.proposal
        if proposal is not None:
            opened = _cause(entries, "open", proposal)
            yield from calls.of_vote(scene, proposal, {*case.busy, opened or ""}, pull=True)
            yield from calls.of_judge(scene, proposal, sheet.judge, sheet.office)
            yield from calls.of_outcome(scene, proposal, _cause(entries, "resolve", proposal), sheet.link)
        author = player_of(case.table.roster, self.forge, case.pull.author)
        if author is None or case.state == "merged":
            return
        why = refusal_in(sheet)
        if why:
            yield calls.of_refusal(scene, case.pull.number, case.pull.head.commit, author, why)

    def _state(self, table: Table, pull: Pull, proposal: Document | None) -> tuple[PullState, str]:
        """Return what a pull request should look like, and the commit that merged it."""
        merged = table.merges.get(pull.number, "")
        if merged:
            return "merged", merged
        if pull.state == "merged":
            return "merged", pull.merge_commit
        if proposal is not None and proposal["outcome"]:
            return "closed", ""
        if proposal is None and table.refused(pull) and not _changes(table, pull, self.read):
            return "closed", ""
        return pull.state, ""

    def _mark(
        self,
        table: Table,
        pull: Pull,
        proposal: Document | None,
        verdicts: Sequence[Verdict],
        remarks: Sequence[Remark],
        state: str,
    ) -> str:
        """Return what stands for everything that a comment depends on; who only chatters changes nothing."""
        open_ = proposal is None or not proposal["outcome"]
        document = table.session.document
        facts = [
            __version__,
            state,
            document("law").get("version") if open_ else 0,
            (pull.head.commit, pull.draft),
            pull.title,
            proposal,
            table.facts(pull.number, 0),
            sorted({(v.who, v.what, v.state, v.code, v.why) for v in verdicts if v.seq is None}),
            [(r.id, r.edited, r.deleted, r.dismissed_by is not None) for r in remarks if _changed_later(r)],
            until(document("things/timer"), proposal) if proposal and open_ else 0,
            (document("game").get("paused"), document("things/office")) if open_ else 0,
            self._site(document("game")),
        ]
        return mark_of(facts)

    def _view(
        self,
        table: Table,
        pull: Pull,
        proposal: Document | None,
        verdicts: Sequence[Verdict],
        remarks: Sequence[Remark],
        state: PullState,
    ) -> PullView | None:
        content = self.read(pull.head.commit) if pull.state != "merged" else None
        mine = next((g for g in content.games if g.game == table.record.name), None) if content else None
        shown: Preview | None = None
        draft = pull.draft and proposal is None
        if mine is not None and mine.changes and not draft and (proposal is None or not proposal["outcome"]):
            if self._previews >= MOST_PREVIEWS or table.more:
                return None
            self._previews += 1
            name = str(proposal["id"]) if proposal else ""
            shown = preview(table.session, mine, pull.title, table.author_of(pull), self.snapshot.at, name)
        return PullView(
            pull=pull,
            forge=self.forge,
            game=table.record.name,
            proposal=proposal,
            verdicts=tuple(verdicts),
            remarks=tuple(remarks),
            problems=content.problems if content else (),
            stale=mine.stale if mine else (),
            preview=shown,
            state=state,
            documents=table.session.documents,
            entries=table.entries_of(pull.number),
            acts=_acts(table, mine) if state != "merged" else (),
            site=self._site(table.session.document("game")),
        )

    def thread(self, *, settled: bool) -> None:
        """Answer in the games' own thread: what arrived there, and where people are called, who is awaited.

        `settled` says that every game has taken its.
        """
        before = told(self.snapshot.said.get(0, ""))
        arrived = bool(self.snapshot.remarks.get(0))
        text = comment_on_game(self._told) if self._told else _arrived(before.body)
        if not self._caller.notifies:
            if arrived:
                self.wanted.append(Answer(pull=0, text=text or before.body, settled=settled))
            return
        made: list[Call] = []
        keys: list[str] = []
        for game in self._awaited:
            some, kept, _ = self._caller.call(game.occasions, before.keys, game.roster, quiet=game.quiet)
            made += some
            keys += kept
        body = comment_on_waiting(self._awaited) + text
        if body or arrived:
            answer = Told(mark_of(body), tuple(dict.fromkeys(keys)), body)
            self.wanted.append(Answer(pull=0, text=str(answer), settled=settled and arrived, calls=tuple(made)))

    # -- no game, or one that stands still

    def stopped(self, game: str, problems: Sequence[Problem], pulls: Iterable[int]) -> None:
        """Say at every pull request of a game that was changed by hand why nothing happens."""
        known = {pull.number: pull for pull in self.snapshot.pulls}
        body = comment_on_stop(game, problems)
        for number in pulls:
            sheet = Sheet(game=game, pull=number, title="", author="", stopped=tuple(problems))
            self._plain(known[number], body, check_of(sheet, known[number].head.commit))

    def of_no_game(self, pulls: Iterable[Pull]) -> None:
        """Say what is wrong with pull requests that touch a game and cannot be read, and who approves the others."""
        for pull in pulls:
            content = self.read(pull.head.commit) if pull.state == "open" else None
            if content is None:
                text = self.snapshot.said.get(pull.number, "")
                self.wanted.append(Answer(pull=pull.number, text=text, state=pull.state, settled=True))
            elif content.touches_game and content.problems:
                sheet = sheet_of(PullView(pull=pull, forge=self.forge, problems=content.problems, state="open"))
                self._plain(pull, comment(sheet), check_of(sheet, pull.head.commit), refusal_in(sheet))
            elif self._keepers:
                found = upkeep(pull, self.snapshot.remarks.get(pull.number, ()), self._keepers, self.forge)
                self._plain(pull, found.comment(), found.check(pull.head.commit))

    def _plain(self, pull: Pull, body: str, check: Check, refused: str = "") -> None:
        """Answer with a text that costs nothing to make, and let its author know why it was `refused`, if it was."""
        before = told(self.snapshot.said.get(pull.number, ""))
        mark = mark_of([body, check])
        made, keys, complete = self._refused(pull, before.keys, refused) if refused else ((), before.keys, True)
        text = str(Told(mark if complete else UNFINISHED, keys, body))
        fresh = check if before.mark != mark else None
        self.wanted.append(Answer(pull=pull.number, text=text, check=fresh, calls=made))

    def _refused(self, pull: Pull, keys: Sequence[str], why: str) -> tuple[tuple[Call, ...], tuple[str, ...], bool]:
        for scene, roster in self._scenes:
            author = player_of(roster, self.forge, pull.author)
            if author is not None:
                refusal = calls.of_refusal(scene, pull.number, pull.head.commit, author, why)
                return self._caller.call([refusal], keys, roster, quiet=scene.quiet)
        return (), (), True


def refusal_in(sheet: Sheet) -> str:
    """Return why what a pull request asks for was not taken, "" where it was, or may still be."""
    if sheet.proposal:
        return ""
    if sheet.problems:
        return sheet.problems[0].message
    flaw = next((n for n in reversed(sheet.notices) if n.own and n.kind in ("refused", "void") and n.code), None)
    return "" if flaw is None else flaw.why or flaw.code


def _changed_later(remark: Remark) -> bool:
    return remark.edited or remark.deleted or remark.dismissed_by is not None


def _cause(entries: Iterable[Mapping[str, Any]], effect: str, proposal: Document) -> str | None:
    """Return by whose act a proposal was opened or decided, None where time did it."""
    for entry in reversed(list(entries)):
        if any(each["effect"] == effect and each.get("of") == proposal["id"] for each in entry.get("effects") or ()):
            by: str | None = entry.get("by")
            return by
    return None


def _acts(table: Table, mine: GameContent | None) -> tuple[str, ...]:
    """Return what the files of a pull request ask for beside rule-changes, in plain words."""
    acts = split_requests(mine, table.session.actions())[1] if mine is not None else ()
    return tuple(
        " ".join([f"{act.do} {', '.join(f'{name}: {value}' for name, value in act.args.items())}".strip(),
                  *([f"as {act.as_}"] if act.as_ else [])])
        for act in acts
    )  # fmt: skip


def _arrived(body: str) -> str:
    """Return the part of the thread's comment that tells what arrived."""
    found = body.find(ARRIVED)
    return body[found:] if found >= 0 else ""


def _changes(table: Table, pull: Pull, read: Callable[[str], Content]) -> bool:
    """Say whether a pull request changes rules of the game."""
    return any(game.changes for game in read(pull.head.commit).games if game.game == table.record.name)


def _moves(pull: Pull | None, answer: Answer) -> bool:
    return pull is not None and answer.state not in ("open", pull.state)


def _marked(text: str, mark: str) -> bool:
    return told(text).mark == mark
