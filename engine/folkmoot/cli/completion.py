"""What the shell completes: games, players, rules, pull requests, actions with their arguments, choices.

It reads what is on disk, as far as that is needed, and asks nobody; where something is wrong, it completes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from click.shell_completion import CompletionItem

from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import ProblemError

if TYPE_CHECKING:
    from folkmoot.core.documents import GameDocument, Proposal
    from folkmoot.core.rule_blocks import ArgumentSpec

Completing = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
Record = Mapping[str, Any]
SHOWN = {
    "rules": "the law in force",
    "rule": "one rule with its text and its script: `moot show rule 301`",
    "scores": "what everybody has, and how it grew",
    "registers": "what the rules keep",
    "players": "who plays",
    "player": "one player with what they have: `moot show player ann`",
    "board": "every board that a rule shows",
    "hand": "what you may see, and others may not",
    "season": "who won, and the story in moments; of an earlier one by its number: `moot show season 1`",
}
"""What the engine shows of every game."""
MOST_VALUES = 30  # of an argument that are offered before its name is typed
_NUMBER = re.compile(r"^rule: ['\"]?([^'\"\n]+)", re.MULTILINE)
_TITLE = re.compile(r"^title: ['\"]?([^\n]+?)['\"]?$", re.MULTILINE)


def _quietly(complete: Completing) -> Completing:
    """Complete nothing where anything is wrong: a shell that waits for the next word is no place to say so."""

    @wraps(complete)
    def completed(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        try:
            return complete(context, parameter, typed)
        except (ProblemError, click.ClickException, OSError, ValueError, KeyError):
            return []

    return completed


def _items(words: Iterable[tuple[str, str]], typed: str) -> list[CompletionItem]:
    """Return the words that begin as what is typed does, each with what it means."""
    return [CompletionItem(word, help=about or None) for word, about in words if word.startswith(typed)]


class OnDisk(dict[str, Any]):
    """The documents of a game in a folder, each read when it is asked for."""

    def __init__(self, folder: Path) -> None:
        from folkmoot.core.clone_files import CloneFiles

        self.folder = folder
        self.files = CloneFiles.around(folder)
        super().__init__({f"things/{name[:-5]}": None for name, _ in self.files.listing("things")})

    def get(self, key: str, default: Any = None) -> Any:
        """Return a document, None where there is none."""
        from folkmoot.files.fast_reader import load_yaml

        text = self.files.read_text(f"{key}.yaml")
        return default if text is None else load_yaml(text, f"{key}.yaml")

    @cached_property
    def texts(self) -> list[str]:
        """Return the texts of the rules in force."""
        names = (f"rules/{name}" for name, _ in self.files.listing("rules") if name.endswith(".yaml"))
        return [text for text in map(self.files.read_text, names) if text is not None]

    def rules(self) -> Iterator[tuple[str, str]]:
        """Yield number and title of each rule in force."""
        for text in self.texts:
            number, title = _NUMBER.search(text), _TITLE.search(text)
            if number:
                yield number[1].strip(), title[1] if title else ""

    def actions(self) -> dict[str, Any]:
        """Return the declarations of the actions of the game by name, those of its rules first."""
        from folkmoot.files.fast_reader import load_yaml
        from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS

        found: dict[str, Any] = {}
        for text in self.texts:
            if "\nactions:" in text:
                found = {**(load_yaml(text, "rule").get("actions") or {}), **found}
        return {**found, **KERNEL_DECLARATIONS, **found}


def _terminal(context: click.Context) -> Terminal:
    """Return the terminal with the folder that is worked in: nothing was run that would have told it."""
    return Terminal(directory=context.find_root().params.get("directory"))


def _game(context: click.Context) -> OnDisk:
    from folkmoot.cli.games import game_folder

    return OnDisk(game_folder(_terminal(context), context.params.get("game")))


def _games(context: click.Context) -> dict[str, Path]:
    """Return the games of the clone by name, each with its folder."""
    from folkmoot.cli.games import root_of
    from folkmoot.journal.layout import STATE, games_in

    root = root_of(_terminal(context))
    return {name: root / STATE / name for name in games_in(root)}


@_quietly
def complete_games(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete the name of a game."""
    return _items(((name, "") for name in _games(context)), typed)


@_quietly
def complete_rules(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete the number of a rule in force."""
    return _items(_game(context).rules(), typed)


@_quietly
def complete_players(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete the id of a player."""
    return _items(_players(_game(context)), typed)


def _players(game: OnDisk) -> Iterator[tuple[str, str]]:
    roster = game.get("roster") or {}
    return ((player, str(entry.get("name") or "")) for player, entry in roster.items() if entry.get("until") is None)


@_quietly
def complete_pulls(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete the number of an open pull request."""
    return _items(_pulls(context), typed)


def _pulls(context: click.Context) -> Iterable[tuple[str, str]]:
    """Return number and title of the pull requests that were open when the clone last fetched: most load no git."""
    folders = _games(context).values()
    met = [folder for folder in folders if (OnDisk(folder).get("game") or {}).get("forge")]
    return open_pulls(met[0]) if met else ()


@_quietly
def complete_page(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete what is shown, or opened: a page, a pull request, a player; behind `rule` the number of one."""
    match [str(word) for word in context.params.get(parameter.name or "") or ()]:
        case []:
            pages = {**SHOWN, **dict(_pages(context, pages_known))}
            return _items([*pages.items(), *_pulls(context), *_players(_game(context))], typed)
        case ["rule"]:
            return _items(_game(context).rules(), typed)
        case ["player"]:
            return _items(_players(_game(context)), typed)
    return []


def _pages(context: click.Context, known: Callable[[Terminal, str | None], dict[str, str]]) -> list[tuple[str, str]]:
    """Return the pages that rules show, none where there is no game to be seen."""
    try:
        return [*known(_terminal(context), context.params.get("game")).items()]
    except ProblemError:
        return []


# -- acts


@_quietly
def complete_act(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete an action, or an argument of the action that is typed already."""
    game = _game(context)
    actions = game.actions()
    before = list(context.params.get("words") or ()) if parameter.name == "words" else []
    if parameter.name != "words" or before[-1:] == ["+"]:
        return _items(_summaries(actions), typed)
    words = [str(context.params.get("action")), *before]
    while "+" in words:
        words = words[words.index("+") + 1 :]
    return _arguments(game, (actions.get(words[0]) or {}).get("arguments") or {}, words[1:], typed)


def _summaries(actions: Mapping[str, Record]) -> Iterator[tuple[str, str]]:
    return ((name, str(about.get("summary") or "")) for name, about in actions.items())


def _arguments(game: OnDisk, declared: Record, words: list[str], typed: str) -> list[CompletionItem]:
    """Complete an argument; bash gives its name, the `=` and its value as words of their own."""
    from folkmoot.player.argument_values import known_values

    name, equals, _ = typed.partition("=")
    if equals and name in declared:
        return _items(((f"{name}={value}", "") for value in known_values(declared[name] or {}, game)), typed)
    bare = words[:-1] if words[-1:] == ["="] else words
    if bare and bare[-1] in declared and "=" not in bare[-1]:
        return _items(((value, "") for value in known_values(declared[bare[-1]] or {}, game)), typed)
    given = {word.partition("=")[0] for word in words}
    return _items(_offered(game, {n: spec or {} for n, spec in declared.items() if n not in given}), typed)


def _offered(game: OnDisk, declared: Mapping[str, ArgumentSpec]) -> Iterator[tuple[str, str]]:
    """Yield each argument with its values where these are few, else its name alone."""
    from folkmoot.player.argument_values import known_values

    for name, spec in declared.items():
        values = known_values(spec, game)
        about = str(spec.get("summary") or spec.get("type") or "")
        yield from ((f"{name}={value}", about) for value in (values if 0 < len(values) <= MOST_VALUES else [""]))


# -- votes


def next_words(choices: list[str], words: list[str], typed: str) -> list[CompletionItem]:
    """Return how choices go on that begin with some words, and a part of the next one.

    >>> [item.value for item in next_words(["endorse ann", "endorse cid", "no"], ["Endorse"], "")]
    ['ann', 'cid']
    """
    found = [choice.split() for choice in choices if choice]
    begun = [choice[len(words)] for choice in found if len(choice) > len(words) and _alike(choice, words, typed)]
    return [CompletionItem(word) for word in dict.fromkeys(begun)]


def _alike(choice: list[str], words: list[str], typed: str) -> bool:
    from folkmoot.kernel.ballot_words import plain

    begins = [plain(word) for word in choice[: len(words)]] == [plain(word) for word in words]
    return begins and plain(choice[len(words)]).startswith(plain(typed))


@_quietly
def complete_vote(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete the number of a pull request, and the choices of the vote on it."""
    words = [str(word) for word in context.params.get("words") or ()]
    pull = int(words[0].removeprefix("#")) if words and words[0].removeprefix("#").isdecimal() else 0
    on = "".join(context.params.get("proposal") or ()).rpartition("/")[2]
    found = next_words(_choices(_game(context), pull, on), words[1:] if pull else words, typed)
    return found if pull or on else [*_items(_pulls(context), typed), *found]


def _choices(game: OnDisk, pull: int, number: str) -> list[str]:
    """Return the choices of a vote: the usual ones, unless a rule says which there are; then the law is asked."""
    from folkmoot.core.proposal_numbers import handle
    from folkmoot.kernel.ballot_words import CHOICES

    if not any("def decide_choices(" in text for text in game.texts):
        return CHOICES
    from folkmoot.core.keys import proposal_key, pull_here
    from folkmoot.game.session import Session
    from folkmoot.game.status import choices_of

    open_ = [str(each) for each in (game.get("game") or {}).get("open") or ()]
    proposals = [cast("Proposal", found) for each in open_ if (found := game.get(proposal_key(each)))]
    settings = cast("GameDocument", game.get("game") or {})
    meant = [
        each for each in proposals
        if len(proposals) == 1 or (pull and pull_here(each, settings) == pull) or str(handle(each)) == number
    ]  # fmt: skip
    if not meant:
        return []
    with Session.open(game.folder) as session:
        return choices_of(session, meant[0]["id"])


# -- what is explained

EXPLAINED = {
    "action": "what an action takes", "rule": "every revision of a rule", "ballot": "why a ballot counts or does not",
    "setting": "a switch and who flipped it", "settings": "how every switch stands",
    "entry": "one entry of the journal", "limits": "how much may be taken",
    "proposal": "what it changes, and who voted", "digest": "the digest of a value",
}  # fmt: skip


@_quietly
def complete_explain(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete what is to be explained."""
    words, game = [str(word) for word in context.params.get(parameter.name or "") or ()], _game(context)
    match words:
        case []:
            return _items([*EXPLAINED.items(), *_players(game)], typed)
        case ["rule"]:
            return _items(game.rules(), typed)
        case ["action"]:
            return _items(_summaries(game.actions()), typed)
        case ["proposal"] | ["ballot"]:
            open_ = (game.get("game") or {}).get("open") or ()
            return _items(((str(each).partition("/")[2], "") for each in open_), typed)
        case ["ballot", _]:
            return _items(_players(game), typed)
        case [player] if player in dict(_players(game)):
            return _items(((name, "") for name in (game.get("things/player") or {}).get(player) or ()), typed)
    return []


# -- names that are read from the clone's own files, without asking the law or anybody else

_PAGE = re.compile(rb"^\s*def show_(\w+)\(", re.MULTILINE)
_ACTION = re.compile(rb"^\s*def do_(\w+)\(", re.MULTILINE)
_RULE_NUMBER = re.compile(rb"^rule: [\"']?([^\s\"']+)", re.MULTILINE)


def pages_known(terminal: Terminal, game: str | None) -> dict[str, str]:
    """Return the pages that the rule files of the clone show, by name, with what shows each. Raises E-NO-GAME."""
    from folkmoot.core.clone_files import read_whole

    found: dict[str, str] = {}
    for path in _rule_files(terminal, game):
        data = read_whole(path) or b""
        if b"def show_" not in data:
            continue
        number = _RULE_NUMBER.search(data)
        by = f"shown by rule {number[1].decode() if number else path.stem}"
        found |= {name.decode(): by for name in _PAGE.findall(data)}
    return dict(sorted(found.items()))


def actions_known(terminal: Terminal, game: str | None) -> set[str]:
    """Return the actions that the rule files of the clone carry out. Raises E-NO-GAME."""
    from folkmoot.core.clone_files import read_whole

    return {name.decode() for path in _rule_files(terminal, game) for name in _ACTION.findall(read_whole(path) or b"")}


def _rule_files(terminal: Terminal, game: str | None) -> list[Path]:
    from folkmoot.cli.games import game_folder

    return sorted((game_folder(terminal, game) / "rules").glob("*.yaml"))


# -- pull requests that were open when the clone last fetched


def open_pulls(root: Path) -> list[tuple[str, str]]:
    """Return number and title of the pull requests that were open when the repository of a folder last fetched."""
    from folkmoot.cli.games import repository_around
    from folkmoot.forges.cache.forge_cache import ForgeCache, observed_here

    repo = repository_around(root)
    seen = ForgeCache(repo, observed_here(repo)) if repo is not None else None
    found = [place.pull for number in seen.listed if (place := seen.pull(number)) and place.pull] if seen else []
    return [(str(pull.number), pull.title) for pull in found if pull.state == "open"]
