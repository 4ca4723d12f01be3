"""The token for a forge: from the environment, else from the forge's own program; never printed, never kept."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.settings_folder import settings_folder
from folkmoot.files.fast_reader import load_yaml
from folkmoot.game.process_hardening import TOKENS, hide_from_others

TOKENS_OF = {
    "github": ("FOLKMOOT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"),
    "gitea": ("FOLKMOOT_TOKEN", "FORGEJO_TOKEN", "GITEA_TOKEN"),
}
"""The variables in which a token for a kind of forge is looked for, in this order."""
HINTS = {
    "github": "log in with `gh auth login`, or give a token in FOLKMOOT_TOKEN",
    "gitea": "log in with `tea login add`, or give a token in FOLKMOOT_TOKEN",
}
"""How somebody gives a token for a kind of forge."""
FOR_OLD = "FOLKMOOT_OLD_TOKEN"
"""The variable with the token for a forge that a game leaves."""
_TOKEN = re.compile(r"[!-~]*")
PATIENCE = 10  # seconds that another program may take to answer


def take_token(kind: str, home: str) -> str:
    """Return the token for a forge, "" if none, and take all out of the environment of what is started from now on.

    A job on Forgejo or Gitea finds its token where one on GitHub does; anywhere else that is a token for GitHub, which
    another forge must not get. Where no variable holds one, the program of the forge is asked for the token of its
    login at this very host: GitHub's `gh`, or the settings of `tea`.
    """
    names = TOKENS_OF.get(kind, TOKENS[:1])
    if kind == "gitea" and home and os.environ.get("GITHUB_SERVER_URL", "").rstrip("/") == home:
        names = (*names, "GITHUB_TOKEN")
    found = {name: os.environ.pop(name, "") for name in TOKENS}
    return first_token(found, names) or _logged_in(kind, home)


def take_tokens(new: tuple[str, str], old: tuple[str, str]) -> tuple[str, str]:
    """Return the tokens for the two forges, each by kind and home, between which games move, "" for none.

    That for the old one is in FOLKMOOT_OLD_TOKEN, or in a variable that only forges of its kind read.
    """
    found = {name: os.environ.pop(name, "") for name in TOKENS}
    mine = TOKENS_OF.get(new[0], ())
    own = [name for name in TOKENS_OF.get(old[0], ()) if name not in mine]
    return first_token(found, mine) or _logged_in(*new), first_token(found, (FOR_OLD, *own)) or _logged_in(*old)


def first_token(variables: Mapping[str, str], names: Iterable[str]) -> str:
    """Return the token in the first of some variables that holds one, "" where none does.

    Blanks and line breaks around it came along when it was copied. Raises E-FORGE for what no token can be, shown to
    nobody.
    """
    for name in names:
        token = variables.get(name, "").strip()
        if token and _TOKEN.fullmatch(token) is None:
            message = f"the token in {name} holds signs that no token has, such as a blank or a line break"
            hint = "copy it once more, whole and alone (in jobs: into the secret that the workflow hands on as this)"
            raise fail("E-FORGE", message, None, hint)
        if token:
            return token
    return ""


def _logged_in(kind: str, home: str) -> str:
    """Return the token with which somebody is logged in at a host, "" where nobody is."""
    token = {"github": _of_gh, "gitea": _of_tea}[kind](home) if home and kind in TOKENS_OF else ""
    if token:
        hide_from_others()
    return token


def _of_gh(home: str) -> str:
    """Return what `gh auth token` says of a host."""
    program, place = shutil.which("gh"), urlsplit(home)
    if program is None or place.scheme != "https":
        return ""
    words = [program, "auth", "token", "--hostname", place.netloc]
    try:
        said = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=True
        ).stdout.split()
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return said[0] if len(said) == 1 else ""


def _of_tea(home: str) -> str:
    """Return the token of the login of `tea` at a forge, "" where there is none."""
    here = (str(each["token"]) for each in _logins() if str(each.get("url", "")).rstrip("/") == home)
    return next(filter(None, here), "")


def _logins() -> Iterator[Mapping[str, Any]]:
    file = settings_folder() / "tea" / "config.yml"
    try:
        found = load_yaml(file.read_text("utf-8"), file.name)
    except (OSError, UnicodeDecodeError, ProblemError):
        return
    logins = found.get("logins") if isinstance(found, Mapping) else None
    known = logins if isinstance(logins, list) else ()
    yield from (each for each in known if isinstance(each, Mapping) and each.get("token"))
