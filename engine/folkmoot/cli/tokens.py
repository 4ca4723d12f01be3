"""The token for a server: from the environment, else from GitHub's own program; never printed, never kept."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from urllib.parse import urlsplit

from folkmoot.core.problems import fail
from folkmoot.forges.web.credentials import server_of, variable_of
from folkmoot.game.secret_store import hide_from_others, is_token_variable

GITHUB = "https://github.com"
_OF_GITHUB = ("GITHUB_TOKEN", "GH_TOKEN")
_OF_JOB = ("FOLKMOOT_TOKEN", *_OF_GITHUB)
_TOKEN = re.compile(r"[!-~]*")
PATIENCE = 10  # seconds that another program may take to answer


def take_token(kind: str, server: str) -> str:
    """Return the token for a server, "" if none, and take all out of the environment of what is started from now on.

    Where no variable holds one for it, GitHub's `gh` is asked for the token of its login at this very server.
    """
    return token_for(server, take_variables()) or _logged_in(kind, server)


def players_token(kind: str, server: str) -> str:
    """Return the token by which a player says something at a server, "" if none; the environment stays as it is."""
    return token_for(server, os.environ) or _logged_in(kind, server)


def take_variables() -> dict[str, str]:
    """Return the environment, and leave in it none of the variables that may hold a token."""
    found = dict(os.environ)
    for name in filter(is_token_variable, found):
        del os.environ[name]
    return found


def token_for(server: str, variables: Mapping[str, str]) -> str:
    """Return the token that an environment holds for a server, "" for none: this alone decides where a token goes.

    That is the one whose variable names the server. In a job it is also the job's, at the server that runs the job;
    elsewhere GitHub's own variables serve github.com. Raises E-FORGE for what no token can be, shown to nobody.
    """
    place, job = server_of(server), variables.get("GITHUB_SERVER_URL", "")
    if not place:
        return ""
    home, others = (server_of(job), _OF_JOB) if job else (GITHUB, _OF_GITHUB)
    for name in (variable_of(place), *(others if place == home else ())):
        token = variables.get(name, "").strip()  # blanks and line breaks came along when it was copied
        if token and _TOKEN.fullmatch(token) is None:
            message = f"the token in {name} holds signs that no token has, such as a blank or a line break"
            hint = "copy it once more, whole and alone (in jobs: into the secret that the workflow hands on as this)"
            raise fail("E-FORGE", message, None, hint)
        if token:
            return token
    return ""


def _logged_in(kind: str, server: str) -> str:
    """Return the token with which somebody is logged in at a server by `gh`, "" where nobody is."""
    program, place = shutil.which("gh"), urlsplit(server_of(server))
    if kind != "github" or program is None or place.scheme != "https" or place.path:
        return ""
    words = [program, "auth", "token", "--hostname", place.netloc]
    try:
        said = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=True
        ).stdout.split()
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    if len(said) != 1:
        return ""
    hide_from_others()
    return said[0]
