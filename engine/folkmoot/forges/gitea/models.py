"""What only the answers of Forgejo and Gitea hold; what all forges' do is in `folkmoot.forges.web.models`.

All that a server may leave out has a default: its age is known by what it says.
"""

from __future__ import annotations

import msgspec

from folkmoot.forges.vocabulary import Person
from folkmoot.forges.web.models import GHOST, Comment, Issue, Label, PullRequest, Ref, Review, User

ACTIONS = -2
"""The account that writes with the token of a workflow."""
_NOBODY = (0, -1)  # the accounts that stand for whoever has deleted theirs
_PREFIXES = ("WIP:", "[WIP]")


class HeadRepository(msgspec.Struct):
    """The repository that a head lies in, and when it was last pushed to or changed otherwise."""

    updated_at: str | None = None


class GiteaRef(Ref):
    """A branch; the repository is missing where the fork has vanished."""

    repo: HeadRepository | None = None


class GiteaPull(PullRequest, kw_only=True):
    """A pull request; `comments` says how many there are of them."""

    head: GiteaRef
    comments: int = 0
    locked: bool = msgspec.field(name="is_locked", default=False)

    @property
    def is_draft(self) -> bool:
        """Say whether it is unfinished: older servers say so by its title alone."""
        return self.draft or self.title.upper().startswith(_PREFIXES)


class GiteaReview(Review, kw_only=True):
    """A review; one that was dismissed keeps its state."""

    dismissed: bool = False
    html_url: str = ""
    comments_count: int = 0


class GiteaComment(Comment, kw_only=True):
    """A comment; one on a pull request names no issue, one brought from another forge its author there."""

    pull_request_url: str | None = ""
    original_author: str | None = ""

    @property
    def place(self) -> str:
        """Return the address of what it is a comment of."""
        return self.issue_url or self.pull_request_url or ""


class GiteaIssue(Issue, kw_only=True):
    """An issue, or a pull request as one; one that was brought from another forge names its author there."""

    locked: bool = msgspec.field(name="is_locked", default=False)
    original_author: str | None = ""


class Happening(msgspec.Struct):
    """Something in the timeline of an issue or a pull request, a comment among others."""

    id: int
    type: str
    created_at: str
    updated_at: str
    body: str | None = ""
    user: User | None = None
    review_id: int | None = 0
    label: Label | None = None


class Pushed(msgspec.Struct):
    """What the timeline says of a push: its commits, or for a forced one the heads before and after."""

    is_force_push: bool = False
    commit_ids: list[str] | None = None


class GiteaStatus(msgspec.Struct):
    """What is shown beside a commit."""

    status: str
    context: str
    description: str | None = None


class Accounts(msgspec.Struct):
    """Accounts that were searched for."""

    data: list[User] | None = None


class Version(msgspec.Struct):
    """Which server it is."""

    version: str


class Limits(msgspec.Struct):
    """How much the server answers with at once."""

    max_response_items: int = 0


class Repository(msgspec.Struct):
    """How a repository is set up; what a server does not tell is None."""

    has_pull_requests: bool | None = None
    autodetect_manual_merge: bool | None = None


def person(user: User | None) -> Person:
    """Return whom an account belongs to.

    >>> person(User(id=7, login="ann")).id, person(User(id=-2, login="forgejo-actions")).robot
    ('7', True)
    >>> person(User(id=-1, login="Ghost")) == person(None) == GHOST
    True
    """
    if user is None or user.id in _NOBODY:
        return GHOST
    return Person(id=str(user.id), handle=user.login, robot=user.id == ACTIONS)


def head_of(push: Happening, head: str) -> bool:
    """Say whether a push brought a head."""
    try:
        said = msgspec.json.decode(push.body or "{}", type=Pushed)
    except msgspec.DecodeError:
        return False
    commits = said.commit_ids or []
    return head in (commits[-1:] if said.is_force_push else commits)
