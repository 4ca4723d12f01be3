"""What stands as headings above parts of the referee's comments: by it commands find again what was said there."""

FLAWS = "⚠ Scripts and examples:"
BEWARE = "⚠ **Beware of later:**"
"""Above what is wrong with the scripts and examples of a pull request."""
HEADS = {
    "waiting": "Waits",
    "void": "Has no effect",
    "refused": "Was refused",
    "recorded": "Is recorded",
}
"""Above notices, by the state of what they are about."""
