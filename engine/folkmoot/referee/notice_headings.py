"""What stands as headings above parts of the referee's comments: by it commands find again what was said there."""

FLAWS = "⚠ Scripts and examples:"
"""Above what is wrong with the scripts and examples of a pull request."""
BEWARE = "⚠ **Beware of later:**"
"""Before what may go wrong once a pull request is law."""
HEADS = {
    "waiting": "Waits",
    "void": "Has no effect",
    "refused": "Was refused",
    "recorded": "Is recorded",
}
"""Above notices, by the state of what they are about."""
