"""The content policy of pages: only scripts that the theme itself wrote run, each known by its digest.

Should players' text ever get through as markup, a script in it has no digest here, and browsers run it not.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_ALLOWED = "script-src 'self' 'unsafe-inline'"


def with_digests(page: str) -> str:
    """Return a page that allows the theme's inline scripts by their digests, and no other ones.

    Scripts inside of its article are none of the theme's. A page whose policy says nothing of scripts stays as it is.

    >>> page = "<meta content=script-src 'self' 'unsafe-inline'><script>1</script>"
    >>> with_digests(page).partition("sha256-")[2][:12]
    'a4ayc/80/OGd'
    """
    start, end = page.find("<article"), page.rfind("</article>")
    themes = page if start < 0 else page[:start] + page[end:]
    digests = {_digest(found[1]): None for found in _INLINE.finditer(themes)}
    return page.replace(_ALLOWED, " ".join(["script-src 'self'", *digests]), 1)


def _digest(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
