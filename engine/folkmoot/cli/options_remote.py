"""The option that says where players meet; it stands apart so that whoever only offers it loads no git."""

from __future__ import annotations

import click

remote_option = click.option(
    "--remote",
    envvar="MOOT_REMOTE",
    metavar="NAME|URL",
    help="Where the players meet.  [default: origin or the only remote, else this repository; env: MOOT_REMOTE]",
)
"""Adds `--remote`."""
