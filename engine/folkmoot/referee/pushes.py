"""New content of a pull request whose proposal is undecided: taken as the act that the law makes of it."""

from __future__ import annotations

from folkmoot.core.documents import Proposal
from folkmoot.core.keys import LAW
from folkmoot.core.proposal_numbers import called
from folkmoot.core.records import Review, Taken
from folkmoot.game.status import revising
from folkmoot.kernel.proposing_action import about, argument_for_changes
from folkmoot.referee.acts import Acts
from folkmoot.referee.ballots import Ballots
from folkmoot.referee.commands import Asked
from folkmoot.referee.content import Content, GameContent
from folkmoot.referee.facts import Fact
from folkmoot.referee.pull_request_action import acts_apart, with_changes

OPENED_FOR = (
    "this pull request was opened when the game moved, for who had proposed it: the proposal stays as it is, and only "
    "they withdraw it, by a comment"
)


class Pushes:
    """Asks the law what becomes of pushes (`decide_push`), and has that judged."""

    def __init__(self, acts: Acts, ballots: Ballots) -> None:
        self.acts = acts
        self.ballots = ballots

    def is_opened_for_another(self, fact: Fact) -> bool:
        """Say whether a pull request was opened when the game moved here, by somebody else than who proposes in it."""
        proposal = self.acts.recorder.proposal_at(fact.place)
        if proposal is None or not proposal.get("came"):
            return False
        return self.acts.recorder.player(fact.person) != proposal["author"]

    def not_theirs(self, fact: Fact) -> str:
        """Return why content is not that of whose pull request it is, "" where it is."""
        if self.is_opened_for_another(fact):
            return OPENED_FOR
        if fact.push is None or fact.push.author.id == fact.person.id:
            return ""
        pusher, owner = (self.acts.recorder.named(each) for each in (fact.push.author, fact.person))
        return f"it was pushed by {pusher}, and the pull request is {owner}'s"

    def take(self, fact: Fact, last: Proposal, content: Content, mine: GameContent) -> None:
        """Take new content as the law takes it; where that says nothing, the proposal stays as it was submitted."""
        answer = self._answer(fact, last, mine)
        if answer is None:
            self.acts.recorder.note(fact, "new content", "void", why=self._why_not_newer(last))
        elif "do" in answer:
            self.acts.act(fact, self._asked(answer, last, fact, mine), fact.id, content)
        else:
            code, rule = answer.get("code", "E-ARGS"), answer.get("rule")
            self.acts.recorder.note(fact, "new content", "void", code=code, why=answer["why"], rule=rule)

    def _answer(self, fact: Fact, last: Proposal, mine: GameContent) -> Review | None:
        """Return what the law makes of a push; None where it says nothing, or something newer was taken already.

        A rule that is as it is only since the push was made was not what it meant.
        """
        session, since = self.acts.recorder.session, last["via"].get("revised", last["submitted_at"])
        if last["outcome"] or fact.at < since or not self.ballots.recorder.session.decides("push"):
            return None
        answer = session.read_push(str(last["id"]), list(mine.changes))
        if answer is not None and "rule" in answer and session.kept(LAW)["rules"][answer["rule"]]["at"] > fact.at:
            return None
        return answer

    def _why_not_newer(self, last: Proposal) -> str:
        """Return what becomes of content that is newer than what was submitted of a pull request."""
        named = called(last)
        if last["outcome"]:
            return f"{named} is {last['outcome']} already; `/propose` proposes this newer content anew"
        final = revising(self.acts.recorder.session.actions()) if last["state"] == "pending" else ""
        if final:
            return f"{named} stays as it was submitted until its author says `/do {final}` here, which takes this in"
        return f"{named} is voted on as it was submitted; this newer content is not"

    def _asked(self, answer: Review, last: Proposal, fact: Fact, mine: GameContent) -> Asked:
        """Return the act that an answer names, with the content and what it is of as arguments, where it takes such."""
        assert fact.pull is not None
        actions = self.acts.recorder.session.actions()
        given = about(actions.get(answer["do"]) or {}, last)
        act: Taken = {"do": answer["do"], "args": {**given, **answer["args"]}}
        if argument_for_changes(actions[act["do"]]):
            act = with_changes(act, actions, fact.pull.title, mine.changes, acts_apart(mine, actions)[0])
        return Asked(act["do"], act["args"], answer["as"], review={"rule": answer["rule"]})
