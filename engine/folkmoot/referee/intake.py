"""One game at a referee's table: takes facts in order of time, and asks for what they mean by the law of the game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from folkmoot.core.problems import Problem, ProblemError
from folkmoot.forges.boundary import Stage, guarded
from folkmoot.forges.port import Remark
from folkmoot.game.epoch_secrets import is_lost
from folkmoot.game.session import Document
from folkmoot.game.status import revising
from folkmoot.kernel.declared import BEYOND_RULES
from folkmoot.referee.commands import Asked, Command, asked, commands_in, commands_of, unread_in
from folkmoot.referee.content import Content, GameContent, InboxAct, split_requests
from folkmoot.referee.facts import Fact, head_at
from folkmoot.referee.failed_inputs import Faulty
from folkmoot.referee.forms import form_asked, read_form
from folkmoot.referee.issues import statement_of
from folkmoot.referee.lookup import QUESTIONS
from folkmoot.referee.people import player_of, plays, whose

MOST_A_RUN = 1_000  # entries; the rest is for the next run
MOST_ACTS = 100  # of one pull request
MOST_TICKS_A_RUN = 50_000  # timers, of which most leave no trace
DESCRIBED = "commands in the description of a pull request are not read; say them in a comment"
PROPOSES = "on a pull request /propose stands alone: its title and its files are what is proposed"


@dataclass(slots=True)
class Intake(Faulty):
    """A game in play; `more` says that facts were left for the next run."""

    more: bool = False
    _looked_at: int = -1  # at which entry those that wait were looked at last
    _passed: int = 0  # timers that have fired in this run

    @property
    def leaves_some(self) -> bool:
        """Say whether the next run has something to take that is here already."""
        return self.more or self.put_off

    # -- playing

    def play(self, facts: Iterable[Fact], horizon: int) -> None:
        """Take facts in order and let the clock run up to a time (Unix seconds); what came of it is committed."""
        self._first = self.session.head.seq + 1
        facts = list(facts)
        if not self.session.is_ours:
            self.session.take_over()
        self._abandon_epoch(facts)
        for fact in facts:
            if not self._run_clock(fact.at):
                break
            self._take(fact)
            self._take_waiting()
        else:
            self._run_clock(horizon)
        for fact in self._waiting:
            if plays(self.roster, player_of(self.roster, self.forge, fact.person), fact.at):
                self._note(fact, "a ballot", "waiting", why=self._awaited(fact))
            else:
                who = whose(fact.person, self.roster, self.forge)
                why = f"{who} is no player of this game; the comment /join asks to become one"
                self._note(fact, "a ballot", "void", code="E-NOT-PLAYER", why=why)
        self._commit()

    def _awaited(self, fact: Fact) -> str:
        """Return what a ballot waits for."""
        proposal = self.proposal_at(fact.place)
        if proposal is None or proposal["outcome"]:
            return "nothing here is open to votes yet; it is counted when a vote opens"
        return f"the vote on {proposal['kind']} {proposal['number']} is not open yet; it is counted when it opens"

    def _abandon_epoch(self, facts: Iterable[Fact]) -> None:
        """Take first that administrators give up an epoch whose secret is lost: what waits for it bars the way to that.

        It is recorded where the game stands still, at the time of the last entry.
        """
        game = self.session.document("game")
        if not is_lost(self.record, game["chance"]):
            return
        self._early = True
        for fact in facts:
            remark = fact.remark
            if remark is None or remark.author.robot or remark.kind != "comment":
                continue
            if player_of(self.roster, self.forge, fact.person) not in (game.get("administrators") or ()):
                continue
            for command in commands_in(remark.body):
                identifier = f"{fact.id}/{command.line}"
                gives_up = (command.name, *command.rest.split()[:1]) in (("do", "abandon_epoch"), ("abandon_epoch",))
                if gives_up and not self._known(fact, identifier):
                    self._treat(Stage.GIVEN_UP, fact, identifier, partial(self._command, fact, command, identifier))
        self._early = False

    def _run_clock(self, until: int) -> bool:
        """Fire what is due before a time, one timer after the other: one may open a vote that ballots wait for.

        Returns False, and notes that there is `more` to do, where this run has recorded as much, or has made up for as
        much time in which nothing happened, as one may.
        """
        while self.entries < MOST_A_RUN and self._passed < MOST_TICKS_A_RUN:
            before = self.session.ticks
            fired = guarded(Stage.TICK, partial(self.session.fire_next, until), self._stand_still)
            self._passed += self.session.ticks - before
            if fired is None:
                return True
            self.fired += fired
            self._look_at(fired)
            self._take_waiting()
        self.more = True
        return False

    def _take_waiting(self) -> None:
        """Take the facts that waited, in their order, as long as one of them can be taken."""
        taken = self._looked_at != self.session.head.seq
        while taken and self._waiting:
            waiting, self._waiting = self._waiting, []
            before = self.session.head.seq
            for fact in waiting:
                self._take(fact)
            taken = self.session.head.seq > before
        self._looked_at = self.session.head.seq

    def _take(self, fact: Fact) -> None:
        take = {"content": self._content, "remark": self._remark, "closing": self._closing}[fact.kind]
        self._treat(Stage.FACT, fact, fact.id, partial(take, fact))

    @staticmethod
    def _stand_still(problem: Problem) -> None:
        """Let the whole game stand still whose clock cannot go on: nothing may be judged before what is due."""
        raise ProblemError(problem)

    # -- facts

    def _content(self, fact: Fact) -> None:
        """Take the content of a pull request: the acts in it, then the rule-changes."""
        assert fact.pull is not None
        if commands_of(fact.pull.body):
            self._note(fact, "the description", "void", why=DESCRIBED, id_=f"{fact.id}/description")
        known = self.facts(fact.number, 0).get("facts") or {}
        if any(identifier.partition("/")[0] == fact.id for identifier in known):
            return
        content = self.read(fact.id)
        mine = self._mine(content)
        others = [each.game for each in content.games if each.game != self.record.name]
        if others or (mine is None and not content.problems):
            self._note(fact, "new content", "void", why=self._not_of_here(others), id_=f"{fact.id}/elsewhere")
        if mine is None:
            return
        if fact.push is not None and fact.push.author.id != fact.person.id:
            pusher, owner = (whose(each, self.roster, self.forge) for each in (fact.push.author, fact.person))
            why = f"it was pushed by {pusher}, and the pull request is {owner}'s"
            self._note(fact, "new content", "void", code="E-SIGNATURE", why=why)
            return
        if self._lets_others_go_first(player_of(self.roster, self.forge, fact.person), "propose"):
            return  # all of it: what is recorded of a content is not looked at again
        requests, acts = split_requests(mine, self.session.actions())
        for act in sorted(
            self._so_many(fact, acts), key=lambda act: act.do != "join"
        ):  # who comes in by it may do the rest
            identifier, asked_ = f"{fact.id}/{act.file}", Asked(act.do, dict(act.args), act.as_)
            self._treat(Stage.ACT, fact, identifier, partial(self._act, fact, asked_, identifier, content))
        if acts and not mine.changes and any(self._known(fact, f"{fact.id}/{act.file}") for act in acts):
            self._take_in(fact)
        if mine.changes and not self._known(fact, fact.id):
            self._submit(fact, fact.id, content, mine, requests)

    def _so_many(self, fact: Fact, acts: list[InboxAct]) -> list[InboxAct]:
        """Return as many acts as a pull request may hold, and note that the others are not read."""
        if len(acts) > MOST_ACTS:
            why = f"a pull request may hold {MOST_ACTS} acts: the {len(acts) - MOST_ACTS} after them were not read"
            self._note(fact, "a part of it", "void", code="E-SIZE", why=why, id_=f"{fact.id}/unread")
        return acts[:MOST_ACTS]

    def _not_of_here(self, others: list[str]) -> str:
        """Return why content of other games, or of none, is not judged where a pull request is of this one."""
        if not others:
            return "it changes nothing of this game any more; what was recorded of it before stands"
        here = f"this pull request is one of {self.record.name}"
        return f"it changes {', '.join(others)} too, and {here}: open another pull request for that"

    def _take_in(self, fact: Fact) -> None:
        """Show a pull request of acts alone as merged where one of them was accepted; nothing of it is voted on."""
        own = [v for v in self.verdicts.get(fact.number, ()) if v.fact.startswith(f"{fact.id}/")]
        if any(verdict.state == "recorded" for verdict in own):
            self._adopted[fact.number] = fact.id
            self._commit()

    def _submit(
        self, fact: Fact, identifier: str, content: Content, mine: GameContent, requests: list[Document]
    ) -> None:
        """Take the changes of a pull request in, unless a proposal of it is alive."""
        assert fact.pull is not None
        last = self.proposal_of(fact.number)
        if last is not None and (not last["outcome"] or identifier == fact.id):
            if last["via"].get("digest") != content.digest:
                why = self._why_not_newer(last)
                self._note(fact, "new content", "void", why=why)
            elif identifier != fact.id:
                why = f"it is proposed already, as {last['kind']} {last['number']}"
                self._note(fact, "/propose", "void", why=why, id_=identifier)
            return
        do = self._taking()
        if not do:
            self._note(fact, "rule-changes", "void", code="E-NO-SUCH", why="no rule in force takes in rule-changes")
            return
        with_: Document = {"changes": list(mine.changes)}
        if "title" in (self.session.actions()[do].get("arguments") or {}):
            with_["title"] = fact.pull.title
        self._act(fact, Asked(do, with_ | ({"requests": requests} if requests else {})), identifier, content)

    def _why_not_newer(self, last: Document) -> str:
        """Return what becomes of content that is newer than what was submitted of a pull request."""
        named = f"{last['kind']} {last['number']}"
        if last["outcome"]:
            return f"{named} is {last['outcome']} already; `/propose` proposes this newer content anew"
        final = revising(self.session.actions()) if last["state"] == "pending" else ""
        if final:
            return f"{named} stays as it was submitted until its author says `/do {final}` here, which takes this in"
        return f"{named} is voted on as it was submitted; this newer content is not"

    def _taking(self) -> str:
        """Return the action by which rule-changes are proposed: the first that the rules declare to take some."""
        taking = [
            name
            for name, declared in self.session.actions().items()
            if name not in BEYOND_RULES
            and any(spec.get("type") == "changes" for spec in (declared.get("arguments") or {}).values())
        ]
        return next((name for name in taking if name.startswith(("propose", "submit"))), taking[0] if taking else "")

    def _remark(self, fact: Fact) -> None:
        """Take a review, or the commands of a comment."""
        remark = fact.remark
        assert remark is not None
        if remark.author.robot:
            self._robot(fact, remark)
            return
        if remark.game and remark.game != self.record.founding:
            why = "it is signed for another game"
            self._note(fact, "a letter", "void", code="E-SIGNATURE", why=why)
            return
        if remark.kind != "comment" and not self._known(fact, fact.id):
            self._review(fact, remark)
        if fact.opens and self._state(fact, remark):
            return
        unread = unread_in(remark.body)
        if unread:
            self._note(fact, "part of a comment", "void", code="E-SIZE", why=unread, id_=f"{fact.id}/unread")
        for command in commands_in(remark.body):
            identifier = f"{fact.id}/{command.line}"
            if command.name == "game":
                continue
            if not self._known(fact, identifier):
                self._treat(Stage.ACT, fact, identifier, partial(self._command, fact, command, identifier))
            elif fact.number == 0:  # it was recorded by a run that may have died before it could answer
                self._tell(fact, self.record.entry(self.facts(0, fact.at)["facts"][identifier]), identifier)

    def _robot(self, fact: Fact, remark: Remark) -> None:
        """Say once of each robot that nothing it says counts; to what it chatters nobody answers."""
        if remark.kind != "comment" or any(command.name != "game" for command in commands_in(remark.body)):
            why = "they are a robot, and robots neither vote nor act"
            self._note(fact, "what a robot says", "void", code="E-NOT-PLAYER", why=why, id_=f"robot/{remark.author.id}")

    def _state(self, fact: Fact, remark: Remark) -> bool:
        """Take an issue's own text as the form that it is, or as a statement; False where it holds commands instead."""
        assert fact.issue is not None
        form = read_form(remark.body)
        if form is None and any(command.name != "game" for command in commands_in(remark.body)):
            return False
        if self._known(fact, fact.id):
            return True
        wanted = (
            statement_of(fact.issue.title, remark.body)
            if form is None
            else form_asked(form, fact.issue.title, self.session.actions(), self._taking(), self.session.rules())
        )
        if wanted.flaw:
            self._slip(fact, form.form if form else "state", wanted.flaw)
        elif wanted.do == "vote":
            self._vote(fact, wanted, fact.id)
        else:
            self._act(fact, wanted, fact.id)
        return True

    def _command(self, fact: Fact, command: Command, identifier: str) -> None:
        if command.name == "propose" and "propose" not in self._free_words() and fact.pull is not None:
            if command.rest:
                self._slip(fact, "/propose", PROPOSES, identifier)
            else:
                self._propose_again(fact, identifier)
            return
        if command.name == "ignore" and "ignore" not in self.session.actions():
            self._ignore(fact, command, identifier)
            return
        if command.name in QUESTIONS and command.name not in self.session.actions():
            told = QUESTIONS[command.name](command.rest, self.session)
            self._note(fact, told.what, "told", why=told.why, lines=told.lines, id_=identifier)
            return
        wanted = asked(command, self.session.actions())
        if wanted.flaw:
            self._slip(fact, f"/{command.name}", wanted.flaw, identifier)
        elif not self._known(fact, identifier) and self._came_later(wanted.do, fact.at):
            why = "no rule knew that when it was said; say it again if you mean it"
            self._note(fact, f"/{command.name}", "void", why=why, id_=identifier)
        elif wanted.do == "vote":
            self._vote(fact, wanted, identifier)
        else:
            self._act(fact, *self._with_content(fact, wanted, identifier))

    def _came_later(self, action: str, at: int) -> bool:
        """Say whether an action is offered only since a time (Unix seconds): words said then did not mean it."""
        metas = self.session.document("law").get("rules") or {}
        offering = [rule["uid"] for rule in self.session.rules() if action in (rule.get("actions") or {})]
        return bool(offering) and not any(
            metas[uid]["at"] <= at or self._offered_before(uid, action, at) for uid in offering
        )

    def _offered_before(self, uid: str, action: str, at: int) -> bool:
        """Say whether a rule that was amended since a time offered an action then already."""
        revisions = (self.record.archive(f"history/{uid}") or {}).get("revisions", ())
        return any(each["at"] <= at and action in (each.get("actions") or {}) for each in revisions)

    def _free_words(self) -> tuple[str, ...]:
        """Return the actions without rule-changes: `/propose` means the content of the pull request elsewhere."""
        actions = self.session.actions()
        return tuple(name for name, declared in actions.items() if not _takes_changes(declared))

    def _propose_again(self, fact: Fact, identifier: str) -> None:
        assert fact.pull is not None
        content = self.read(head_at(fact.pull, fact.at).commit)
        mine = self._mine(content)
        if mine is None or not mine.changes:
            self._note(fact, "/propose", "void", why="this pull request changes no rule", id_=identifier)
        elif fact.person.id != fact.pull.author.id:
            self._note(fact, "/propose", "void", why="only the author of a pull request proposes it", id_=identifier)
        elif fact.pull.draft:
            why = "this pull request is a draft: say that it is ready for review, which proposes it"
            self._note(fact, "/propose", "void", why=why, id_=identifier)
        elif not self._came_to_nothing(fact, "/propose", identifier, self.proposal_of(fact.number)):
            self._submit(fact, identifier, content, mine, split_requests(mine, self.session.actions())[0])

    def _with_content(self, fact: Fact, wanted: Asked, identifier: str) -> tuple[Asked, str, Content | None]:
        """Return an act, its fact's id, and the content of its pull request where it takes that along.

        It does where it takes rule-changes, none were given, and the content is not what is proposed already.
        """
        declared = self.session.actions().get(wanted.do) or {}
        wanted = self._about(fact, wanted, declared)
        names = [name for name, spec in (declared.get("arguments") or {}).items() if spec.get("type") == "changes"]
        if not names or fact.pull is None or fact.pull.draft or names[0] in wanted.args:
            return wanted, identifier, None
        if fact.person.id != fact.pull.author.id:
            return wanted, identifier, None
        content = self.read(head_at(fact.pull, fact.at).commit)
        mine, last = self._mine(content), self.proposal_of(fact.number)
        if mine is None or not mine.changes or (last and last["via"].get("digest") == content.digest):
            return wanted, identifier, None
        return Asked(wanted.do, {names[0]: list(mine.changes), **wanted.args}, wanted.as_), identifier, content

    def _about(self, fact: Fact, wanted: Asked, declared: Document) -> Asked:
        """Return an act that is about the proposal of its pull request, where it takes one and names none."""
        proposal = self.proposal_of(fact.number) if fact.pull is not None else None
        spec = (declared.get("arguments") or {}).get("proposal") or {}
        if proposal is None or proposal["outcome"] or spec.get("type") != "proposal" or "proposal" in wanted.args:
            return wanted
        return Asked(wanted.do, {**wanted.args, "proposal": proposal["number"]}, wanted.as_)

    def _closing(self, fact: Fact) -> None:
        """Take a pull request that its author closed as withdrawing, where the rules know withdrawing."""
        proposal = self.proposal_of(fact.number)
        if proposal is None or proposal["outcome"] or self._known(fact, fact.id):
            return
        declared = self.session.actions().get("withdraw")
        if declared is None:
            self._note(fact, "closing", "void", why="the rules know no withdrawing: the proposal stays")
            return
        number = {"proposal": proposal["number"]} if "proposal" in (declared.get("arguments") or {}) else {}
        self._act(fact, Asked("withdraw", number), fact.id)

    # -- ballots


def _takes_changes(declared: Document) -> bool:
    return any(spec.get("type") == "changes" for spec in (declared.get("arguments") or {}).values())
