"""The sandbox as everybody else sees it: what can be asked of a game in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, cast

from msgspec import Struct, field

from folkmoot.core.documents import Document, RuleMeta
from folkmoot.core.events import Event, Outcome
from folkmoot.core.keys import LAW, NO_RULES, ON_TRIAL, rule_in_words
from folkmoot.core.problems import Position, Problem, fail
from folkmoot.core.records import (
    Arguments,
    Entry,
    Founding,
    LeftOut,
    ProposedChange,
    Review,
    ScriptRecord,
    Shown,
    Taken,
    Written,
)
from folkmoot.kernel.budget import MOST_FORESEEN
from folkmoot.kernel.documents import put_in
from folkmoot.kernel.errors import LEFT_OUT, failures_of_now, is_needed
from folkmoot.sandbox.connection import Connection, problem_of
from folkmoot.sandbox.retries import MOST_DROPPED, PATIENCE, Trying
from folkmoot.sandbox.walls import Wall, walls
from folkmoot.sandbox.wire import DiceSource, Message, SealingSource, read_outcome
from folkmoot.sandbox.worker_process import WALL, Died

TRIAL = 5  # times the seconds of an event that each part of a trial may take: it is several
SECONDS_A_SCENARIO = 60  # times the seconds of an event that a scenario or a trial with steps may take
BATCH = 200


class Applied(Struct, frozen=True):
    """What came of an event: the event as judged (with deaths, if any), its outcome, the documents it changed."""

    event: Event
    outcome: Outcome
    documents: dict[str, Document | None]


class Waited(Struct, frozen=True):
    """What came of timers that left no trace (see `kernel.silent_timers`); `died` says how the sandbox died, if so."""

    ticks: int = 0
    at: int = 0
    edge: str = ""
    heard: str = ""
    documents: dict[str, Document | None] = field(default_factory=dict)
    died: str = ""


class Sandbox(Connection):
    """A game's documents and the law on them, in a process of its own; use it as a context manager."""

    most_foreseen = MOST_FORESEEN
    """How many times what an event may take is spent on what may come of a proposal later."""
    patient = True
    """Whether an event over which it dies is tried again; where not, that is E-JUDGE."""

    @classmethod
    def walls(cls) -> list[Wall]:
        """Return each wall of the sandbox: whether it stands here, and what it means where it does not.

        A process is started to know, where none was. Raises E-JUDGE where nothing is to be judged here.
        """
        if cls.standing is None:
            with cls():
                pass
        return walls(cls.standing or ())

    def apply(self, event: Event, chance: DiceSource | None = None, sealing: SealingSource | None = None) -> Applied:
        """Judge one event, again where the sandbox dies over it (see `sandbox.retries`); it says who was not heard.

        `chance` specifies where draws come from (see `folkmoot.sandbox.wire.read_chance`; default: open dice). Raises
        ProblemError where the sandbox dies outside of every rule whatever is left out.
        """
        chance = chance or {"kind": "open", "prev": event.prev, "digest": f"{event.seq} {event.do}"}
        event, answer = self._tried("apply", event, chance=chance, sealing=sealing or {"kind": "none"})
        put_in(self._documents, answer["documents"])
        return Applied(event, read_outcome(answer["outcome"]), answer["documents"])

    def wait(self, event: Event, most: int, *, after_deadlines: bool) -> Waited:
        """Fire timers due before an event as long as they leave no trace, at most so many.

        Where the sandbox dies meanwhile, nothing of it stays, and no timer counts as fired.
        """
        try:
            answer = self._call("wait", self._seconds, event=event, most=most, after_deadlines=after_deadlines)
        except Died as died:
            return Waited(died=died.how)
        put_in(self._documents, answer["documents"])
        return Waited(**answer)

    def _tried(self, name: str, event: Event, **sources: Any) -> tuple[Event, Message]:
        """Have an event judged until the sandbox survives it; return it as it was judged then, and the answer."""
        trying = Trying.of(event, self._seconds, self._slow_before)
        while True:
            try:
                return trying.event, self._call(name, trying.seconds, event=trying.event, **sources)
            except Died as died:
                if not self.patient:
                    raise fail("E-JUDGE", str(died)) from None
                trying.again(died)

    def _slow_before(self) -> list[tuple[str, str]]:
        """Return rule and hook of what acts need and was left out of one since its rule was changed last."""
        metas: dict[str, RuleMeta] = (self._documents.get(LAW) or {}).get("rules") or {}
        kept = [(uid, each) for uid, meta in metas.items() if meta["in_force"] for each in failures_of_now(meta)]
        return [(uid, each["hook"]) for uid, each in kept if each.get("code") == LEFT_OUT and is_needed(each["hook"])]

    def ask(self, question: str, arguments: list[Any], now: int, about: str = "") -> Any:
        """Return what the law answers to a question, about a proposal (by its id) where one is named, or None."""
        return self._look("ask", question=question, arguments=arguments, now=now, about=about)

    def read_review(self, proposal: str, arguments: list[Any], now: int) -> Review | None:
        """Return what the law makes of a review (player, verdict, reason) of a proposal, None where it says nothing."""
        return cast("Review | None", self._look("read_review", proposal=proposal, arguments=arguments, now=now))

    def taken_as(self, pull: Arguments, now: int) -> Taken:
        """Return by which action the law takes a pull request in (`do`), or `why` by none."""
        return cast(Taken, self._look("taken_as", pull=pull, now=now))

    def read_push(self, proposal: str, changes: list[ProposedChange], now: int) -> Review | None:
        """Return what the law makes of new content of a proposal's pull request, None where it says nothing of it."""
        return cast("Review | None", self._look("read_push", proposal=proposal, changes=changes, now=now))

    def stands_in_way(self, do: str, by: str | None, now: int) -> dict[str, str] | None:
        """Return why an act is refused whatever is said in it (`code`, `why`, `rule`), None where that hangs on it."""
        found: dict[str, str] | None = self._look("stands_in_way", do=do, by=by, now=now)
        return found

    def order(self, now: int, uids: list[str] | None = None) -> list[str]:
        """Return the uids of the rules in force in order of precedence: of all, or of those among some."""
        return list(self._look("order", now=now, uids=uids))

    def overruled(self, now: int) -> list[tuple[str, str, str]]:
        """Return the answers that nobody hears: whose (uid), to which question, and which rule always answers it."""
        return [(rule, question, by) for rule, question, by in self._look("overruled", now=now)]

    def preview(self, event: Event, chance: DiceSource | None = None, sealing: SealingSource | None = None) -> Outcome:
        """Return what would come of an event; nothing of it stays, and only with `sealing` is anything looked into."""
        chance = chance or {"kind": "open", "prev": event.prev, "digest": "preview"}
        return read_outcome(self._tried("preview", event, chance=chance, sealing=sealing or {"kind": "tried"})[1])

    def trial(
        self,
        changes: list[ProposedChange],
        title: str,
        author: str | None,
        now: int,
        requests: Sequence[Document] | None = None,
        proposal: str = "",
        act: Taken | None = None,
    ) -> Shown:
        """Return what adopting a proposal would do (see `folkmoot.scenarios.trial.rehearse`); nothing of it stays.

        `later` and `breaks` say what to beware of when time passes after it (see `foresee`). Where the sandbox dies
        over it, the answer has `died`, a sentence that says in which rule, and nothing else.
        """
        asked: dict[str, Any] = {
            "title": title,
            "author": author,
            "now": now,
            "requests": requests or [],
            "proposal": proposal,
            "act": act,
        }
        try:
            told = dict(self._trial("trial", changes=changes, **asked))
        except Died as died:
            return {"died": self._how(died)}
        return {**told, **self.foresee(changes, now)}

    def foresee(self, changes: list[ProposedChange], now: int) -> Shown:
        """Return what to beware of when time passes after changes were adopted.

        `later` says it in a sentence each, and what was not tried; `breaks` whether rules or the game break by it.
        """
        try:
            told = self._trial("foresee", changes=changes, now=now, most=self.most_foreseen)
        except Died as died:
            return {"later": [f"when its timers fire or people act next, {self._how(died)}"], "breaks": True}
        later, untried = told["later"], told["untried"]
        whose = "" if self.most_foreseen > MOST_FORESEEN else ", the referee will"
        return {"later": [*later, *([f"not tried: {untried}{whose}"] if untried else [])], "breaks": told["breaks"]}

    def _how(self, died: Died) -> str:
        """Return how the sandbox died, and in which rule, in a trial."""
        return f"the sandbox {died.how}{f' in {self._where(died)}' if died.rule else ''}"

    def _where(self, died: Died) -> str:
        """Return in which rule the sandbox died, by its number, or that this is a new one, and in which hook."""
        known = (self._documents.get("law") or {}).get("rules") or {}
        uid = died.rule if died.rule in known or died.rule in NO_RULES else ON_TRIAL[0]
        rule = rule_in_words(uid, lambda uid: str(known[uid].get("number") or uid))
        return f"{rule} ({died.hook})" if died.hook else rule

    def check(self, law: Founding | None, rules: list[Written]) -> list[Problem]:
        """Return what is wrong with rules, as `check_each`."""
        return [problem for problems in self.check_each(law, rules) for problem in problems]

    def check_each(self, law: Founding | None, rules: list[Written]) -> list[list[Problem]]:
        """Return what is wrong with rules' scripts, and which of their examples do not hold on a law (None: not run).

        Args:
            law: what a game could be founded with, the rules in it.
            rules: the ones to check: `rule` (its document), `text` and `file` (where it was read).

        Returns:
            the problems of each, with its uid among the arguments; one that says so where the sandbox dies over it.
        """
        try:
            found = self._trial("check", TRIAL * PATIENCE, law=law, rules=rules)
        except Died as died:
            if len(rules) > 1:
                return [self.check(law, [rule]) for rule in rules]
            what = self._where(died) if died.rule else "the script"
            said = f"{what} could not be checked, nor its examples run: the sandbox {died.how}"
            hint = "make script and examples shorter, and end every loop"
            return [[Problem("E-EXAMPLE", said, Position(rules[0]["file"]), hint)]]
        return [[problem_of(record) for record in of_one] for of_one in found]

    def try_founding(self, law: Founding) -> list[Shown]:
        """Return what is wrong with the founding of a game (see `folkmoot.scenarios.checked_law`)."""
        try:
            return list(self._trial("try_founding", TRIAL * PATIENCE, law=law))
        except Died as died:
            where = f" in {self._where(died)}" if died.rule else ""
            return [{"code": "E-BUDGET", "why": f"the sandbox {died.how}{where} when a game was founded", "path": []}]

    def scenario(self, scenario: Written, law: Founding, file: str) -> list[Problem]:
        """Run a scenario (read from a file) on a law; return in which way it does not hold, nothing where it does."""
        try:
            failed = self._call("scenario", SECONDS_A_SCENARIO * self._seconds, scenario=scenario, law=law)
        except Died as died:
            where = f" in rule {died.rule} ({died.hook})" if died.rule else ""
            failed = f"the sandbox {died.how}{where}, so that it was ended"
        return [Problem("E-SCENARIO", str(failed), Position(file))] if failed else []

    def try_out(
        self, proposed: list[ProposedChange], steps: list[Written], seq: int, now: int, files: Sequence[str] = ()
    ) -> Shown:
        """Make changes law and play steps on; the sandbox cannot be used for the game itself any more.

        `files` are those that the changes come from, in their order. Returns the fields of `scenarios.trial.Trial`.
        Raises E-TARGET, E-ARGS or E-NO-SUCH where a change cannot be made, and E-BUDGET with the rule, and the file
        that brought it, where the trial had to be ended.
        """
        asked = {"proposed": proposed, "steps": steps, "seq": seq, "now": now, "files": list(files)}
        file = files[0] if len({*files}) == 1 else ""
        try:
            later = self.foresee(proposed, now)
            return {**self._call("try_out", SECONDS_A_SCENARIO * self._seconds, **asked), **later}
        except Died as died:
            new = died.rule not in ((self._documents.get("law") or {}).get("rules") or {})
            hint = "end every loop, and keep less"
            raise fail("E-BUDGET", f"{self._how(died)}, so that the trial was ended",
                       Position(file) if file and new else None, hint) from None  # fmt: skip

    def _trial(self, name: str, times: int = 2 * TRIAL, **arguments: Any) -> Any:
        """Ask for a trial, each part of which has a time of its own, and whose work is counted; raises Died.

        `times` is how many times the seconds of an event all of it may take.
        """
        seconds = self._seconds * TRIAL
        try:
            return self._hear(self._request(name, seconds, **arguments), seconds, self._seconds * times)
        except Died:
            self.work += TRIAL
            raise

    def _look(self, name: str, **arguments: Any) -> Any:
        """Ask the law something beside the play, in the end without a few hooks that take too long."""
        without: list[LeftOut] = []
        while True:
            try:
                return self._call(name, self._seconds * WALL, without=without, **arguments)
            except Died as died:
                if not (died.slow and died.rule) or len(without) == MOST_DROPPED:
                    raise fail("E-JUDGE", str(died)) from None
                rule, hook = died.running
                without.append({"rule": rule, "hook": hook, "why": died.how})

    def _plain(self, name: str, **arguments: Any) -> Any:
        """Ask what no rule answers."""
        try:
            return self._call(name, self._seconds * WALL, **arguments)
        except Died as died:
            raise fail("E-JUDGE", str(died)) from None

    def pages(self, now: int, skip: Collection[str] = ()) -> dict[str, ScriptRecord]:
        """Return the pages of rules, but those to skip; one in which the sandbox dies gets a page that says so."""
        dead: dict[str, Died] = {}
        while (shown := self._pages(now, dead, skip)) is None:
            pass
        for rule, death in dead.items():
            name = death.hook.removeprefix("show_") if death.hook.startswith("show_") else f"rule-{rule}"
            shown[name] = {"title": name, "rule": rule, "blocks": [], "error": str(death)}
        return shown

    def _pages(self, now: int, dead: dict[str, Died], skip: Collection[str]) -> dict[str, ScriptRecord] | None:
        """Return the pages but those of dead rules; None where the sandbox dies in one more, which is noted."""
        try:
            return dict(self._call("pages", self._seconds * WALL, now=now, skip=[*dead, *skip], without=()))
        except Died as died:
            if not died.rule or died.rule in dead:
                raise fail("E-JUDGE", str(died)) from None
            dead[died.rule] = died
            return None

    def replay(
        self, entries: Iterable[Entry], progress: Callable[[int], None] = lambda _seq: None, *, looking: bool = False
    ) -> None:
        """Judge recorded entries anew, in batches; raises E-REPLAY at the first difference.

        `looking` into what is sealed, as far as `keeper` has it: what was computed from that is computed anew.
        """
        for seq in self._replayed("replay", entries, looking=looking):
            progress(seq)

    def follow(self, entries: Iterable[Entry]) -> dict[str, Document | None]:
        """Judge recorded entries anew and return the documents that they changed, None for those that are gone.

        Unlike `replay` this goes with an archive. Raises E-REPLAY at the first difference.
        """
        changed: dict[str, Document | None] = {}
        for answer in self._replayed("follow", entries):
            put_in(self._documents, answer["documents"])
            changed |= answer["documents"]
        return changed

    def _replayed(self, name: str, entries: Iterable[Entry], **how: Any) -> Iterator[Any]:
        """Send entries in batches and yield the answer to each."""
        source = iter(entries)
        batch = list(islice(source, BATCH))
        while batch:
            child = self._request(name, self._seconds * PATIENCE, entries=batch, **how)
            try:
                following = list(islice(source, BATCH))  # read on while the sandbox is at work
                answer = self._hear(child, self._seconds * (PATIENCE + len(batch)))
            except Died as died:
                raise fail("E-REPLAY", f"entries {batch[0]['seq']} to {batch[-1]['seq']}: {died}") from None
            except BaseException:
                self._lose()  # what it would still answer is of no use to anybody
                raise
            yield answer
            batch = following

    def documents(self) -> Iterator[tuple[str, Document]]:
        """Return every document of the game as the sandbox has it, in order of keys."""
        after = ""
        while page := self._plain("export", after=after):
            yield from page.items()
            after = max(page)
