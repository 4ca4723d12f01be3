"""How much memory the sandbox may take; apart, because whoever starts it needs none of its walls."""

MEMORY = 512 * 1024 * 1024  # bytes of address space beyond those of the program itself
