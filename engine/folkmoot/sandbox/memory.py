"""What whoever starts a process of the sandbox shares with it: how much memory it takes, and the page of its mark."""

import struct

MEMORY = 512 * 1024 * 1024  # bytes of address space beyond those of the program itself
MARK = 256  # bytes of the page both share, in which the worker says which hook runs
TIMES = struct.Struct("ddd")  # after it: see `folkmoot.sandbox.worker_process.WorkerProcess.times`
