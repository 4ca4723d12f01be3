"""The token for git: by its environment, for one address only, never in a file or on a command line."""

from __future__ import annotations

from base64 import b64encode


def git_variables(address: str, token: str) -> dict[str, str]:
    """Return the variables by which git sends the token to what lies below an address, and nowhere else.

    >>> git_variables("https://example.org/", "secret")["GIT_CONFIG_KEY_0"]
    'http.https://example.org/.extraHeader'
    """
    secret = b64encode(f"x-access-token:{token}".encode()).decode()
    settings = [
        (f"http.{address}.extraHeader", f"Authorization: Basic {secret}"),
        (f"http.{address}.followRedirects", "false"),
        ("credential.helper", ""),
    ]
    pairs = [
        pair
        for number, (key, value) in enumerate(settings)
        for pair in ((f"GIT_CONFIG_KEY_{number}", key), (f"GIT_CONFIG_VALUE_{number}", value))
    ]
    return {"GIT_CONFIG_COUNT": str(len(settings)), **dict(pairs)}
