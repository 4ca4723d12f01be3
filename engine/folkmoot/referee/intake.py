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
from folkmoot.core.records import Arguments, Review, Taken, Via
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import WITHHELD, Person, Remark
from folkmoot.game.epoch_secrets import is_lost
from folkmoot.game.status import choices_of, revising
from folkmoot.kernel.act_declarations import (
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
    commands_in,
    commands_of,
    fitting,
    read_ballot,
    spoken_in,
    unread_in,
)
from folkmoot.referee.comment_building import statement_of
from folkmoot.referee.content import (
    Content,
    GameContent,
    InboxAct,
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
MOST_ACTS = 100  # of one pull request
MOST_TICKS_A_RUN = 50_000  # timers, of which most leave no trace
DESCRIBED = "but for the act that takes its rule-changes in, a description commands nothing; say it in a comment"
PROPOSES = "on a pull request /propose stands alone: its title and its files are what is proposed"
OPENED_FOR = (
    "this pull request was opened when the game moved, for who had proposed it: the proposal stays as it is, and only "
    "they withdraw it, by a comment"
)


class Intake:
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
        self.recorder = recorder
        self.room = room
        self.read = read
        recorder.takes_in = lambda head: not read(head).brings_jobs
        recorder.base_of = lambda head: read(head).base
        self.acts = Acts(recorder, failed, limits or PushLimits())
        self.waiting: list[Fact] = []
        self.more = False
        self._looked_at = -1  # at which entry those that wait were looked at last
        self._passed = 0  # timers that have fired in this run

    @property
    def leaves_some(self) -> bool:
        """Say whether the next run has something to take that is here already."""
        return self.more or self.acts.put_off

    @property
    def is_full(self) -> bool:
        """Say whether this run records no more."""
        return self.recorder.entries >= self.room

    # -- playing

    def play(self, facts: Iterable[Fact], horizon: int) -> None:
        """Take facts in order and let the clock run up to a time (Unix seconds); what came of it is committed."""
        self.recorder.first = self.recorder.session.head.seq + 1
        facts = list(facts)
        if not self.recorder.session.is_ours:
            self.recorder.session.take_over()
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
        game = self.recorder.session.kept(GAME)
        if not is_lost(self.recorder.record, game["chance"]):
            return
        self.acts.early = True
        for fact in facts:
            remark = fact.remark
            if remark is None or remark.author.robot or remark.kind != "comment":
                continue
            if self.recorder.player(fact.person) not in (game.get("administrators") or ()):
                continue
            for command in commands_in(remark.body):
                identifier = f"{fact.id}/{command.line}"
                gives_up = (command.name, *command.rest.split()[:1]) in (("do", "abandon_epoch"), ("abandon_epoch",))
                if gives_up and self.recorder.entry_of(fact, identifier) is None:
                    self.acts.treat(Stage.GIVEN_UP, fact, identifier, partial(self._command, fact, command, identifier))
        self.acts.early = False

    def _run_clock(self, until: int) -> bool:
        """Fire what is due before a time, one timer after the other: one may open a vote that ballots wait for.

        Returns False, and notes that there is `more` to do, where this run has recorded as much, or has made up for as
        much time in which nothing happened, as one may.
        """
        while not self.is_full and self._passed < MOST_TICKS_A_RUN:
            before = self.recorder.session.ticks
            fired = guarded(Stage.TICK, partial(self.recorder.session.fire_next, until), self._stand_still)
            self._passed += self.recorder.session.ticks - before
            if fired is None:
                return True
            self.recorder.fired += fired
            self.recorder.look_at(fired)
            self._take_waiting()
        self.more = True
        return False

    def _take_waiting(self) -> None:
        """Take the facts that waited, in their order, as long as one of them can be taken."""
        taken = self._looked_at != self.recorder.session.head.seq
        while taken and self.waiting:
            waiting, self.waiting = self.waiting, []
            before = self.recorder.session.head.seq
            for fact in waiting:
                if self.is_full:
                    self.more = True
                    self.waiting.append(fact)
                else:
                    self._take(fact)
            taken = self.recorder.session.head.seq > before
        self._looked_at = self.recorder.session.head.seq

    def _take(self, fact: Fact) -> None:
        take = {"content": self._content, "remark": self._remark, "closing": self._closing}[fact.kind]
        self.acts.treat(Stage.FACT, fact, fact.id, partial(take, fact))

    @staticmethod
    def _stand_still(problem: Problem) -> None:
        """Let the whole game stand still whose clock cannot go on: nothing may be judged before what is due."""
        raise ProblemError(problem)

    # -- facts

    def _content(self, fact: Fact) -> None:
        """Take the content of a pull request: the acts in it, then the rule-changes."""
        assert fact.pull is not None
        actions = self.recorder.session.actions()
        if any(not names_taking(command, actions) for command in commands_of(fact.pull.body)):
            self.recorder.note(fact, "the description", "void", why=DESCRIBED, id_=f"{fact.id}/description")
        known = self.recorder.facts_at(fact.place).get("facts") or {}
        if any(identifier.partition("/")[0] == fact.id for identifier in known):
            return
        content = self.read(fact.id)
        mine = content.of(self.recorder.record.name)
        others = [each.game for each in content.games if each.game != self.recorder.record.name]
        if others or (mine is None and not content.problems):
            self.recorder.note(fact, "new content", "void", why=self._not_of_here(others), id_=f"{fact.id}/elsewhere")
        if mine is None:
            return
        if why := self.not_theirs(fact):
            self.recorder.note(fact, "new content", "void", code="E-SIGNATURE", why=why)
            return
        if self.acts.lets_others_go_first(self.recorder.player(fact.person), "propose"):
            return  # all of it: what is recorded of a content is not looked at again
        _requests, acts, _naming = acts_apart(mine, actions)
        for act in sorted(
            self._so_many(fact, acts), key=lambda act: act.do != "join"
        ):  # who comes in by it may do the rest
            identifier, asked_ = f"{fact.id}/{act.file}", Asked(act.do, dict(act.args), act.as_)
            asked_ = self.in_law_words(fact, asked_) if act.do == VOTE else asked_
            self.acts.treat(Stage.ACT, fact, identifier, partial(self.acts.act, fact, asked_, identifier, content))
        if (
            acts
            and not mine.changes
            and any(self.recorder.entry_of(fact, f"{fact.id}/{act.file}") is not None for act in acts)
        ):
            self._take_in(fact)
        if mine.changes and self.recorder.entry_of(fact, fact.id) is None:
            self._submit(fact, fact.id, content, mine)

    def _so_many(self, fact: Fact, acts: list[InboxAct]) -> list[InboxAct]:
        """Return as many acts as a pull request may hold, and note that the others are not read."""
        if len(acts) > MOST_ACTS:
            why = f"a pull request may hold {MOST_ACTS} acts: the {len(acts) - MOST_ACTS} after them were not read"
            self.recorder.note(fact, "a part of it", "void", code="E-SIZE", why=why, id_=f"{fact.id}/unread")
        return acts[:MOST_ACTS]

    def _not_of_here(self, others: list[str]) -> str:
        """Return why content of other games, or of none, is not judged where a pull request is of this one."""
        if not others:
            return "it changes nothing of this game any more; what was recorded of it before stands"
        here = f"this pull request is one of {self.recorder.record.name}"
        return f"it changes {', '.join(others)} too, and {here}: open another pull request for that"

    def _take_in(self, fact: Fact) -> None:
        """Show a pull request of acts alone as merged where one of them was accepted; nothing of it is voted on."""
        own = [v for v in self.recorder.verdicts.get(fact.number, ()) if v.fact.startswith(f"{fact.id}/")]
        if any(verdict.state == "recorded" for verdict in own):
            self.recorder.adopted[fact.number] = fact.id
            self.recorder.commit()

    def _submit(self, fact: Fact, identifier: str, content: Content, mine: GameContent) -> None:
        """Take the changes of a pull request in, unless a proposal of it is alive."""
        assert fact.pull is not None
        last = self.recorder.proposal_at(fact.place)
        if last is not None and (not last["outcome"] or identifier == fact.id):
            if last["via"].get("digest") != content.digest:
                self._take_push(fact, last, content, mine)
            elif identifier != fact.id:
                why = f"it is proposed already, as {called(last)}"
                self.recorder.note(fact, "/propose", "void", why=why, id_=identifier)
            return
        by = self.recorder.player(fact.person)
        taken = taken_by(self.recorder.session, mine, fact.pull.title, fact.pull.body, by)
        if "do" in taken:
            self.acts.act(fact, Asked(taken["do"], taken["args"], taken.get("as")), identifier, content)
        else:  # it waits: each run asks again, and the law may say more by then
            rule = taken.get("rule", "")
            self.recorder.note(
                fact, "rule-changes", "void", code="E-NO-SUCH", why=taken["why"], rule=rule, id_=identifier
            )

    def _remark(self, fact: Fact) -> None:
        """Take a review, or the commands of a comment."""
        remark = fact.remark
        assert remark is not None
        if remark.author.robot:
            self._robot(fact, remark)
            return
        if remark.game and remark.game != self.recorder.record.founding:
            why = "it is signed for another game"
            self.recorder.note(fact, "a letter", "void", code="E-SIGNATURE", why=why)
            return
        if remark.kind == "comment" and remark.body.startswith(WITHHELD):
            self.recorder.note(fact, "what they said", "void", code=NOT_TAKEN, why=WHY)
            return
        if (remark.kind != "comment" or remark.commit) and self.recorder.entry_of(fact, fact.id) is None:
            self.review(fact, remark)
        if fact.opens and self._state(fact, remark):
            return
        unread = unread_in(remark.body)
        if unread:
            self.recorder.note(fact, "part of a comment", "void", code="E-SIZE", why=unread, id_=f"{fact.id}/unread")
        for command in commands_in(remark.body):
            if command.name != "game":
                self._line(fact, command)

    def _line(self, fact: Fact, command: Command) -> None:
        """Take a command of a comment, or say again what was recorded of it."""
        identifier = f"{fact.id}/{command.line}"
        known = self.recorder.entry_of(fact, identifier)
        if known is None and self.is_full:
            self.more = True
        elif known is None:
            self.acts.treat(Stage.ACT, fact, identifier, partial(self._command, fact, command, identifier))
        elif fact.number == 0:  # it was recorded by a run that may have died before it could answer
            self.recorder.tell(fact, self.recorder.record.entry(known), identifier)

    def _robot(self, fact: Fact, remark: Remark) -> None:
        """Say once of each robot that nothing it says counts; to what it chatters nobody answers."""
        if remark.kind != "comment" or any(command.name != "game" for command in commands_in(remark.body)):
            why = "they are a robot, and robots neither vote nor act"
            self.recorder.note(
                fact, "what a robot says", "void", code="E-NOT-PLAYER", why=why, id_=f"robot/{remark.author.id}"
            )

    def _state(self, fact: Fact, remark: Remark) -> bool:
        """Take an issue's own text as the form that it is, or as a statement; False where it holds commands instead."""
        assert fact.issue is not None
        form = read_form(remark.body)
        if form is None and any(command.name != "game" for command in commands_in(remark.body)):
            return False
        if self.recorder.entry_of(fact, fact.id) is not None:
            return True
        session = self.recorder.session
        wanted = (
            statement_of(fact.issue.title, remark.body)
            if form is None
            else form_asked(form, fact.issue.title, session.actions(), partial(self._taken_as, fact), session.rules())
        )
        if wanted.flaw:
            self.acts.slip(fact, form.form if form else "state", wanted.flaw)
        elif wanted.do == VOTE:
            self.vote(fact, wanted, fact.id)
        else:
            self.acts.act(fact, wanted, fact.id)
        return True

    def _taken_as(self, fact: Fact, title: str, changes: list[Any]) -> Taken:
        """Return by which action a rule-change is taken in that came without a pull request."""
        session, by = self.recorder.session, self.recorder.player(fact.person)
        return session.sandbox.taken_as(as_the_law_sees(by, title, "", changes), session.at)

    def _command(self, fact: Fact, command: Command, identifier: str) -> None:
        if command.name == "propose" and _means_content(self.recorder.session.actions()) and fact.pull is not None:
            if command.rest:
                self.acts.slip(fact, "/propose", PROPOSES, identifier)
            else:
                self._propose_again(fact, identifier)
            return
        if command.name == "ignore" and "ignore" not in self.recorder.session.actions():
            self.ignore(fact, command, identifier)
            return
        if command.name in QUESTIONS and command.name not in self.recorder.session.actions():
            told = QUESTIONS[command.name](command.rest, self.recorder.session)
            self.recorder.note(fact, told.what, "told", why=told.why, lines=told.lines, id_=identifier)
            return
        wanted = asked(command, self.recorder.session.actions())
        if wanted.flaw:
            self.acts.slip(fact, f"/{command.name}", wanted.flaw, identifier)
        elif self.recorder.entry_of(fact, identifier) is None and self._came_later(wanted.do, fact.at):
            why = "no rule knew that when it was said; say it again if you mean it"
            self.recorder.note(fact, f"/{command.name}", "void", why=why, id_=identifier)
        elif wanted.do == VOTE:
            self.vote(fact, wanted, identifier)
        else:
            wanted, content = self._with_content(fact, wanted)
            declared = self.recorder.session.actions().get(wanted.do) or {}
            if content is not None and (name := unnamed_proposal(declared, wanted.args)):
                why = f"no proposal of this pull request is undecided; say it on that which you mean, or add `{name}=…`"
                self.recorder.note(fact, f"/{command.name}", "void", code="E-NO-SUCH", why=why, id_=identifier)
            else:
                self.acts.act(fact, wanted, identifier, content)

    def _came_later(self, action: str, at: int) -> bool:
        """Say whether an action is offered only since a time (Unix seconds): words said then did not mean it."""
        metas = self.recorder.session.document("law").get("rules") or {}
        offering = [rule["uid"] for rule in self.recorder.session.rules() if action in (rule.get("actions") or {})]
        return bool(offering) and not any(
            metas[uid]["at"] <= at or self._offered_before(uid, action, at) for uid in offering
        )

    def _offered_before(self, uid: str, action: str, at: int) -> bool:
        """Say whether a rule that was amended since a time offered an action then already."""
        revisions = (self.recorder.record.archive(f"history/{uid}") or {}).get("revisions", ())
        return any(each["at"] <= at and action in (each.get("actions") or {}) for each in revisions)

    def _propose_again(self, fact: Fact, identifier: str) -> None:
        assert fact.pull is not None
        content = self.read(head_at(fact.pull, fact.at).commit)
        mine = content.of(self.recorder.record.name)
        if mine is None or not mine.changes:
            self.recorder.note(fact, "/propose", "void", why="this pull request changes no rule", id_=identifier)
        elif fact.person.id != fact.pull.author.id:
            self.recorder.note(
                fact, "/propose", "void", why="only the author of a pull request proposes it", id_=identifier
            )
        elif fact.pull.draft:
            why = "this pull request is a draft: say that it is ready for review, which proposes it"
            self.recorder.note(fact, "/propose", "void", why=why, id_=identifier)
        elif not self.came_to_nothing(fact, "/propose", identifier, self.recorder.proposal_at(fact.place)):
            self._submit(fact, identifier, content, mine)

    def _with_content(self, fact: Fact, wanted: Asked) -> tuple[Asked, Content | None]:
        """Return an act, and the content of its pull request where it takes that along.

        It does where it takes rule-changes, none were given, and the content is not what is proposed already.
        """
        declared = self.recorder.session.actions().get(wanted.do) or {}
        wanted, pull = self._about(fact, wanted, declared), fact.pull
        name = argument_for_changes(declared)
        if not name or name in wanted.args or pull is None or pull.draft or fact.person.id != pull.author.id:
            return wanted, None
        content = self.read(head_at(pull, fact.at).commit)
        mine, last = content.of(self.recorder.record.name), self.recorder.proposal_at(fact.place)
        if mine is None or not mine.changes or (last and last["via"].get("digest") == content.digest):
            return wanted, None
        return Asked(wanted.do, {name: list(mine.changes), **wanted.args}, wanted.as_), content

    def _about(self, fact: Fact, wanted: Asked, declared: ActionSpec) -> Asked:
        """Return an act that is about the proposal of its pull request or issue, where it takes one and names none."""
        proposal = self.recorder.proposal_at(fact.place) if fact.number else None
        if proposal is None or proposal["outcome"]:
            return wanted
        return Asked(wanted.do, {**about(declared, proposal), **wanted.args}, wanted.as_)

    def _closing(self, fact: Fact) -> None:
        """Take a pull request that its author closed as withdrawing, where the rules know withdrawing."""
        proposal = self.recorder.proposal_at(fact.place)
        if self.is_opened_for_another(fact):
            self.recorder.note(fact, "closing", "void", why=OPENED_FOR)
            return
        if proposal is None and self.acts.applied_at(fact):
            self.acts.act(fact, Asked("withdraw_application"), fact.id)
            return
        if proposal is None or proposal["outcome"] or self.recorder.entry_of(fact, fact.id) is not None:
            return
        actions = self.recorder.session.actions()
        do = closing_action(actions)
        if not do:
            self.recorder.note(fact, "closing", "void", why="the rules know no withdrawing: the proposal stays")
            return
        self.acts.act(fact, Asked(do, about(actions[do], proposal)), fact.id)

    # -- new content of a pull request whose proposal is undecided: the law is asked what becomes of it (`decide_push`)

    def is_opened_for_another(self, fact: Fact) -> bool:
        """Say whether a pull request was opened when the game moved here, by somebody else than who proposes in it."""
        proposal = self.recorder.proposal_at(fact.place)
        if proposal is None or not proposal.get("came"):
            return False
        return self.recorder.player(fact.person) != proposal["author"]

    def not_theirs(self, fact: Fact) -> str:
        """Return why content is not that of whose pull request it is, "" where it is."""
        if self.is_opened_for_another(fact):
            return OPENED_FOR
        if fact.push is None or fact.push.author.id == fact.person.id:
            return ""
        pusher, owner = (self.recorder.named(each) for each in (fact.push.author, fact.person))
        return f"it was pushed by {pusher}, and the pull request is {owner}'s"

    def _take_push(self, fact: Fact, last: Proposal, content: Content, mine: GameContent) -> None:
        """Take new content as the law takes it; where that says nothing, the proposal stays as it was submitted."""
        answer = self._law_on_push(fact, last, mine)
        if answer is None:
            self.recorder.note(fact, "new content", "void", why=self._why_not_newer(last))
        elif "do" in answer:
            self.acts.act(fact, self._act_of_push(answer, last, fact, mine), fact.id, content)
        else:
            code, rule = answer.get("code", "E-ARGS"), answer.get("rule")
            self.recorder.note(fact, "new content", "void", code=code, why=answer["why"], rule=rule)

    def _law_on_push(self, fact: Fact, last: Proposal, mine: GameContent) -> Review | None:
        """Return what the law makes of a push; None where it says nothing, or something newer was taken already.

        A rule that is as it is only since the push was made was not what it meant.
        """
        session, since = self.recorder.session, last["via"].get("revised", last["submitted_at"])
        if last["outcome"] or fact.at < since or not self.recorder.session.decides("push"):
            return None
        answer = session.sandbox.read_push(str(last["id"]), list(mine.changes), session.at)
        if answer is not None and "rule" in answer and session.kept(LAW)["rules"][answer["rule"]]["at"] > fact.at:
            return None
        return answer

    def _why_not_newer(self, last: Proposal) -> str:
        """Return what becomes of content that is newer than what was submitted of a pull request."""
        named = called(last)
        if last["outcome"]:
            return f"{named} is {last['outcome']} already; `/propose` proposes this newer content anew"
        final = revising(self.recorder.session.actions()) if last["state"] == "pending" else ""
        if final:
            return f"{named} stays as it was submitted until its author says `/do {final}` here, which takes this in"
        return f"{named} is voted on as it was submitted; this newer content is not"

    def _act_of_push(self, answer: Review, last: Proposal, fact: Fact, mine: GameContent) -> Asked:
        """Return the act that an answer names, with the content and what it is of as arguments, where it takes such."""
        assert fact.pull is not None
        actions = self.recorder.session.actions()
        given = about(actions.get(answer["do"]) or {}, last)
        act: Taken = {"do": answer["do"], "args": {**given, **answer["args"]}}
        if argument_for_changes(actions[act["do"]]):
            act = with_changes(act, actions, fact.pull.title, mine.changes, acts_apart(mine, actions)[0])
        return Asked(act["do"], act["args"], answer["as"], review={"rule": answer["rule"]})

    # -- ballots and reviews as the law takes them; those on a vote that is not open yet wait

    def review(self, fact: Fact, remark: Remark) -> None:
        """Take a review as the ballot with which it begins, else as the act that the law makes of it."""
        proposal, comments = self.recorder.proposal_at(fact.place), remark.kind == "comment"
        said = self._said(proposal, remark.body)
        if comments and said is None:
            return
        if remark.dismissed_by is not None or remark.deleted:
            done = "deleted"
            if remark.dismissed_by is not None:
                done = f"taken back by {self.recorder.named(remark.dismissed_by)}"
            why = f"it was {done} before it was recorded; review again, or comment /vote, where it shall count"
            self.recorder.note(fact, "a review", "void", why=why)
            return
        if proposal is not None and not proposal["outcome"] and not self._speaks_of(remark.commit, proposal["via"]):
            self.recorder.note(fact, "a review", "void", why="it was made on other content than what is voted on")
            return
        if self.came_to_nothing(fact, "a review", fact.id, proposal):
            return
        reason = _reason(remark.body)
        answer = None if comments else self._by_law(remark.author, proposal, remark.kind, reason)
        if said is not None and (answer is None or answer.get("do", VOTE) == VOTE):
            self.vote(fact, self._asked_in_words(said, remark.kind, proposal), fact.id)
            return
        if answer is not None and "do" in answer:
            self._as_the_law_says(fact, answer, fact.id)
            return
        choices = (choices_of(self.recorder.session, proposal["id"]) if proposal else None) or []
        choice = choice_of_review(remark.kind, choices)
        if not choice and answer is None and proposal is not None and proposal["state"] != "pending":
            self.recorder.note(fact, "a review", "void", why=_stands_for_nothing(remark.kind, choices))
            return
        wanted = Asked(VOTE, {"choice": choice, **({"reason": reason} if reason else {})}, review=answer)
        self.vote(fact, wanted, fact.id)

    def _said(self, proposal: Proposal | None, body: str) -> Typed | None:
        """Return the ballot with which a review of a proposal begins, None where it begins with none."""
        choices = choices_of(self.recorder.session, proposal["id"]) if proposal is not None else []
        return read_said(spoken_in(body), choices) if choices else None

    def _asked_in_words(self, said: Typed, verdict: str, proposal: Proposal | None) -> Asked:
        """Return the ballot that a review's own words are, unless the review itself says the opposite."""
        opposite = next((other for other in REVIEWS if other != verdict), "") if verdict in REVIEWS else ""
        choices = choices_of(self.recorder.session, proposal["id"]) if proposal is not None else []
        if said.flaw:
            return Asked(flaw=said.flaw)
        if opposite and choice_of_review(opposite, choices) == said.choice:
            meant = f"“{said.choice}” in words, and the opposite as a review ({verdict.replace('_', ' ')})"
            return Asked(flaw=f"it says {meant}: comment `/vote {typed_choice(said.choice, choices)}`, or review anew")
        return Asked(VOTE, {"choice": said.choice, **({"reason": said.reason} if said.reason else {})})

    def _speaks_of(self, commit: str, via: Via) -> bool:
        """Say whether a review of a commit is one of the content that a proposal was made with."""
        return commit in ("", via.get("head")) or self.read(commit).digest == via.get("digest")

    def _by_law(self, person: Person, proposal: Proposal | None, verdict: str, reason: str) -> Review | None:
        """Return what the law makes of a player's review (`decide_review`), None where it says nothing.

        `rule` is the uid of the rule that says it; it is the act that `do`, `args` and `as` name, or `why` says why
        the answer can be no act.
        """
        player, session = self.recorder.player(person), self.recorder.session
        if proposal is None or player is None or not session.decides("review"):
            return None
        return session.sandbox.read_review(str(proposal["id"]), [player, verdict, reason], session.at)

    def _as_the_law_says(self, fact: Fact, answer: Review, identifier: str) -> None:
        """Have a review judged as the act that the law makes of it; a ballot is one on what was reviewed."""
        wanted = Asked(answer["do"], answer["args"], answer["as"], review={"rule": answer["rule"]})
        if wanted.do == VOTE and wanted.do not in self.recorder.session.declared("actions"):
            self.vote(fact, wanted, identifier)
        else:
            self.acts.act(fact, wanted, identifier)

    def choices_of(self, proposal: Mapping[str, Any]) -> list[str]:
        """Return the words that are offered for votes on a proposal."""
        return choices_of(self.recorder.session, proposal["id"]) or CHOICES

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
        """Return the choices of what a ballot is on, as it names it or by its place; None where there is no such thing.

        Where nothing else says what is meant, it is the only one that is not decided.
        """
        session = self.recorder.session
        open_ = [str(name) for name in session.kept(GAME).get("open") or ()]
        on = self._named(named)
        here = self.recorder.proposal_at(fact.place) if on is None else None
        if here is not None:
            return choices_of(self.recorder.session, here["id"])
        on = on or the_open_one(open_, str(named.get("kind") or ""))
        identifier = f"{on[0]}/{on[1]}" if on else ""
        found = session.proposal(identifier) if identifier else None
        return choices_of(self.recorder.session, found["id"]) if found and found["id"] in open_ else None

    def _named(self, args: Arguments) -> tuple[str, Any] | None:
        """Return kind and number of what a ballot says it is on, None where it does not say."""
        return named_in(args, kinds_named(self.recorder.session.votable()))

    def whose_turn(self) -> tuple[str, int | None]:
        """Return the player whose turn it is, "" where no rule knows turns, and the turn's number, if it has one."""
        mover = self.recorder.session.ask("mover") if self.recorder.session.decides("mover") else None
        turn = self.recorder.session.ask("turn_no") if mover and self.recorder.session.decides("turn_no") else None
        return (mover if isinstance(mover, str) else ""), (turn if type(turn) is int else None)

    def ignore(self, fact: Fact, command: Command, identifier: str) -> None:
        """Take `/ignore GROUND` as the law takes it."""
        proposal = self.recorder.proposal_at(fact.place)
        wanted = self._by_law(fact.person, proposal, "ignore", command.rest)
        if wanted is None:
            why = "there is nothing to be ignored here, or no rule knows ignoring"
            self.recorder.note(fact, "/ignore", "void", code="E-NO-SUCH", why=why, id_=identifier)
        elif "why" in wanted:
            number = self.recorder.session.document("law")["rules"][wanted["rule"]]["number"]
            why = f"{wanted['why']} (so rule {number} answered)"
            self.recorder.note(fact, "/ignore", "void", code="E-ARGS", why=why, id_=identifier)
        else:
            self._as_the_law_says(fact, wanted, identifier)

    def came_to_nothing(self, fact: Fact, what: str, identifier: str, proposal: Proposal | None) -> bool:
        """Say, and note, that a fact was void while its proposal was decided: it stays so, however often one looks."""
        if proposal is None or not proposal["outcome"] or fact.at >= (proposal["resolved_at"] or 0):
            return False
        why = f"it did not count for {called(proposal)}, which is decided"
        self.recorder.note(fact, what, "void", why=why, id_=identifier)
        return True

    def note_waiting(self) -> None:
        """Note what the ballots wait for that still do."""
        for fact in self.waiting:
            if plays(self.recorder.roster, self.recorder.player(fact.person), fact.at):
                self.recorder.note(fact, "a ballot", "waiting", why=self._awaited(fact))
            else:
                self.recorder.note(fact, "a ballot", "void", code="E-NOT-PLAYER", why=self.acts.no_player(fact))

    def _awaited(self, fact: Fact) -> str:
        proposal = self.recorder.proposal_at(fact.place)
        if proposal is None or proposal["outcome"]:
            return "nothing here is open to votes yet; it is counted when a vote opens"
        return f"the vote on {called(proposal)} is not open yet; it is counted when it opens"

    def vote(self, fact: Fact, wanted: Asked, identifier: str) -> None:
        """Cast a ballot on the proposal of the pull request; before the vote is open it waits."""
        wanted = self.in_law_words(fact, wanted)
        args, flaw = dict(wanted.args), wanted.flaw
        proposal = self.recorder.proposal_at(fact.place)
        if self._named(args) or "kind" in args or (proposal is None and fact.pull is None):
            self._vote_by_name(fact, args, flaw, identifier)
            return
        if proposal is None or proposal["state"] == "pending":
            place = fact.pull or fact.issue
            waits = place is not None and (place.state == "open" or (proposal is not None and place.state == "merged"))
            if not waits:
                self.recorder.note(fact, "a ballot", "void", why=_too_late_to_wait(proposal), id_=identifier)
            elif fact not in self.waiting:
                self.waiting.append(fact)
            return
        if self.came_to_nothing(fact, "a ballot", identifier, proposal):
            return
        if flaw:
            self.acts.slip(fact, "a ballot" if identifier == fact.id else "/vote", flaw, identifier)
            return
        if fact.at < proposal["via"].get("revised", 0):
            why = "it was cast before the text was changed to what is voted on now"
            self.recorder.note(fact, "a ballot", "void", why=why, id_=identifier)
            return
        named = {proposal["kind"]: handle(proposal), **args}
        self.acts.act(fact, Asked(VOTE, named, review=wanted.review), identifier)

    def _vote_by_name(self, fact: Fact, args: Arguments, flaw: str, identifier: str) -> None:
        """Cast a ballot that names what it is on; only in the game's own thread may the one open proposal be meant."""
        if flaw:
            self.acts.slip(fact, "/vote", flaw, identifier)
        elif fact.issue is not None and not fact.opens and not self._named(args):
            why = "this issue made no proposal: name the one that is meant, as in `/vote CHOICE proposal=301`"
            self.acts.slip(fact, "a ballot", why, identifier)
        else:
            self.acts.act(fact, Asked(VOTE, args), identifier)


def _means_content(actions: Mapping[str, ActionSpec]) -> bool:
    """Say whether `/propose` means the content of the pull request: no action of the rules is called so without any."""
    return "propose" not in actions or bool(argument_for_changes(actions["propose"]))


def _too_late_to_wait(proposal: Proposal | None) -> str:
    """Return why a ballot at a closed place, on what is not open to votes, cannot wait there."""
    if proposal is None:
        return "nothing was proposed here, and this is closed"
    named = called(proposal)
    return (
        f"the vote on {named} is not open yet, and this is closed: once it is open, vote in the game's thread by "
        f"/vote CHOICE {proposal['kind']}={handle(proposal)}"
    )


def _stands_for_nothing(verdict: str, choices: Sequence[str]) -> str:
    """Return why a review is no ballot where the law has choices, and does not say which of them it stands for."""
    offered = " or ".join(f"“/vote {typed_choice(choice, choices)}”" for choice in choices[:MOST_OFFERED])
    return f"no rule says which choice stands for {verdict.replace('_', ' ')}: comment {offered}"


def _reason(body: str) -> str:
    """Return what a reviewer wrote, without commands."""
    kept = [line for line in body.splitlines() if not line.startswith("/")]
    return "\n".join(kept).strip()[:2_000]
