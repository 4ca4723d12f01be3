"""A network that fails: a relay on loopback that passes bytes on, slowly at times, and cuts connections anywhere."""

from __future__ import annotations

import random
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Lock, Thread

RESET = struct.pack("ii", 1, 0)  # no lingering: the other side is told of an end that is none


class Relay(ThreadingTCPServer):
    """Passes connections on to a port of this machine.

    Of the connections so many in a hundred (`cut`) are reset after some number of bytes, in either direction, and some
    are slow. Which, is chosen by a seed.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int, seed: int, cut: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.port, self.cut = port, cut
        self.cuts = self.connections = 0
        self.at: dict[int, int] = {}
        """Connections (counted from 1) that are cut after so many bytes, whatever the seed says."""
        self._chance, self._lock = random.Random(seed), Lock()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def fate(self) -> tuple[int | None, float]:
        """Return after how many bytes the next connection is cut (None: not at all), and how long each part waits."""
        with self._lock:
            self.connections += 1
            if self.connections in self.at:
                return self.at[self.connections], 0.0
            slow = 0.01 if self._chance.random() < 0.1 else 0.0
            if self._chance.randrange(100) >= self.cut:
                return None, slow
            self.cuts += 1
            return int(10 ** self._chance.uniform(0, 4)), slow

    def shutdown_request(self, request: object) -> None:
        """Leave closing to whoever serves it."""


class _Passing(BaseRequestHandler):
    server: Relay

    def handle(self) -> None:
        left, slow = self.server.fate()
        self.left = left
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.server.port), 5) as far:
            back = Thread(target=self._pass, args=(far, self.request, slow), daemon=True)
            back.start()
            self._pass(self.request, far, slow)
            back.join(10)
        self.request.close()

    def _pass(self, source: socket.socket, target: socket.socket, slow: float) -> None:
        with suppress(OSError):
            while data := source.recv(4_096):
                if self.left is not None and len(data) > self.left:
                    target.sendall(data[: self.left])
                    self._reset(source, target)
                    return
                self.left = None if self.left is None else self.left - len(data)
                time.sleep(slow)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def _reset(self, *ends: socket.socket) -> None:
        for end in ends:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def relayed(port: int, seed: int, cut: int) -> Iterator[Relay]:
    with Relay(port, seed, cut) as relay:
        thread = Thread(target=relay.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield relay
        finally:
            relay.shutdown()
            thread.join()
