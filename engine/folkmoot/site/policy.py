"""The content policy of pages: only scripts and styles that the theme itself wrote count, each known by its digest.

Should players' text ever get through as markup, a script or style in it has no digest here, and browsers ignore it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_OF_SCRIPTS = "script-src 'self' 'unsafe-inline'"
_OF_STYLES = "style-src 'self';"


def with_digests(page: str) -> str:
    """Return a page that allows the theme's inline scripts and styles by their digests, and no other ones.

    Those inside of its article are none of the theme's. What a page's policy does not speak of stays as it is.

    >>> page = "<meta content=script-src 'self' 'unsafe-inline'><script>1</script>"
    >>> with_digests(page).partition("sha256-")[2][:12]
    'a4ayc/80/OGd'
    """
    start, end = page.find("<article"), page.rfind("</article>")
    themes = page if start < 0 else page[:start] + page[end:]
    scripts, styles = (" ".join(_digests(found, themes)) for found in (_SCRIPT, _STYLE))
    allowing = page.replace(_OF_SCRIPTS, f"script-src 'self' {scripts}".rstrip(), 1)
    return allowing.replace(_OF_STYLES, f"style-src 'self' {styles}".rstrip() + ";", 1)


def _digests(found: re.Pattern[str], page: str) -> dict[str, None]:
    texts = (each[1].encode() for each in found.finditer(page))
    return {f"'sha256-{b64encode(sha256(text).digest()).decode()}'": None for text in texts}
