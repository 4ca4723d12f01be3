"""The SSH keys that somebody shows on a forge: `SERVER/NAME.keys`, as GitHub, Forgejo and Gitea have them."""

from __future__ import annotations

import re

import httpx

from folkmoot.core.problems import ProblemError, fail

LARGEST = 200_000  # bytes of a list
SECONDS = 20.0
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
_LOCAL = ("127.0.0.1", "localhost", "::1")


def key_list(server: str, name: str, transport: httpx.BaseTransport | None = None) -> str:
    """Return the list of somebody's keys as the forge shows it to everybody; no token is sent.

    Raises E-ARGS for what is no name of an account, E-FORGE where the list cannot be had.
    """
    if not _NAME.fullmatch(name):
        raise fail("E-ARGS", "this is no name of an account on a forge")
    address = httpx.URL(f"{server.rstrip('/')}/{name}.keys")
    if address.scheme != "https" and address.host not in _LOCAL:
        raise _failed("it is not reached by https")
    try:
        return _fetched(address, transport)
    except httpx.HTTPError as error:
        raise _failed(type(error).__name__) from None


def _fetched(address: httpx.URL, transport: httpx.BaseTransport | None) -> str:
    client = httpx.Client(transport=transport, timeout=SECONDS, follow_redirects=False, trust_env=transport is None)
    with client, client.stream("GET", address, headers={"User-Agent": "folkmoot"}) as response:
        if response.status_code != httpx.codes.OK:
            raise _failed(f"it answers {response.status_code}")
        data = b""
        for part in response.iter_bytes():
            data += part
            if len(data) > LARGEST:
                raise _failed("it is too long")
    return data.decode("utf-8", "replace")


def _failed(why: str) -> ProblemError:
    hint = "is the name right? A key can be given from a file: `moot key --sealing --from-ssh FILE`"
    return fail("E-FORGE", f"the list of keys cannot be had from the forge: {why}", None, hint)
