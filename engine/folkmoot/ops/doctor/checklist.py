"""What an administrator checks on the forge with their own eyes, where no token does it."""

from __future__ import annotations

from dataclasses import dataclass

from folkmoot.ops.doctor.place import Place


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to check: the code of its finding, what it is, and where it is set."""

    code: str
    what: str
    where: str


def checklist(place: Place) -> list[Item]:
    """Return what is to be checked on the forge of a place, in the order in which it is set up."""
    settings = f"{place.home}/settings"
    if place.kind == "gitea":
        return [
            Item("merging", "Pull requests, manual merges and their detection are switched on", settings),
            Item("actions", "Actions are switched on, and a runner is there", f"{settings}/actions/runners"),
            Item("label", "There is a label `game`", f"{place.home}/labels"),
            Item("thread", "An issue with the label `game` is the game's thread", f"{place.home}/issues"),
            Item("unprotected", f"{place.branch} is protected: no force push; who may write may push",
                 f"{settings}/branches"),
            Item("secret", "`moot secret` is stored as FOLKMOOT_CHANCE", f"{settings}/actions/secrets"),
            Item("job-token", "A token of the referee's own account, which may write here, is stored as FOLKMOOT_TOKEN",
                 f"{settings}/actions/secrets"),
        ]  # fmt: skip
    return [
        Item("issues", "Issues are switched on", settings),
        Item("label", "There is a label `game`", f"{place.home}/labels"),
        Item("thread", "An issue with the label `game` is the game's thread", f"{place.home}/issues"),
        Item("actions", "Actions may run those made by GitHub, and may only read by default", f"{settings}/actions"),
        Item("approval", "Only first-time contributors' runs wait for approval", f"{settings}/actions"),
        Item("environment", f"An environment `referee` is restricted to the branch {place.branch}",
             f"{settings}/environments"),
        Item("secret", "`moot secret` is stored as FOLKMOOT_CHANCE in that environment", f"{settings}/environments"),
        Item("pages", "Pages come from GitHub Actions", f"{settings}/pages"),
        Item("unprotected", f"A ruleset forbids to force-push {place.branch} or delete it", f"{settings}/rules"),
        Item("rules", "No rule demands pull requests or status checks there: the built-in bot cannot bypass rules; a "
             "GitHub App can, or an account of its own, whose token is FOLKMOOT_TOKEN in that environment",
             f"{settings}/rules"),
        Item("writers", "Players have no write access; pull requests from forks are enough", f"{settings}/access"),
    ]  # fmt: skip
