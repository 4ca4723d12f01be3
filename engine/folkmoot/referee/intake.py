"""Taking what arrived for one game in order of time, and making acts of it by the law of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from folkmoot.core.declared_kinds import named_in, the_open_one
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME, LAW
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.proposal_numbers import called, handle
from folkmoot.core.records import Arguments, Review, Taken
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import WITHHELD, Person, Remark
from folkmoot.game.epoch_secrets import is_lost
from folkmoot.game.status import choices_of, revising
from folkmoot.kernel.act_declarations import (
    JOIN,
    VOTE,
    about,
    argument_for_changes,
    closing_action,
    kinds_named,
    unnamed_proposal,
)
from folkmoot.kernel.ballot_words import (
    CHOICES,
    REVIEWS,
    Typed,
    choice_of_review,
    in_law_words,
    read_said,
    typed_choice,
)
from folkmoot.referee.commands import (
    Asked,
    Command,
    asked,
    asks_nothing,
    ballot_asked,
    commands_in,
    commands_of,
    fitting,
    read_ballot,
    spoken_in,
    unread_in,
)
from folkmoot.referee.content import (
    Content,
    GameContent,
    acts_apart,
    as_the_law_sees,
    names_taking,
    taken_by,
    with_changes,
)
from folkmoot.referee.facts import Fact, head_at
from folkmoot.referee.forms import form_asked, read_form
from folkmoot.referee.people import plays
from folkmoot.referee.questions import QUESTIONS
from folkmoot.referee.recorder import Acts, Read, Recorder
from folkmoot.referee.report import MOST_A_RUN, NOT_TAKEN, WHY, PushLimits

MOST_OFFERED = 6  # choices
LONGEST_STATEMENT = 60_000  # characters
MOST_ACTS = 100  # of one pull request
MOST_TICKS_A_RUN = 50_000  # timers, of which most leave no trace
DESCRIBED = "but for the act that takes its rule-changes in, a description commands nothing; say it in a comment"
PROPOSES = "on a pull request /propose stands alone: its title and its files are what is proposed"
UNCHANGED = "it changes nothing of this game any more; what was recorded of it before stands"


class Intake(Acts):
    """Takes what arrived for one game in order of time, and asks what each means; `more` is left for the next run.

    `failed` are the keys of what failed before, by place; `limits` say what the forge does not take, and `room` how
    many entries may be recorded.
    """

    def __init__(
        self,
        recorder: Recorder,
        read: Read,
        failed: Mapping[int, frozenset[str]],
        limits: PushLimits | None = None,
        room: int = MOST_A_RUN,
    ) -> None:
        super().__init__(recorder, failed, limits or PushLimits())
        self.room = room
        self.read = read
        recorder.base_of = lambda head: read(head).base
        self.waiting: list[Fact] = []
        self.more = False
        self._looked_at = -1  # at which entry those that wait were looked at last
        self._passed = 0  # timers that have fired in this run

    @property
    def is_full(self) -> bool:
        """Say whether this run records no more."""
        return self.recorder.entries >= self.room

    def play(self, facts: Iterable[Fact], horizon: int) -> None:
        """Take facts in order and let the clock run up to a time (Unix seconds); what came of it is committed."""
        self.recorder.first = self.session.head.seq + 1
        facts = list(facts)
        if not self.session.is_ours:
            self.session.take_over()
        self._abandon_epoch(facts)
        for fact in facts:
            if self.recorder.has_left or not self._run_clock(fact.at):
                break
            self._take(fact)
            self._take_waiting()
        else:
            self._run_clock(horizon)
        self.note_waiting()
        self.recorder.commit()

    def _abandon_epoch(self, facts: Iterable[Fact]) -> None:
        """Take first that administrators give up an epoch whose secret is lost: what waits for it bars the way to that.

        It is recorded where the game stands still, at the time of the last entry.
        """
        game = self.session.kept(GAME)
        if not is_lost(self.recorder.record, game["chance"]):
            return
        self.early = True
        for fact in facts:
            remark, is_theirs = fact.remark, self.recorder.player(fact.person) in (game.get("administrators") or ())
            if remark is None or remark.author.robot or remark.kind != "comment" or not is_theirs:
                continue
            for command in commands_in(remark.body):
                part = fact.part(command.line)
                said = [command.name, *command.rest.split()][command.name == "do" :][:1]
                if said == ["abandon_epoch"] and self.recorder.entry_of(part) is None:
                    self.treat(Stage.GIVEN_UP, part, partial(self._command, part, command))
        self.early = False

    def _run_clock(self, until: int) -> bool:
        """Fire what is due before a time, one timer after the other: one may open a vote that ballots wait for.

        Returns False, and notes that there is `more` to do, where this run has recorded as much, or has made up for as
        much time in which nothing happened, as one may.
        """

        def stand_still(problem: Problem) -> None:
            """Let the whole game stand still whose clock cannot go on: nothing may be judged before what is due."""
            raise ProblemError(problem)

        while not self.is_full and self._passed < MOST_TICKS_A_RUN:
            before = self.session.ticks
            fired = guarded(Stage.TICK, partial(self.session.fire_next, until), stand_still)
            self._passed += self.session.ticks - before
            if fired is None:
                return True
            self.recorder.fired += fired
            self.recorder.look_at(fired)
            self._take_waiting()
        self.more = True
        return False

    def _take_waiting(self) -> None:
        """Take the facts that waited, in their order, as long as one of them can be taken."""
        taken = self._looked_at != self.session.head.seq
        while taken and self.waiting:
            waiting, self.waiting = self.waiting, []
            before = self.session.head.seq
            for fact in waiting:
                if self.is_full:
                    self.more = True
                    self.waiting.append(fact)
                else:
                    self._take(fact)
            taken = self.session.head.seq > before
        self._looked_at = self.session.head.seq

    def _take(self, fact: Fact) -> None:
        take = {"content": self._content, "remark": self._remark, "closing": self._closing}[fact.kind]
        self.treat(Stage.FACT, fact, partial(take, fact))

    def _content(self, fact: Fact) -> None:
        """Take the content of a pull request: the acts in it, then the rule-changes."""
        assert fact.pull is not None
        actions, name = self.session.actions(), self.recorder.record.name
        if any(not names_taking(command, actions) for command in commands_of(fact.pull.body)):
            self.recorder.void(fact.part("description"), "the description", DESCRIBED)
        known = self.recorder.facts_at(fact.place).get("facts") or {}
        if any(identifier.partition("/")[0] == fact.id for identifier in known):
            return
        content = self.read(fact.id)
        mine = content.of(name)
        others = [each.game for each in content.games if each.game != name]
        if others or (mine is None and not content.problems):
            here = f"this pull request is one of {name}: open another pull request for that"
            why = f"it changes {', '.join(others)} too, and {here}" if others else UNCHANGED
            self.recorder.void(fact.part("elsewhere"), "new content", why)
        if mine is None:
            return
        if fact.push is not None and fact.push.author.id != fact.person.id:
            pusher, owner = (self.recorder.named(each) for each in (fact.push.author, fact.person))
            why = f"it was pushed by {pusher}, and the pull request is {owner}'s"
            self.recorder.void(fact, "new content", why, code="E-SIGNATURE")
            return
        if self.lets_others_go_first(self.recorder.player(fact.person), "propose"):
            return  # all of it: what is recorded of a content is not looked at again
        self._acts_in(fact, content, mine)
        if mine.changes:
            if self.recorder.entry_of(fact) is None:
                self._submit(fact, content, mine)
            return
        told = self.recorder.verdicts.get(fact.number, ())
        if any(each.state == "recorded" and each.fact.startswith(f"{fact.id}/") for each in told):
            self.recorder.adopted[fact.number] = fact.id  # it is shown as merged; nothing of it is voted on
            self.recorder.commit()

    def _acts_in(self, fact: Fact, content: Content, mine: GameContent) -> None:
        acts = acts_apart(mine, self.session.actions())[1]
        if len(acts) > MOST_ACTS:
            why = f"a pull request may hold {MOST_ACTS} acts: the {len(acts) - MOST_ACTS} after them were not read"
            self.recorder.void(fact.part("unread"), "a part of it", why, code="E-SIZE")
        for act in sorted(acts[:MOST_ACTS], key=lambda act: act.do != JOIN):  # who comes in by it may do the rest
            part, wanted = fact.part(act.file), Asked(act.do, dict(act.args), act.as_)
            wanted = self.in_law_words(fact, wanted) if act.do == VOTE else wanted
            self.treat(Stage.ACT, part, partial(self.act, part, wanted, content))

    def _submit(self, fact: Fact, content: Content, mine: GameContent) -> None:
        """Take the changes of a pull request in, unless a proposal of it is alive."""
        assert fact.pull is not None
        last = self.recorder.proposal_at(fact.place)
        if last is not None and (not last["outcome"] or fact.kind == "content"):
            if last["via"].get("digest") != content.digest:
                self._take_push(fact, last, content, mine)
            elif fact.kind != "content":
                self.recorder.void(fact, "/propose", f"it is proposed already, as {called(last)}")
            return
        by = self.recorder.player(fact.person)
        taken = taken_by(self.session, mine, fact.pull.title, fact.pull.body, by)
        if "do" in taken:
            self.act(fact, Asked(taken["do"], taken["args"], taken.get("as")), content)
        else:  # it waits: each run asks again, and the law may say more by then
            self.recorder.void(fact, "rule-changes", taken["why"], code="E-NO-SUCH", rule=taken.get("rule", ""))

    def _take_push(self, fact: Fact, last: Proposal, content: Content, mine: GameContent) -> None:
        """Take newer content as the law takes it (`decide_push`); where that says nothing, the proposal stays."""
        assert fact.pull is not None
        session, answer = self.session, None
        is_newer = not last["outcome"] and fact.at >= last["via"].get("revised", last["submitted_at"])
        if is_newer and session.decides("push"):
            answer = session.sandbox.read_push(str(last["id"]), list(mine.changes), session.at)
        if answer is not None and "rule" in answer and session.kept(LAW)["rules"][answer["rule"]]["at"] > fact.at:
            answer = None  # the rule is as it is only since then: the push did not mean that
        if answer is None:
            self.recorder.void(fact, "new content", self._why_not_newer(last))
        elif "do" not in answer:
            code, rule = answer.get("code", "E-ARGS"), answer.get("rule")
            self.recorder.void(fact, "new content", answer["why"], code=code, rule=rule)
        else:
            actions = session.actions()
            given = about(actions.get(answer["do"]) or {}, last)
            act: Taken = {"do": answer["do"], "args": {**given, **answer["args"]}}
            if argument_for_changes(actions[act["do"]]):
                act = with_changes(act, actions, fact.pull.title, mine.changes, acts_apart(mine, actions)[0])
            self.act(fact, Asked(act["do"], act["args"], answer["as"], review={"rule": answer["rule"]}), content)

    def _why_not_newer(self, last: Proposal) -> str:
        """Return what becomes of content that is newer than what was submitted of a pull request."""
        named = called(last)
        if last["outcome"]:
            return f"{named} is {last['outcome']} already; `/propose` proposes this newer content anew"
        final = revising(self.session.actions()) if last["state"] == "pending" else ""
        if final:
            return f"{named} stays as it was submitted until its author says `/do {final}` here, which takes this in"
        return f"{named} is voted on as it was submitted; this newer content is not"

    def _closing(self, fact: Fact) -> None:
        """Take a pull request that its author closed as withdrawing, where the rules know withdrawing."""
        proposal, actions = self.recorder.proposal_at(fact.place), self.session.actions()
        if proposal is None:
            if any(application.get("pull") == fact.number for application in self.applications(fact).values()):
                self.act(fact, Asked("withdraw_application"))
        elif proposal["outcome"] or self.recorder.entry_of(fact) is not None:
            return
        elif do := closing_action(actions):
            self.act(fact, Asked(do, about(actions[do], proposal)))
        else:
            self.recorder.void(fact, "closing", "the rules know no withdrawing: the proposal stays")

    def _remark(self, fact: Fact) -> None:
        """Take a review, or the commands of a comment."""
        remark = fact.remark
        assert remark is not None
        if remark.author.robot:
            if remark.kind != "comment" or not asks_nothing(remark.body):  # to what it chatters nobody answers
                why = "they are a robot, and robots neither vote nor act"
                robot = replace(fact, id=f"robot/{remark.author.id}")  # said once of each
                self.recorder.void(robot, "what a robot says", why, code="E-NOT-PLAYER")
        elif remark.game and remark.game != self.recorder.record.founding:
            self.recorder.void(fact, "a letter", "it is signed for another game", code="E-SIGNATURE")
        elif remark.kind == "comment" and remark.body.startswith(WITHHELD):
            self.recorder.void(fact, "what they said", WHY, code=NOT_TAKEN)
        else:
            if (remark.kind != "comment" or remark.commit) and self.recorder.entry_of(fact) is None:
                self.review(fact, remark)
            if not (fact.opens and self._state(fact, remark)):
                self._commands(fact, remark)

    def _commands(self, fact: Fact, remark: Remark) -> None:
        """Take the commands of a comment, or say again what was recorded of them."""
        if unread := unread_in(remark.body):
            self.recorder.void(fact.part("unread"), "part of a comment", unread, code="E-SIZE")
        for command in commands_in(remark.body):
            if command.name == "game":
                continue
            part = fact.part(command.line)
            known = self.recorder.entry_of(part)
            if known is None and self.is_full:
                self.more = True
            elif known is None:
                self.treat(Stage.ACT, part, partial(self._command, part, command))
            elif fact.number == 0:  # it was recorded by a run that may have died before it could answer
                self.recorder.tell(part, self.recorder.record.entry(known))

    def _state(self, fact: Fact, remark: Remark) -> bool:
        """Take an issue's own text as the form that it is, or as a statement; False where it holds commands instead."""
        assert fact.issue is not None
        form = read_form(remark.body)
        if form is None and not asks_nothing(remark.body):
            return False
        if self.recorder.entry_of(fact) is not None:
            return True

        def taken(title: str, changes: list[Any]) -> Taken:
            """Return by which action a rule-change is taken in that came without a pull request."""
            by = self.recorder.player(fact.person)
            return self.session.sandbox.taken_as(as_the_law_sees(by, title, "", changes), self.session.at)

        title = fact.issue.title
        if form is not None:
            wanted = form_asked(form, title, self.session.actions(), taken, self.session.rules())
        else:  # it holds no command but which game it is said to
            told = {command.line for command in commands_in(remark.body)}
            lines = enumerate(remark.body.splitlines(keepends=True), 1)
            parts = [title.strip(), "".join(line for number, line in lines if number not in told).strip()]
            wanted = Asked("state", {"text": "\n\n".join(filter(None, parts))[:LONGEST_STATEMENT]})
        self._act_asked(fact, form.form if form else "state", wanted)
        return True

    def _command(self, fact: Fact, command: Command) -> None:
        actions = self.session.actions()
        means_content = "propose" not in actions or argument_for_changes(actions["propose"])
        if command.name == "propose" and means_content and fact.pull is not None:
            if command.rest:
                self.slip(fact, "/propose", PROPOSES)
            else:
                self._propose_again(fact)
        elif command.name == "ignore" and "ignore" not in actions:
            self.ignore(fact, command)
        elif command.name in QUESTIONS and command.name not in actions:
            told = QUESTIONS[command.name](command.rest, self.session)
            self.recorder.note(fact, told.what, "told", why=told.why, lines=told.lines)
        else:
            self._act_asked(fact, f"/{command.name}", asked(command, actions))

    def _act_asked(self, fact: Fact, what: str, wanted: Asked) -> None:
        """Take the act that a command or a form asks for."""
        if wanted.flaw:
            self.slip(fact, what, wanted.flaw)
        elif self.recorder.entry_of(fact) is None and self._came_later(wanted.do, fact.at):
            self.recorder.void(fact, what, "no rule knew that when it was said; say it again if you mean it")
        elif wanted.do == VOTE:
            self.vote(fact, wanted)
        else:
            wanted, content = self._with_content(fact, wanted)
            declared = self.session.actions().get(wanted.do) or {}
            if content is not None and (name := unnamed_proposal(declared, wanted.args)):
                how = f"say it on that which you mean, or add `{name}=…`"
                why = f"no proposal of this pull request is undecided; {how}"
                self.recorder.void(fact, what, why, code="E-NO-SUCH")
            else:
                self.act(fact, wanted, content)

    def _came_later(self, action: str, at: int) -> bool:
        """Say whether an action is offered only since a time (Unix seconds): words said then did not mean it."""
        metas = self.session.document("law").get("rules") or {}
        offering = [rule["uid"] for rule in self.session.rules() if action in (rule.get("actions") or {})]

        def offered(uid: str) -> bool:
            """Say whether a rule offered it by then, as it is or as it was before it was amended."""
            if metas[uid]["at"] <= at:
                return True
            revisions = (self.recorder.record.archive(f"history/{uid}") or {}).get("revisions", ())
            return any(each["at"] <= at and action in (each.get("actions") or {}) for each in revisions)

        return bool(offering) and not any(map(offered, offering))

    def _propose_again(self, fact: Fact) -> None:
        assert fact.pull is not None
        content = self.read(head_at(fact.pull, fact.at).commit)
        mine = content.of(self.recorder.record.name)
        if mine is None or not mine.changes:
            self.recorder.void(fact, "/propose", "this pull request changes no rule")
        elif fact.person.id != fact.pull.author.id:
            self.recorder.void(fact, "/propose", "only the author of a pull request proposes it")
        elif fact.pull.draft:
            why = "this pull request is a draft: say that it is ready for review, which proposes it"
            self.recorder.void(fact, "/propose", why)
        elif not self.came_to_nothing(fact, "/propose", self.recorder.proposal_at(fact.place)):
            self._submit(fact, content, mine)

    def _with_content(self, fact: Fact, wanted: Asked) -> tuple[Asked, Content | None]:
        """Return an act about the proposal of its place, and the content of its pull request where it takes that along.

        It does where it takes rule-changes, none were given, and the content is not what is proposed already.
        """
        declared, pull = self.session.actions().get(wanted.do) or {}, fact.pull
        last = self.recorder.proposal_at(fact.place) if fact.number else None
        if last is not None and not last["outcome"]:
            wanted = Asked(wanted.do, {**about(declared, last), **wanted.args}, wanted.as_)
        name = argument_for_changes(declared)
        if not name or name in wanted.args or pull is None or pull.draft or fact.person.id != pull.author.id:
            return wanted, None
        content = self.read(head_at(pull, fact.at).commit)
        mine = content.of(self.recorder.record.name)
        if mine is None or not mine.changes or (last and last["via"].get("digest") == content.digest):
            return wanted, None
        return Asked(wanted.do, {name: list(mine.changes), **wanted.args}, wanted.as_), content

    # -- ballots and reviews as the law takes them; those on a vote that is not open yet wait

    def review(self, fact: Fact, remark: Remark) -> None:
        """Take a review as the ballot with which it begins, else as the act that the law makes of it."""
        proposal, comments = self.recorder.proposal_at(fact.place), remark.kind == "comment"
        choices = (choices_of(self.session, proposal["id"]) if proposal else None) or []
        reason = spoken_in(remark.body)
        said = read_said(reason, choices) if choices else None
        if comments and said is None:
            return
        if why := self._void_review(remark, proposal):
            self.recorder.void(fact, "a review", why)
            return
        if self.came_to_nothing(fact, "a review", proposal):
            return
        answer = None if comments else self._by_law(remark.author, proposal, remark.kind, reason)
        if said is not None and (answer is None or answer.get("do", VOTE) == VOTE):
            self.vote(fact, _in_words(said, remark.kind, choices))
        elif answer is not None and "do" in answer:
            self._as_the_law_says(fact, answer)
        else:
            choice = choice_of_review(remark.kind, choices)
            if not choice and answer is None and proposal is not None and proposal["state"] != "pending":
                offered = " or ".join(f"“/vote {typed_choice(each, choices)}”" for each in choices[:MOST_OFFERED])
                verdict = remark.kind.replace("_", " ")
                why = f"no rule says which choice stands for {verdict}: comment {offered}"
                self.recorder.void(fact, "a review", why)
            else:
                self.vote(fact, replace(ballot_asked(Typed(choice, reason)), review=answer))

    def _void_review(self, remark: Remark, proposal: Proposal | None) -> str:
        """Return why a review cannot count: it was taken back, or is of other content than what is proposed."""
        if remark.dismissed_by is not None or remark.deleted:
            by = f"taken back by {self.recorder.named(remark.dismissed_by)}" if remark.dismissed_by else "deleted"
            return f"it was {by} before it was recorded; review again, or comment /vote, where it shall count"
        if proposal is None or proposal["outcome"] or remark.commit in ("", proposal["via"].get("head")):
            return ""
        same = self.read(remark.commit).digest == proposal["via"].get("digest")
        return "" if same else "it was made on other content than what is voted on"

    def _by_law(self, person: Person, proposal: Proposal | None, verdict: str, reason: str) -> Review | None:
        """Return what the law makes of a player's review (`decide_review`), None where it says nothing.

        `rule` is the uid of the rule that says it; it is the act that `do`, `args` and `as` name, or `why` says why
        the answer can be no act.
        """
        player = self.recorder.player(person)
        if proposal is None or player is None or not self.session.decides("review"):
            return None
        return self.session.sandbox.read_review(str(proposal["id"]), [player, verdict, reason], self.session.at)

    def _as_the_law_says(self, fact: Fact, answer: Review) -> None:
        """Have a review judged as the act that the law makes of it; a ballot is one on what was reviewed."""
        wanted = Asked(answer["do"], answer["args"], answer["as"], review={"rule": answer["rule"]})
        if wanted.do == VOTE and wanted.do not in self.session.declared("actions"):
            self.vote(fact, wanted)
        else:
            self.act(fact, wanted)

    def choices_of(self, proposal: Mapping[str, Any]) -> list[str]:
        """Return the words that are offered for votes on a proposal."""
        return choices_of(self.session, proposal["id"]) or CHOICES

    def in_law_words(self, fact: Fact, wanted: Asked) -> Asked:
        """Return a ballot with its choice as the law writes it: the longest that was typed, whatever the case."""
        if wanted.typed is not None:
            read = partial(read_ballot, wanted.typed, partial(self._choices_meant, fact))
            return replace(fitting(VOTE, read), review=wanted.review, typed=wanted.typed)
        known, choice = self._choices_meant(fact, wanted.args), wanted.args.get("choice")
        if not known or not isinstance(choice, str):
            return wanted
        return replace(wanted, args={**wanted.args, "choice": in_law_words(choice, known)})

    def _choices_meant(self, fact: Fact, named: Arguments) -> list[str] | None:
        """Return the choices of what a ballot is on: named, of its place, or the only undecided; None if nothing is."""
        on = self._named(named)
        if on is None and (here := self.recorder.proposal_at(fact.place)) is not None:
            return choices_of(self.session, here["id"])
        open_ = [str(name) for name in self.session.kept(GAME).get("open") or ()]
        on = on or the_open_one(open_, str(named.get("kind") or ""))
        found = self.session.proposal(f"{on[0]}/{on[1]}") if on else None
        return choices_of(self.session, found["id"]) if found and found["id"] in open_ else None

    def _named(self, args: Arguments) -> tuple[str, Any] | None:
        """Return kind and number of what a ballot says it is on, None where it does not say."""
        return named_in(args, kinds_named(self.session.votable()))

    def whose_turn(self) -> tuple[str, int | None]:
        """Return the player whose turn it is, "" where no rule knows turns, and the turn's number, if it has one."""
        mover = self.session.ask("mover")
        turn = self.session.ask("turn_no") if mover else None
        return (mover if isinstance(mover, str) else ""), (turn if type(turn) is int else None)

    def ignore(self, fact: Fact, command: Command) -> None:
        """Take `/ignore GROUND` as the law takes it."""
        wanted = self._by_law(fact.person, self.recorder.proposal_at(fact.place), "ignore", command.rest)
        if wanted is None:
            why = "there is nothing to be ignored here, or no rule knows ignoring"
            self.recorder.void(fact, "/ignore", why, code="E-NO-SUCH")
        elif "why" in wanted:
            number = self.session.document("law")["rules"][wanted["rule"]]["number"]
            self.recorder.void(fact, "/ignore", f"{wanted['why']} (so rule {number} answered)", code="E-ARGS")
        else:
            self._as_the_law_says(fact, wanted)

    def came_to_nothing(self, fact: Fact, what: str, proposal: Proposal | None) -> bool:
        """Say, and note, that a fact was void while its proposal was decided: it stays so, however often one looks."""
        if proposal is None or not proposal["outcome"] or fact.at >= (proposal["resolved_at"] or 0):
            return False
        self.recorder.void(fact, what, f"it did not count for {called(proposal)}, which is decided")
        return True

    def note_waiting(self) -> None:
        """Note what the ballots wait for that still do."""
        for fact in self.waiting:
            if not plays(self.recorder.roster, self.recorder.player(fact.person), fact.at):
                self.recorder.void(fact, "a ballot", self.no_player(fact), code="E-NOT-PLAYER")
                continue
            proposal = self.recorder.proposal_at(fact.place)
            why = "nothing here is open to votes yet; it is counted when a vote opens"
            if proposal is not None and not proposal["outcome"]:
                why = f"the vote on {called(proposal)} is not open yet; it is counted when it opens"
            self.recorder.note(fact, "a ballot", "waiting", why=why)

    def vote(self, fact: Fact, wanted: Asked) -> None:
        """Cast a ballot on the proposal of the pull request; before the vote is open it waits."""
        wanted = self.in_law_words(fact, wanted)
        proposal = self.recorder.proposal_at(fact.place)
        if self._named(wanted.args) or "kind" in wanted.args or (proposal is None and fact.pull is None):
            self._vote_by_name(fact, wanted)
        elif proposal is None or proposal["state"] == "pending":
            place, whole = fact.pull or fact.issue, fact.whole or fact
            waits = place is not None and (place.state == "open" or (proposal is not None and place.state == "merged"))
            if not waits:
                self.recorder.void(fact, "a ballot", _too_late_to_wait(proposal))
            elif whole not in self.waiting:
                self.waiting.append(whole)
        elif self.came_to_nothing(fact, "a ballot", proposal):
            return
        elif wanted.flaw:
            self.slip(fact, "/vote" if fact.whole else "a ballot", wanted.flaw)
        elif fact.at < proposal["via"].get("revised", 0):
            self.recorder.void(fact, "a ballot", "it was cast before the text was changed to what is voted on now")
        else:
            named = {proposal["kind"]: handle(proposal), **wanted.args}
            self.act(fact, Asked(VOTE, named, review=wanted.review))

    def _vote_by_name(self, fact: Fact, wanted: Asked) -> None:
        """Cast a ballot that names what it is on; only in the game's own thread may the one open proposal be meant."""
        if wanted.flaw:
            self.slip(fact, "/vote", wanted.flaw)
        elif fact.issue is not None and not fact.opens and not self._named(wanted.args):
            why = "this issue made no proposal: name the one that is meant, as in `/vote CHOICE proposal=301`"
            self.slip(fact, "a ballot", why)
        else:
            self.act(fact, Asked(VOTE, dict(wanted.args)))


def _in_words(said: Typed, verdict: str, choices: Sequence[str]) -> Asked:
    """Return the ballot that a review's own words are, unless the review itself says the opposite."""
    opposite = next((other for other in REVIEWS if other != verdict), "") if verdict in REVIEWS else ""
    if not said.flaw and opposite and choice_of_review(opposite, choices) == said.choice:
        meant = f"“{said.choice}” in words, and the opposite as a review ({verdict.replace('_', ' ')})"
        return Asked(flaw=f"it says {meant}: comment `/vote {typed_choice(said.choice, choices)}`, or review anew")
    return ballot_asked(said)


def _too_late_to_wait(proposal: Proposal | None) -> str:
    """Return why a ballot at a closed place, on what is not open to votes, cannot wait there."""
    if proposal is None:
        return "nothing was proposed here, and this is closed"
    by = f"once it is open, vote in the game's thread by /vote CHOICE {proposal['kind']}={handle(proposal)}"
    return f"the vote on {called(proposal)} is not open yet, and this is closed: {by}"
