"""The texts of the interface: what the site says of its own is written `_("Open votes")`, in templates too.

What players, rules and their names say stays as it was written.
"""

from __future__ import annotations


def _(message: str, **fields: object) -> str:
    """Return a text with its fields.

    >>> _("{count} of {all} ballots", count=1, all=3)
    '1 of 3 ballots'
    """
    return message.format(**fields) if fields else message


def number(value: int) -> str:
    """Return a whole number with its thousands apart."""
    return f"{value:,}"
