"""Every code of reasons, refusals and problems with its meaning.

The record keeps codes and arguments; sentences are made of them when they are shown (`folkmoot.wording.reasons`), the
same on every surface.
"""

from __future__ import annotations

from folkmoot.files.codes import CODES as READING

DECISIONS = {
    "OVERRULED": "A rule of higher precedence has answered or acted instead of this one.",
    "DROPPED": "A rule set a register that a rule of higher precedence had set otherwise in the same event.",
    "SKIPPED-REPEALED": "A rule was to hear an event, but was repealed while the event was being handled.",
    "SKIPPED-SUSPENDED": "A rule was to hear an event, but was put to sleep while the event was being handled.",
    "NO-ANSWER": "No rule answers a question that the engine asks; it takes the most cautious course.",
    "PERMITTED": "A rule expressly permits the act, so that no lower rule can forbid it.",
    "HELD": "The act waits until its label is released, and is judged then.",
    "PARADOX": "Rules take precedence over one another in a circle; among them the lower number goes first.",
    "OLDER-REVISION": "The rule failed as it stands, so that an earlier revision of it carried out the act.",
    "UNHEARD": "Too many rules died or spent the budget while an administrator acted; the rest went without scripts.",
    "TIMER-STOPPED": "A timer could not fire and was taken away, so that it does not stop the clock for ever.",
    "CITED": "A rule names another one as what a decision rests on.",
}

REFUSALS = {
    "E-ARGS": "What was given does not fit what is asked for.",
    "E-BOUNDS": "A value is of the wrong type or lies outside its bounds.",
    "E-BUDGET": "A script asked for more work than one rule or one event may take.",
    "E-CIRCLE": "A question asks itself.",
    "E-DIED": "The sandbox died while this rule was running; the rule sleeps until it is amended or woken.",
    "E-DUP": "There is such a one already, or it was done already.",
    "E-FUNDS": "There is not enough to pay with.",
    "E-GAME-OVER": "The game is over.",
    "E-IMPROPER": "The proposal is not proper.",
    "E-LEFT-OUT": "This took too long, so that it was left out of the act; the rule does not sleep for it.",
    "E-NO-SUCH": "There is no such thing.",
    "E-NOT-ADMINISTRATOR": "Only an administrator of the game may do this.",
    "E-NOT-OFFICE": "Only the holder of an office may do this.",
    "E-NOT-PLAYER": "Only a player, or somebody with a vote on this proposal, may do this.",
    "E-ORDER": "This cannot be done yet, or no more, in the order of things.",
    "E-PAUSED": "The game is paused.",
    "E-PERSONAL": "Only people themselves may do this or say who they are, not a rule for them, nor another account.",
    "E-PURE": "A hook that may only look tried to change something.",
    "E-SCRIPT": "A rule's script is at fault.",
    "E-STATUS": "The state of the player or of the game does not allow it.",
    "E-TARGET": "The change cannot be made to this rule.",
    "E-TIME": "It is too late, or too early.",
}

OUTSIDE = {
    "E-CHAIN": "The journal's chain of digests is broken.",
    "E-CLOCK": "A time lies before that of the entry before.",
    "E-DERIVED": "A derived file is not what the journal gives.",
    "E-DICE": "The dice laid ready do not fit the draws.",
    "E-DISK": "A file cannot be read or written.",
    "E-DRAW": "A draw cannot be what its source gives.",
    "E-DURATION": "This is no length of time.",
    "E-ENGINE": "Another engine judges this game, or has to prove a part of it.",
    "E-EXAMPLE": "An example of a rule does not hold.",
    "E-FAULT": "The engine itself is at fault, not the files it was given.",
    "E-FORGE": "The forge, or the way to it, fails; nothing of the game is lost.",
    "E-FOREIGN": "A pull request changes what only the referee, or nobody who plays, may change.",
    "E-GIT": "Git reports an error.",
    "E-JUDGE": "The sandbox cannot go on.",
    "E-LOCKED": "Somebody else is writing to this game.",
    "E-MODE": "Something other than an ordinary file stands where only those may be.",
    "E-MOVED": "The game has gone on meanwhile.",
    "E-NO-GAME": "There is no game here.",
    "E-OUTSIDE": "Something outside the engine is not as it must be.",
    "E-PATH": "A file has a path that not every system can have, or that is taken for another.",
    "E-RATE": "Somebody asks for too much in one day.",
    "E-PIN": "The pin of the engine is missing, or says something that no pin may say.",
    "E-PENDING": "A write was cut short.",
    "E-SIGNATURE": "What arrived is not signed by the one it claims to come from.",
    "E-REDACTION": "An entry and its redaction do not fit each other.",
    "E-REFUSED": "An act that had to be accepted was refused.",
    "E-REPLAY": "The journal does not replay as it was recorded.",
    "E-SCENARIO": "A scenario does not hold.",
    "E-SECRET": "The secret of the game's dice is needed here.",
    "E-SITE": "The site cannot be made here.",
    "E-STAMP": "This is no point in time.",
    "E-STRAY": "A file does not belong here.",
    "E-UTF8": "The file is not text in UTF-8.",
    "E-ZONE": "There is no such time zone.",
    "W-LABEL": "A label looks like a slip: other rules have a word much like it.",
    "W-REGISTER": "Two rules declare a register of one name for one owner, and share it.",
    "W-SCRIPT": "A script works, but something in it looks like a slip.",
}

CODES: dict[str, str] = {**DECISIONS, **REFUSALS, **OUTSIDE, **READING}
"""Every code of the engine with its meaning; the law of a game may add its own E- codes."""
