"""Which server an address names, which variable holds a token for it, and how git gets that for this server alone.

Remotes and settings of a clone are a stranger's words. So a token has a name that says where it goes, and goes to that
very server: scheme, host, port and path are compared, in one form.
"""

from __future__ import annotations

import re
from base64 import b64encode

_LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_PART = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_SERVER = re.compile(
    rf"(?P<scheme>https?)://(?P<host>{_LABEL}(?:\.{_LABEL})*|\[::1\])(?::(?P<port>[0-9]{{1,5}}))?(?P<path>(?:/{_PART})*)/?"
)
_IPV4 = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")  # the hosts, all of them this machine, that are reached by plain HTTP
_PORTS = {"https": "443", "http": "80"}
_IN_NAMES = {".": "_", ":": "_", "-": "__", "/": "___"}


def server_of(address: str) -> str:
    """Return an address of a server in the one form in which such are compared, "" where no token may go there.

    None goes over plain HTTP but to this machine, nor to an address with a user's name, a final dot or foreign letters.

    >>> server_of("HTTPS://GitHub.com:443/"), server_of("https://git.example:3000/below")
    ('https://github.com', 'https://git.example:3000/below')
    >>> [server_of(each) for each in ("http://github.com", "https://github.com.", "https://github.com@evil.example")]
    ['', '', '']
    """
    scheme, mark, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    found = _SERVER.fullmatch(f"{scheme}{mark}{host}".lower() + slash + path)
    if found is None or (found["scheme"] == "http" and found["host"] not in LOOPBACK):
        return ""
    if found["host"].rpartition(".")[2].isdecimal() and not _IPV4.fullmatch(found["host"]):
        return ""
    port = "" if found["port"] in (None, _PORTS[found["scheme"]]) else f":{int(found['port'])}"
    return f"{found['scheme']}://{found['host']}{port}{found['path']}"


def variable_of(server: str) -> str:
    """Return the variable that holds a token for a server (as `server_of` writes it), "" where none can name it.

    >>> variable_of("https://code-berg.example:3000"), variable_of("http://127.0.0.1:3000/git")
    ('FOLKMOOT_TOKEN_CODE__BERG_EXAMPLE_3000', 'FOLKMOOT_TOKEN_HTTP_127_0_0_1_3000___GIT')
    """
    scheme, _, place = server.partition("://")
    if not place or "[" in place or re.search(r"[A-Z_]|/.*\.", place):  # which would be the name of another, too
        return ""
    name = "".join(_IN_NAMES.get(each, each) for each in place).upper()
    return f"FOLKMOOT_TOKEN_{'HTTP_' if scheme == 'http' else ''}{name}"


def how_to_give(kind: str, server: str) -> str:
    """Return what somebody does who wants to give a token for a server of some kind."""
    place = server_of(server)
    if not place:
        return "no token goes there: name the server by https:// and its plain name"
    variable = variable_of(place)
    login = "log in with `gh auth login`" if kind == "github" else ""
    given = f"give a token in {variable}" if variable else ""
    return ", or ".join(filter(None, (login, given))) or "no variable can name that server: give it a plainer address"


def credentials(remote: str, home: str, token: str) -> dict[str, str]:
    """Return the variables by which git gets the token at a remote: for what lies at a forge, and nowhere else.

    >>> credentials("https://example.org/ann/game", "https://codeberg.org", "secret")
    {}
    >>> credentials("https://example.org/git/ann/game", "https://example.org/git", "secret")["GIT_CONFIG_KEY_0"]
    'http.https://example.org/git/.extraHeader'
    """
    place = server_of(home)
    is_below = place and server_of(remote).startswith(f"{place}/")
    return git_variables(f"{place}/", token) if token and is_below else {}


def git_variables(address: str, token: str) -> dict[str, str]:
    """Return the variables by which git sends the token to what lies below an address, and nowhere else.

    >>> git_variables("https://example.org/", "secret")["GIT_CONFIG_KEY_0"]
    'http.https://example.org/.extraHeader'
    """
    secret = b64encode(f"x-access-token:{token}".encode()).decode()
    settings = [
        (f"http.{address}.extraHeader", f"Authorization: Basic {secret}"),
        (f"http.{address}.followRedirects", "false"),
        (f"http.{address}.sslVerify", "true"),
        ("credential.helper", ""),
    ]
    if address.startswith("http:"):
        settings.append((f"http.{address}.proxy", ""))  # in clear it stays on this machine
    pairs = [
        pair
        for number, (key, value) in enumerate(settings)
        for pair in ((f"GIT_CONFIG_KEY_{number}", key), (f"GIT_CONFIG_VALUE_{number}", value))
    ]
    return {"GIT_CONFIG_COUNT": str(len(settings)), **dict(pairs)}
