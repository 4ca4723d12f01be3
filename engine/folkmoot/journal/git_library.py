"""Git's library, loaded without the certificates of this machine.

It reads them all when it is loaded, which takes long, and nobody asks it anything over the network: that goes by the
program git. Who loads it first does so by this module.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

NOWHERE = {"SSL_CERT_FILE": "", "SSL_CERT_DIR": os.sep}
"""Where certificates are looked for meanwhile: in no file, and in a folder that is there and holds none."""


@contextmanager
def _without_certificates() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in NOWHERE}
    os.environ.update(NOWHERE)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


with _without_certificates():
    import pygit2

__all__ = ["pygit2"]
