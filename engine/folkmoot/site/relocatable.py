"""A site whose address nobody has said: what MkDocs writes for the root of a server is made right for any folder.

MkDocs knows an address by `site_url` alone. Without one it writes a map of the site without addresses, and a page for
what is missing whose style and links lead to the root of the server, though the site may lie below it.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles
from folkmoot.site.policy import with_digests

MISSING = "404.html"
_STYLE = re.compile(r'<link rel="stylesheet" href="/([^"]+)">')
_FONT = re.compile(r'\s*<link rel="preload"[^>]*>')
_ICON = re.compile(r'<link rel="icon"[^>]*>')
_MARK = re.compile(r'(<img src=")/([^"]+\.svg)"')
_SCRIPT = re.compile(r'<script src="/[^"]*"></script>')
_TO_ROOT = """<script>
const known = new Set(%s), parts = location.pathname.split("/");
const here = parts.findIndex(part => known.has(part));
const home = here < 0 ? "/" : parts.slice(0, here).join("/") + "/";
for (const each of document.querySelectorAll('a[href^="/"]'))
  each.setAttribute("href", home + each.getAttribute("href").slice(1));
</script>
</body>"""


def settled_page(site: Path, text: str, folders: Sequence[str], address: str | None) -> str:
    """Return the page for what is missing of a site with these folders in it; its styles lie in `site`.

    Without an address it holds its style itself, and its links find the site's folder. Without scripts they lead to
    the root of the server: what lies at an unknown depth below one cannot know better.
    """
    if not address and "</body>" in text and _STYLE.search(text):
        files = CloneFiles.around(site)
        text = _STYLE.sub(lambda found: _style(files.read_text(found[1]) or ""), text)
        text = _MARK.sub(lambda found: f'{found[1]}{_drawing(files.read(found[2]) or b"")}"', text)
        text = _SCRIPT.sub("", _ICON.sub('<link rel="icon" href="data:,">', _FONT.sub("", text)))
        text = text.replace("</body>", _TO_ROOT % json.dumps(list(folders)))
    return with_digests(text)


def _drawing(data: bytes) -> str:
    """Return a drawing as an address that holds it."""
    return f"data:image/svg+xml;base64,{b64encode(data).decode()}"


def _style(sheet: str) -> str:
    """Return a style sheet as a part of a page; what it fetches from beside itself is left out."""
    closed = re.sub(r"url\((?!['\"]?data:)[^)]*\)", "none", sheet).replace("</", r"<\/")
    return f"<style>{closed}</style>"
