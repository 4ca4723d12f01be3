"""All that the sandbox's process ever reads of its own program, read before its walls stand."""

from __future__ import annotations

import difflib  # noqa: F401
import zoneinfo  # noqa: F401

from folkmoot.core import characters
from folkmoot.files import reader, rewrite  # noqa: F401
from folkmoot.kernel import script_records  # noqa: F401
from folkmoot.language import binding, declarations


def read_program(*, only_looks: bool = False) -> None:
    """Read the texts that the package carries beside its modules, and the modules that are loaded when they are needed.

    Who asks for one later is given it from memory. A process that is only asked what the law says reads no files of
    rules, and tries nothing.
    """
    from folkmoot.kernel.sealed_data import values, vaults  # noqa: F401  no door opens behind the walls

    if not only_looks:
        import ruamel.yaml  # noqa: F401
        import yaml_rs  # noqa: F401

        from folkmoot.files import nodes, yaml_guard  # noqa: F401
        from folkmoot.scenarios import check_files, checked_law, scenario, trial  # noqa: F401

    characters.read_table()
    for text in (binding.prelude_text, binding.libraries):
        text()
    for part in declarations.PARTS:
        declarations.catalogue_text(part)
