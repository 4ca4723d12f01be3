"""`moot begin`: open the game of a repository that was made from a template."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from folkmoot.cli.check import refuse_broken
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forges import client_of, place_of
from folkmoot.cli.founding import check_name, found, founding
from folkmoot.cli.games import require_work_tree, root_of
from folkmoot.cli.init import checked_place, identify, people_on, prepare_files, settled_there
from folkmoot.cli.options import pairs_of
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.tokens import take_token
from folkmoot.core.clone_files import read_text, write_whole
from folkmoot.core.packaged import CONFIG
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.sealed_data import needs_keeper
from folkmoot.files.named_files import append_text
from folkmoot.forges.git_transport import RENEW, Git
from folkmoot.forges.web.client import Client, RefusedError
from folkmoot.forges.web.credentials import git_variables
from folkmoot.forges.workflows import BEGIN, JOBS, README, beginning
from folkmoot.game.rulesets import founding_named
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import STATE
from folkmoot.ops.doctor.forge import Asking, Unseen, thread_number
from folkmoot.ops.doctor.place import Place
from folkmoot.ops.doctor.repository_files import AUTHOR, begun_page, configured
from folkmoot.referee.recorder import COMMITTER

SECRET = re.compile(r"[A-Z][A-Z0-9_]{0,99}")
SECRETS = {"github": "settings/secrets/actions", "gitea": "settings/actions/secrets"}
"""Where the secrets of a repository stand on each kind of forge, below its home."""
SEALS = (
    "This game seals things, such as what only one may see: store what `moot key --keeper --print` prints in a clone "
    "as the secret FOLKMOOT_SEALING, and name the key in the game, as it says."
)


def run_begin(terminal: Terminal, /, game: str, kind: str, home: str, summary: Path | None, **given: Any) -> int:
    """Open the game of a repository made from a template."""
    check_name(game)
    given["settings"] = pairs_of(given["settings"].split(), "A setting")
    if given["forget"] and SECRET.fullmatch(given["forget"]) is None:
        raise click.UsageError(f"{given['forget']!r} names no secret.")
    require_work_tree(root_of(terminal))
    refuse_broken(terminal, given["ruleset"], Path())
    place = checked_place(place_of(terminal, home, kind, home))
    secret = given["forget"] or "FOLKMOOT_TOKEN"
    try:
        lines, done = _begin(terminal, place, game, secret, given)
    except ProblemError as error:
        problems = [_of_token(error, each, place, secret) for each in error.problems]
        told = (f"{each.message}{f': {each.hint}' if each.hint else ''}." for each in problems)
        _summarise(summary, ["Nothing has begun yet.", *told])
        raise ProblemError(*problems) from None
    for line in lines:
        terminal.say(line)
    _summarise(summary, lines)
    return Exit.OK if done else Exit.PROBLEMS


def _begin(
    terminal: Terminal, place: Place, game: str, secret: str, given: Mapping[str, Any]
) -> tuple[list[str], bool]:
    """Do all that is not done yet; return what there is to say then, and whether nothing is left to do."""
    token = take_token(place.kind, place.host)
    if not token:
        hint = f"store one as the secret {secret} of {place.home}; README.md says how"
        raise fail("E-FORGE", "no token is given", None, hint)
    _refuse_another(place, game)
    with client_of(place, token) as client, ExitStack() as stack:
        assert client is not None
        if given["forget"]:  # whatever comes of it: a token that may do so much stays nowhere
            stack.callback(_forget, terminal, Asking(client, place), given["forget"])
        if not place.games:
            _found(place, client, game, given)
        place = place_of(terminal, place.home, place.kind, place.home)
        asking = Asking(client, place)
        left = settled_there(terminal, asking, place, apply=True, yes=True)
        unseen = list(dict.fromkeys(asking.unseen))
        undone = [f"Not done: {each['what']}: {each['why']}." for each in left if each["state"] == "failed"]
        undone += [f"The token may not see {each}." for each in unseen]
        if not undone:
            _take_away_beginning(place)
        _push(place, token)
        thread = None
        with suppress(ProblemError, Unseen):
            thread = thread_number(Asking(client, place))  # the other one knows of none from before
    terminal.record({"game": game, "home": place.home, "settings": left, "unseen": unseen})
    site, folder = _site(place), GameFolder(place.root / STATE / game)
    lines = [f"{game} has begun at {place.home}.", *([f"Its site will stand at {site}"] if site else []), *undone]
    if needs_keeper({**part} for name, part in folder.load().items() if name.startswith("rules/")):
        lines.append(SEALS)
    if undone:
        lines.append("Next: make a token with the rights that README.md names, store it, and run begin again.")
    where = f"{place.home}/issues" + (f"/{thread}" if thread else "")
    return [*lines, f"Whoever wants to play says /join in the game's thread: {where}"], not undone


def _of_token(error: ProblemError, problem: Problem, place: Place, secret: str) -> Problem:
    """Return a problem, said of the secret that holds the token where it is one of that."""
    status = error.status if isinstance(error, RefusedError) else 0
    stored = f"the token that is stored as {secret}"
    again = f"store it at {place.home}/{SECRETS[place.kind]}, and run begin again"
    if status == 403:
        return replace(problem, message=f"{stored} may not do that on the forge",
                       hint=f"make one with the rights that README.md names, {again}")  # fmt: skip
    if status != 401 and RENEW not in problem.hint:
        return problem
    return replace(problem, message=f"the forge does not accept {stored}",
                   hint=f"it may be mistyped, or have expired: make another as README.md says, {again}")  # fmt: skip


def _summarise(file: Path | None, lines: Sequence[str]) -> None:
    if file is not None:
        append_text(file, "".join(f"{line}\n\n" for line in ("### Begin", *lines)))


def _refuse_another(place: Place, game: str) -> None:
    """Raise E-DUP where another game has begun here, E-GIT where there is no repository."""
    if place.repo is None:
        raise fail("E-GIT", f"{place.root} is no git repository", None, "run it in a clone of the template")
    other = next((each.name for each in place.games if each.name != game), None)
    if other is not None:
        raise fail("E-DUP", f"{other} has begun here already", None, "`moot new` founds another game beside it")


def _found(place: Place, client: Client, game: str, given: Mapping[str, Any]) -> None:
    """Found the game with its people, and commit it with the files that it needs."""
    logins: dict[str, str] = {}  # each by the id of a player made of it
    for login in (given["founder"], *given["players"].replace(",", " ").split()):
        plain = re.sub(r"[^a-z0-9_-]", "-", login.removeprefix("@").lower())
        logins.setdefault(plain if plain[:1].isalpha() else f"p{plain}", login.removeprefix("@"))
    people = people_on(client, [f"{player[:39]}={login}" for player, login in logins.items()])
    opening = founding_named(given["ruleset"], Path())
    law = founding(game, opening, list(people), settings=given["settings"], administrators=[next(iter(people))])
    law["forge"] = {"kind": place.kind, "home": place.home}

    def follow(session: Session, by: str) -> None:
        identify(session, by, place.kind, people, session.at)

    folder = found(place.root, game, law, int(time.time()), follow)
    written = prepare_files(place, None)
    page = place.root / README
    if read_text(page, errors="replace") == beginning(place.kind)[README]:  # the template's still
        write_whole(page, begun_page(place.home, law["title"], _site(place)).encode())
        written.append(README)
    folder.commit(f"Found the game {game}", COMMITTER, beside=[place.root / name for name in written])


def _site(place: Place) -> str:
    return configured(read_text(place.root / CONFIG, errors="replace") or "").get("site_url", "")


def _take_away_beginning(place: Place) -> None:
    """Commit that the workflow which begins games is gone: nothing asks for such a token any more."""
    names = [f"{folder}/{BEGIN}" for folder in JOBS if (place.root / folder / BEGIN).exists()]
    if names:
        Git(place.root).ask(["rm", "--quiet", "--", *names])
        Git(place.root).ask([*AUTHOR, "commit", "--quiet", "--message", "The game has begun", "--", *names])


def _push(place: Place, token: str) -> None:
    """Push the branch to the forge; raises E-FORGE where it is not taken."""
    git = Git(place.root, variables=git_variables(f"{place.host}/", token))
    git.ask(["push", "--quiet", "--", f"{place.home}.git", f"HEAD:refs/heads/{place.branch}"])
    origin = next((str(each.url) for each in place.repo.remotes if each.name == "origin"), "") if place.repo else ""
    if origin.removesuffix(".git") == place.home:  # so that nobody takes it for not pushed, as after a push by name
        git.ask(["update-ref", f"refs/remotes/origin/{place.branch}", "HEAD"])


def _forget(terminal: Terminal, asking: Asking, secret: str) -> None:
    """Delete a secret of the repository that nothing needs any more; say so where that fails, and go on."""
    try:
        asking.client.write("DELETE", f"{asking.at}/actions/secrets/{secret}", None)
    except ProblemError as error:
        terminal.note(f"The secret {secret} is still there: {error.problems[0].message}. Delete it in the settings.")
