"""Words of scripts that are written without spaces, such as Chinese, Japanese and Thai, for a search that knows words.

Each sign of them is indexed as a word of its own, and asked for as one, so that whatever part of a text somebody types
is found. `assets/search.js` parts and joins in the same way.
"""

from __future__ import annotations

import re

SIGNS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uffef"
    "\U00020000-\U0003ffff"
)
"""The signs of these scripts and of their punctuation, as a regular expression has them between brackets."""
_SIGN = re.compile(f"[{SIGNS}]")
_BORDERS = re.compile(rf"(?<=[{SIGNS}])(?=[{SIGNS}]|[^\W_])|(?<=[^\W_])(?=[{SIGNS}])")
_PARTED = re.compile(f"(?<=[{SIGNS}]) (?=[{SIGNS}])")
_SHOWN = re.compile(r">[^<]+")


def has_signs(text: str) -> bool:
    """Return whether a text holds signs of scripts without spaces."""
    return _SIGN.search(text) is not None


def parted(text: str) -> str:
    """Return a text with a blank before and behind each sign of a script without spaces.

    >>> parted("提案301 passed"), parted("no signs")
    ('提 案 301 passed', 'no signs')
    """
    return _BORDERS.sub(" ", text)


def parted_page(page: str) -> str:
    """Return a page of HTML with what is shown of it parted so.

    >>> parted_page('<p title="投票">投票</p>')
    '<p title="投票">投 票</p>'
    """
    return _SHOWN.sub(lambda shown: parted(shown[0]), page)


def joined(text: str) -> str:
    """Return a text that was parted as it is written.

    >>> joined(parted("提案 of ann"))
    '提案 of ann'
    """
    return _PARTED.sub("", text)
