"""The examination: every check in turn, none of which can spoil another, and the steps that mend what they find."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from folkmoot.core.game_location import KINDS
from folkmoot.core.problems import ProblemError
from folkmoot.forges.web.credentials import how_to_give
from folkmoot.ops.doctor import gitea, github
from folkmoot.ops.doctor.findings import Finding, Findings, Step, listed
from folkmoot.ops.doctor.forge import Asking, Unseen, access
from folkmoot.ops.doctor.local import FOR_A_FORGE, LOCAL
from folkmoot.ops.doctor.place import Place

CHECKS = {"github": github.GITHUB, "gitea": gitea.GITEA}
SETTLED = {"github": github.SETTLED, "gitea": gitea.SETTLED}


def examine_here(place: Place) -> Iterator[Finding]:
    """Yield what is found on this machine."""
    for check in (*LOCAL, *(FOR_A_FORGE if place.kind in KINDS else ())):
        yield from check(place)


def examine_there(asking: Asking | None, *, token: bool) -> Iterator[Finding]:
    """Yield what is found on the forge with a token; `asking` is None where the remote leads to none with an API."""
    if asking is None or asking.place.kind not in KINDS:
        return
    if not token:
        mend = f"as an administrator of the repository, {how_to_give(asking.place.kind, asking.place.host)}"
        yield Finding("token", "warning", "without a token nothing is known of the forge's settings", mend)
        return
    reached = list(_guarded(access(asking), "access"))
    yield from reached
    if any(finding.state in ("error", "unknown") for finding in reached):
        return
    for check in CHECKS[asking.place.kind]:
        yield from _guarded(check(asking), "unseen")
    if asking.unseen:
        said = f"the token may not see {listed(dict.fromkeys(asking.unseen), most=20)}"
        yield Finding("unseen", "unknown", said, "use a token of an administrator of the repository")


def _guarded(findings: Findings, code: str) -> Iterator[Finding]:
    """Yield what a check finds; where the forge fails, that, and nothing of the other checks is lost."""
    try:
        yield from findings
    except ProblemError as error:
        problem = error.problems[0]
        yield Finding(code, "unknown", f"not looked at: {problem.message}", problem.hint or "run it again")
    except Unseen:
        return
    except (KeyError, TypeError, ValueError, AttributeError):
        said = "the forge answered something that is not understood"
        yield Finding(code, "unknown", said, "update Folkmoot, or report it")


def steps(asking: Asking) -> Iterator[tuple[str, Step]]:
    """Yield what can be put right on the forge, each as a step with the code of its finding."""
    for check in SETTLED[asking.place.kind]:
        with suppress(Unseen):
            for finding in check(asking):
                yield from ((finding.code, step) for step in finding.steps)
