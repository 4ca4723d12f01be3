"""Every code that the reading of a file can end in, with its meaning; the reference is made from this."""

CODES = {
    "E-SIZE": "The file, or a number in it, is too long, or the file holds too many keys, values and items.",
    "E-CHARACTER": "A character stands where none like it may stand: a control character, or an invisible one.",
    "E-SYNTAX": "The file is not YAML.",
    "E-ALIAS": "Anchors (`&a`) and aliases (`*a`) are not read.",
    "E-TAG": "Tags (`!a`) and directives (`%YAML`) are not read.",
    "E-DOCUMENTS": "A file holds one document.",
    "E-DEPTH": "Lists and maps lie too deep within each other.",
    "E-FLOAT": "A game knows whole numbers only.",
    "E-KEY": "A key is unknown here, or no string.",
    "E-DUPLICATE": "A key stands twice in the same map.",
    "E-TYPE": "A value is of another type than what belongs here.",
    "E-CHOICE": "A value is none of the words that may stand here.",
    "E-MISSING": "Something that must be there is missing or empty.",
    "E-RANGE": "A number lies outside its bounds, or bounds contradict each other.",
    "E-FORMAT": "A string does not have the form that belongs here (a stamp, a time of day, the number of a rule).",
    "E-IDENTIFIER": "A name holds characters that names may not have, or that look like others.",
    "E-BLOCK": "A script must be a literal block (`|`), so that its lines have places in the file.",
    "E-INITIAL": "An initial value or default does not fit what is declared beside it.",
    "E-CONFLICT": "Two keys that stand beside each other exclude or need one another.",
    "E-SCHEMA": "The file has a version of its form that this engine does not know.",
}
