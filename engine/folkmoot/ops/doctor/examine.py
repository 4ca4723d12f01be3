"""The examination: every check in turn, none of which can spoil another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from folkmoot.core.game_location import KINDS
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Shown
from folkmoot.forges.web.credentials import how_to_give
from folkmoot.ops.doctor.findings import Finding, Findings, fine, listed, unknown, warning
from folkmoot.ops.doctor.forge_checks import Asking, Check, Unseen, access, clock
from folkmoot.ops.doctor.gitea import GITEA
from folkmoot.ops.doctor.github import GITHUB
from folkmoot.ops.doctor.local import LOCAL
from folkmoot.ops.doctor.place import Place

CHECKS: Mapping[str, tuple[Check, ...]] = {"github": GITHUB, "gitea": GITEA}


def examine_here(place: Place) -> Iterator[Finding]:
    """Yield what is found on this machine."""
    for check in LOCAL:
        yield from check(place)


def examine_there(asking: Asking | None, place: Place, now: int, *, token: bool) -> Iterator[Finding]:
    """Yield what is found on the forge: the clock, and with a token all settings.

    `asking` is None where the remote leads to no forge with an API; `now` is this machine's time (Unix seconds).
    """
    if place.kind not in KINDS or asking is None:
        return
    yield from _guarded(clock(asking, place, now), "clock")
    if not token:
        mend = f"as an administrator of the repository, {how_to_give(place.kind, place.host)}"
        yield warning("token", "without a token nothing is known of the forge's settings", mend)
        return
    reached = list(_guarded(access(asking, place, now), "access"))
    yield from reached
    if any(finding.state in ("error", "unknown") for finding in reached):
        return
    for check in CHECKS[place.kind]:
        yield from _guarded(check(asking, place, now), "unseen")
    if asking.unasked:
        said = f"this version of the forge cannot be asked for {listed(dict.fromkeys(asking.unasked), most=20)}"
        yield fine("unasked", f"{said}: look there yourself")
    if asking.unseen:
        said = f"the token may not see {listed(dict.fromkeys(asking.unseen), most=20)}"
        yield unknown("unseen", said, "use a token of an administrator of the repository")


def _guarded(findings: Findings, code: str) -> Iterator[Finding]:
    """Yield what a check finds; where the forge fails, that, and nothing of the other checks is lost."""
    try:
        yield from findings
    except ProblemError as error:
        problem = error.problems[0]
        yield unknown(code, f"not looked at: {problem.message}", problem.hint or "run it again")
    except Unseen:
        return
    except (KeyError, TypeError, ValueError, AttributeError):
        yield unknown(code, "the forge answered something that is not understood", "update Folkmoot, or report it")


def gravest(findings: Iterable[Finding]) -> str:
    """Return the gravest state among findings."""
    order = ("error", "unknown", "warning", "ok")
    return min((finding.state for finding in findings), key=order.index, default="ok")


def report(findings: Iterable[Finding]) -> Shown:
    """Return findings for programs, with how many there are of each state."""
    found = list(findings)
    counts = {state: sum(each.state == state for each in found) for state in ("ok", "warning", "error", "unknown")}
    return {"state": gravest(found), "counts": counts, "findings": [each.record() for each in found]}
