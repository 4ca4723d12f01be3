"""What only GitHub's answers hold; what all forges' do is in `folkmoot.forges.web.models`."""

from __future__ import annotations

import msgspec

from folkmoot.forges.vocabulary import Person
from folkmoot.forges.web.models import GHOST, Label, User

_GHOST = 10137  # the account that github.com shows for whoever has deleted theirs


class Dismissed(msgspec.Struct):
    """What a dismissed review said before."""

    state: str
    review_id: int


class Event(msgspec.Struct):
    """Something in the timeline of a pull request; each kind has fields of its own."""

    event: str = ""
    actor: User | None = None
    created_at: str | None = None
    commit_id: str | None = None
    dismissed_review: Dismissed | None = None
    label: Label | None = None


class Run(msgspec.Struct):
    """A run of a workflow."""

    head_sha: str
    created_at: str


class Runs(msgspec.Struct):
    """Some runs of workflows."""

    workflow_runs: list[Run]


def person(user: User | None) -> Person:
    """Return whom an account belongs to.

    >>> person(User(id=7, login="ann")).id, person(User(id=9, login="ci[bot]", type="Bot")).robot, person(None).handle
    ('7', True, 'ghost')
    """
    if user is None or user.id == _GHOST:
        return GHOST
    return Person(id=str(user.id), handle=user.login, robot=user.type != "User")
