"""Words and signs that the law language refuses, each with what to write in its place."""

from __future__ import annotations

NO_FLOATS = "amounts are whole numbers here: use // and %, or load fractions from the library `numbers`"
NO_SHIFTS = 'load("bits", "shift_left", "shift_right") instead'
REFUSED = {
    "/": ("`/` would make a float", NO_FLOATS),
    "/=": ("`/=` would make a float", NO_FLOATS),
    "float": ("`float` is not part of the law language", NO_FLOATS),
    "<<": ("shifts are not part of the law language", NO_SHIFTS),
    ">>": ("shifts are not part of the law language", NO_SHIFTS),
    "<<=": ("shifts are not part of the law language", NO_SHIFTS),
    ">>=": ("shifts are not part of the law language", NO_SHIFTS),
    "while": ("there is no `while` in the law language", "write `for _ in range(limit):` and leave it with `break`"),
    "import": ("nothing can be imported into a rule", 'load a library module: load("grid", "square")'),
    "from": ("nothing can be imported into a rule", 'load a library module: load("grid", "square")'),
    "class": ("there are no classes in the law language", "use struct(name = value), or declare a kind of thing"),
    "try": ("there is no `try` in the law language", "use try_act(…) to see whether an action succeeds"),
    "except": ("there is no `except` in the law language", "use try_act(…) to see whether an action succeeds"),
    "finally": ("there is no `finally` in the law language", "use try_act(…) to see whether an action succeeds"),
    "raise": ("there is no `raise` in the law language", 'use require(condition, "E-ORDER", why)'),
    "assert": ("there is no `assert` in the law language", 'use require(condition, "E-ORDER", why)'),
    "is": ("there is no `is` in the law language", "compare with == or !="),
    "del": ("there is no `del` in the law language", "use pop(key) of the map or list"),
    "global": ("names of a script cannot be rebound by a function", "keep what changes in a register"),
    "nonlocal": ("names of a script cannot be rebound by a function", "keep what changes in a register"),
    "with": ("there is no `with` in the law language", ""),
    "as": ("`as` is a reserved word", "the office of an action is `a.as_`"),
    "yield": ("there are no generators in the law language", "return a list"),
    "async": ("`async` is a reserved word", ""),
    "await": ("`await` is a reserved word", ""),
}
