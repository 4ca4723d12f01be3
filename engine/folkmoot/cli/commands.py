"""What each command takes and says of itself, in the order of `moot --help`; what it does is read when it is run."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial, update_wrapper
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from folkmoot.cli.completion import (
    complete_actions,
    complete_explain,
    complete_games,
    complete_page,
    complete_players,
    complete_pulls,
    complete_rules,
    complete_vote,
)
from folkmoot.cli.options import (
    FILE,
    FILES,
    RUNNING,
    AskedFor,
    PathBeside,
    pull_number,
    since,
)
from folkmoot.cli.terminal import Terminal
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.game_location import KINDS

option = click.option
flag = partial(option, is_flag=True)
many = partial(option, multiple=True)
Command = TypeVar("Command", bound=Callable[..., Any])
NUMBER = re.compile(r"\w*\d")
KIND_OPTION = re.compile(r"--[A-Za-z][\w-]*")


def command(
    name: str, module: str = "", cls: type[click.Command] = click.Command, **settings: Any
) -> Callable[[Callable[[], None]], click.Command]:
    """Return what makes a command of a function that says what it does: `run_NAME` of a module runs, read only then."""

    def make(told: Callable[[], None]) -> click.Command:
        def run(terminal: Terminal, /, **given: Any) -> Any:
            return getattr(import_module(f"folkmoot.cli.{module or name}"), f"run_{name}")(terminal, **given)

        return click.command(name, cls, **settings)(click.pass_obj(update_wrapper(run, told)))

    return make


def _together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return what adds several options, in this order."""

    def add(command: Command) -> Command:
        for each in reversed(options):
            command = each(command)
        return command

    return add


def _remember_json(context: click.Context, _parameter: click.Parameter, wanted: bool) -> bool:
    context.ensure_object(Terminal).json = wanted
    return wanted


# fmt: off

# -- options that several commands have


def game_named(purpose: str) -> Callable[[Command], Command]:
    """Return what adds `--game`, by which a command gets a game's name, None where none is given."""
    return option("-g", "--game", envvar="MOOT_GAME", shell_complete=complete_games, help=purpose)


def by_option(purpose: str) -> Callable[[Command], Command]:
    """Return what adds `--by`, which names a player."""
    return option("-b", "--by", metavar="PLAYER", shell_complete=complete_players, help=purpose)


def pull_option(*names: str, **more: Any) -> Callable[[Command], Command]:
    """Return what adds an option that takes the number of a pull request."""
    return option(*names, type=pull_number, metavar="PULL", shell_complete=complete_pulls, **more)


def players_option(how: str) -> Callable[[Command], Command]:
    """Return what adds `--player`, once for each who plays."""
    return many("-p", "--player", "players", metavar="ID[,KEY=VALUE…]",
                help=f"A player, in joining order, {how}.  [default: asked for]")


def summary_option(what: str) -> Callable[[Command], Command]:
    """Return what adds `--summary`, a file for the forge to show."""
    return option("--summary", type=click.Path(dir_okay=False, path_type=Path),
                  help=f"Add {what} to a file, as Markdown.")


json_option = flag("--json", "json_", expose_value=False, callback=_remember_json, is_eager=True,
                   help="Print a record for programs instead of sentences.")
at_option = option("--at", metavar="TIME",
                   help="When: a stamp (2026-01-05T12:00:00Z) or a time after the last entry (+2h).")
commit_option = option("--commit/--no-commit", default=True, show_default=True,
                       help="Commit the entry to the git repository around.")
ruleset_option = option("-r", "--ruleset",
                        help="A packaged ruleset, or the folder of one, as in ./tea.  "
                             "[default: asked for, else lanterns]")
setting_option = many("-s", "--setting", "settings", metavar="SWITCH=VALUE", help="Flip a switch of the ruleset.")
port_option = option("--port", type=click.IntRange(0, 65535),
                     help="Where to serve.  [default: 8000, or the next free one]")
remote_option = option("--remote", envvar="MOOT_REMOTE", metavar="NAME|URL",
                       help="Where the players meet.  [default: origin or the only remote, else this repository; env: "
                            "MOOT_REMOTE]")
timeout_option = option("--timeout", type=click.FloatRange(min=0), metavar="SECONDS",
                        help="How long to wait.  [default: as long as it takes]")
trust_clock_option = flag("--trust-clock",
                          help="This machine's clock is right, however long nothing has happened here.")
game_name_option = game_named("The game, by name; needed only where there are several. [env: MOOT_GAME]")
game_options = _together(game_name_option, remote_option, json_option)
saying_options = _together(
    flag("--anyway", help="Send it although it would be refused, or its scripts fail."),
    flag("-n", "--dry-run", help="Say what would come of it, and send nothing."),
    flag("--wait", help="Wait until it is judged, and say what came of it."),
    timeout_option, game_options,
)
"""What every command has that says something: how it is sent, in which game, and `--json`."""
looking_options = _together(
    flag("--offline", help="Do not ask the remote repository; show what was fetched last."), game_options,
)
"""What every command has that looks at a game."""
forge_options = _together(
    option("--home", metavar="URL",
           help="Where the game lies on its forge: https://HOST/OWNER/NAME.  [default: what the remote says]"),
    option("--site", "site_url", metavar="URL", help="Where the site is served, if not by Pages."),
    many("--login", "logins", metavar="PLAYER=LOGIN[:ID]",
         help="Who a player is on the forge; the account's number is asked for where it is left out."),
)
change_options = _together(
    many("-r", "--rule", "rules", type=FILE, metavar="FILE",
         help="A rule file to propose: a new rule, or a changed copy of one in force."),
    many("--repeal", "repeals", metavar="NUMBER", shell_complete=complete_rules, help="A rule to repeal."),
    many("--transmute", "transmutes", metavar="NUMBER=STATUS", help="A rule to transmute."),
    option("--from", "recipe", is_flag=False, flag_value="", metavar="[RECIPE]",
           help="Begin with a rule of the cookbook; without RECIPE they are listed."),
)


# -- the commands


@command("demo", "demo.demonstration")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@flag("--play", help="Sit down at a game of your own instead, with three whom moot plays.")
@flag("--next", "go_on", help="Let those three go on until it is for you to do something.")
@option("--seed", type=int, default=1, show_default=True, help="What their moods follow from.")
@flag("--no-serve", help="Do not build the site and serve it.")
@port_option
@json_option
def demo() -> None:
    """Play the thirteen proposals of the mail game into FOLDER, print the scores, then serve the site of it.

    FOLDER is build/demo unless given; what an earlier demonstration left there is replaced.

    With `--play` it is a game of Lanterns with three players whom moot plays: vote or propose as in any game, then
    `moot demo --next` lets them answer. What they do follows from the seed and from what you do.
    """


@command("join")
@click.argument("player", required=False, metavar="[ID]")
@option("--name", help="How you are called.")
@many("-w", "--with", "attributes", metavar="KEY=VALUE", help="What else the game asks of a player.")
@option("-k", "--key", type=FILE, metavar="FILE",
        help="Your SSH public key: from now on only what it signs counts as yours.")
@saying_options
def join() -> None:
    """Ask to become a player, under the name ID, by a pull request with an action file.

    You are known by the e-mail address that git has of you, and on a forge on the web by your account there. Without ID
    you get one made from your name.

    Example: moot join eve --name "Eve Ernst" --with surname=Ernst
    """


@command("status", "game_status")
@flag("--wait", "awaited", help="Wait until you owe something or all that you sent is answered, and say that alone.")
@timeout_option
@looking_options
def status() -> None:
    """Show whose turn it is, what is open until when, what is owed, how things stand, and which actions there are.

    In a game that is played by pull requests, this fetches first, and shows what you owe with the command for each
    thing, the open pull requests, and what became of what you sent.

    With --wait it ends at once where you owe something already. It exits with 6 where nothing came in time.

    Example: moot status --wait && notify-send moot
    """


@command("show")
@click.argument("what", nargs=-1, metavar="[PAGE | PULL | PLAYER | rule NUMBER]", shell_complete=complete_page)
@by_option("Whose hand, where it is not your own.")
@looking_options
def show() -> None:
    """Show a page of the game, or a pull request; without PAGE, which pages there are.

    \b
      moot show                   what can be shown
      moot show board             the boards that rules show
      moot show scores            what everybody has, and how it grew
      moot show rule 301          a rule with its text and its script
      moot show ann               a player with all that they have
      moot show hand              what you may see, and others may not
      moot show season            who won, and the story in moments
      moot show 3                 pull request 3: votes, changes, its thread

    What is sealed to you opens on this machine, with the key that `moot key --sealing` keeps; nothing of it is sent or
    written anywhere. What is sealed to others is shown as `sealed`.
    """  # noqa: D301


@command("log")
@option("-n", "--number", "most", type=click.IntRange(1), default=30, show_default=True,
        help="How many of the newest.")
@flag("--mine", help="Only what you did and said, with what came of it.")
@by_option("Only what this player did and said.")
@option("--since", metavar="TIME", callback=since, help="Only what is newer: 2d, 3h, 2026-01-05, or a stamp.")
@flag("--new", help="Only what came since you last looked by `moot log`.")
@flag("--talk", help="Only what people said, without the entries of the journal.")
@pull_option("--pull-request", "pull", help="Only what is about this pull request.")
@looking_options
def log() -> None:
    """Show what was done and said and what came of it, the newest last.

    What was said is talk on pull requests, issues and the game's own thread, as far as a referee has seen it.

    \b
      moot log --mine                what became of what I sent
      moot log --new                 what came since I last looked
      moot log --talk --since 2d     what people said in two days
      moot log --pull-request 3
    """  # noqa: D301


@command("propose", "proposing")
@option("-t", "--title", default="", help="What the pull request is called.  [default: made from its changes]")
@option("-m", "--message", default="", metavar="TEXT", help="Why: the pull request's description.")
@change_options
@many("--amend", "amends", metavar="NUMBER", shell_complete=complete_rules, help="A rule to change in your editor.")
@flag("--new", help="Write a new rule in your editor.")
@many("--with", "withs", type=FILE, metavar="FILE",
      help="An action file with a request that travels with the proposal.")
@option("--do", "action", default="", metavar="ACTION", help="The action that takes it in.  [default: as the law says]")
@option("--vote", default="", metavar="CHOICE", help="Vote so on it yourself.")
@pull_option("-u", "--update", help="Push it to your pull request PULL instead.")
@saying_options
def propose() -> None:
    """Open a pull request with rule-changes, made of rule files, of your branch, or of what you write in an editor.

    Without options that name changes, your checked-out branch is proposed as it is if it has commits that change
    rules; else your editor opens on a new rule. Scripts, examples and the proposal are tried on the law first.

    \b
      moot propose                         your branch, or a rule in your editor
      moot propose --rule tea.yaml         a file
      moot propose --amend 206             rule 206 in your editor
      moot propose --from market           a market, in your editor
      moot propose --repeal 206 --title "No more penalties"
      moot propose --update 7 --rule tea.yaml
      moot propose --rule tea.yaml --vote for
    """  # noqa: D301


class Voting(click.Command):
    """A command that takes what a vote is on by any kind: `--motion 34` is `--proposal motion/34`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read options of any name, where a number follows, up to what stands behind `--`."""
        own = {name for option in self.params for name in option.opts}
        end = args.index("--") if "--" in args else len(args)
        place = 0
        while place < end:
            name, equals, number = args[place].partition("=")
            number = number if equals else "".join(args[place + 1 : place + 2])
            if KIND_OPTION.fullmatch(name) and name not in own and NUMBER.fullmatch(number):
                args[place : place + (1 if equals else 2)] = [f"--{PROPOSAL}={name.removeprefix('--')}/{number}"]
                end -= not equals
            place += 1
        return super().parse_args(ctx, args)


@command("vote", "voting", cls=Voting)
@click.argument("words", nargs=-1, metavar="[PULL] CHOICE [REASON…]", shell_complete=complete_vote)
@many("--proposal", metavar="NUMBER",
      help="Vote on a proposal that came by no pull request; so with any other kind, such as --motion.")
@flag("--sealed", help="Send it only if ballots on this are sealed until the count.")
@saying_options
def vote() -> None:
    """Vote CHOICE on pull request PULL, or on a proposal or whatever else is voted on in the game.

    `for` approves and `against` requests changes, both on the content as it is now; other choices go as the comment
    `/vote CHOICE`. A choice may be several words: the longest that the law knows is meant, and what follows is the
    reason. Your latest vote counts until the vote is closed. PULL may be left out where one vote is open, and may be
    the number of a proposal.

    \b
      moot vote for
      moot vote 7 for "It was time."
      moot vote 7 abstain
      moot vote --motion 34 yes
    """  # noqa: D301


@command("act", "acting", add_help_option=False)
@click.argument("action", required=False, shell_complete=complete_actions)
@click.argument("words", nargs=-1, metavar="[ARGUMENT=VALUE]… [+ ACTION …]…")
@flag("-l", "--list", "listing", help="List what you may do now, and what only some may.")
@flag("-h", "--help", "helping", help="Show this message, or what ACTION takes, and exit.")
@by_option("Who acts, in a game that one person keeps.")
@option("--as", "as_", metavar="OFFICE", help="The office that is acted in.")
@change_options
@option("-f", "--file", type=FILE, help="Enter all acts of a file, in a game that one person keeps.")
@pull_option("--on", help="Act by a comment on this pull request.")
@flag("--sealed", help="Send it only if the law takes it sealed, for nobody else to read.")
@at_option
@commit_option
@trust_clock_option
@saying_options
def act() -> None:
    """Do ACTION in a game.

    In a game that is played by pull requests you act by a comment on the game's thread, or --on a pull request. A `+`
    that stands alone begins another act:

    \b
      moot act state "This rule is paradoxical."
      moot act transfer to=bob amount=3
      moot act move to=b3 + bake goods='{"bread": 2}'

    A game that one person keeps records it at once; then --by says who acts:

    \b
      moot act propose --by ann title="A dragon" --rule dragon.yaml
      moot act vote --by bob proposal=301 choice=for
      moot act judge --by eve --as judge ruling="It is legal." reasons="Rule 116."

    A file with a list of `acts`, each with `by` and `at`, is entered at once, all of it or nothing:

    \b
      moot act --file acts.yaml --dry-run
    """  # noqa: D301


@command("comment", "talking")
@click.argument("text", metavar="TEXT…", nargs=-1, required=True)
@pull_option("--on", "pull", help="The pull request.  [default: the game itself]")
@saying_options
def comment() -> None:
    """Say TEXT about a pull request, or about the game.

    Lines that start with a slash are commands of the game (`/vote abstain`, `/do move to=c4`); all else is talk, and is
    not recorded.

    Example: moot comment --on 7 "Why so many points?"
    """


@command("withdraw", "talking")
@click.argument("pull", type=pull_number, metavar="PULL", shell_complete=complete_pulls)
@click.argument("reason", nargs=-1, metavar="[REASON…]")
@saying_options
def withdraw() -> None:
    """Close your pull request PULL, saying why if you like: REASON goes before it as a comment.

    Whether a proposal that is voted on goes with it is for the rules of the game: where they know no withdrawing, the
    vote goes on.

    Example: moot withdraw 7 "It was too early."
    """


@command("key", "keys")
@click.argument("verb", type=click.Choice(["add", "revoke"]), metavar="[add|revoke]", required=False)
@click.argument("file", type=PathBeside(dir_okay=False, path_type=Path), metavar="[FILE]", required=False)
@flag("--sealing", help="Make or show the key with which you open what is sealed to you.")
@flag("--new", help="With --sealing: make another; those you have still open old boxes.")
@option("--from-ssh", type=FILE, metavar="FILE", help="With --sealing: open with this private SSH key.")
@flag("--keeper", help="Make the next key of the game's keeper on this machine.")
@flag("--dice", help="Print a new master secret for the dice, once: nothing keeps it here.")
@flag("--print", "print_", help="With --keeper: print it for a forge, and keep nothing here.")
@option("--forget", type=click.IntRange(1, 1000), metavar="N", help="With --keeper: delete key N, once replaced.")
@saying_options
def key() -> None:
    """Name an SSH key, or withdraw one; FILE is its public half. Alone it shows which keys are yours.

    Once you have named a key, only what is signed with a key of yours counts as yours, also after you withdrew it.

    What is sealed to you opens with a key of another kind, which `moot key --sealing` makes; it stays on your machine.
    The keeper of a game has numbered ones. On a forge the referee's job needs them:

    \b
      moot key --keeper --print | gh secret set FOLKMOOT_SEALING --env referee
      moot key --dice | gh secret set FOLKMOOT_CHANCE --env referee

    A chance epoch that is open stays with the secret that it was opened with, so end it first (`/do close_epoch`), or
    give both: the new one, a blank, the old one.
    """  # noqa: D301


@command("check")
@click.argument("paths", nargs=-1, type=FILES, metavar="[PATH]…")
@game_named("Run examples on the law of this game.")
@option("-r", "--ruleset", help="Run examples on the law of a ruleset: a packaged one, or ./FOLDER.")
@option("--schemas", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
        help="Write the JSON Schemas of all kinds of files into a folder.")
@json_option
def check() -> None:
    """Find every mistake in rule, action, settings, ruleset and scenario files, or in all below folders.

    Checks the form of each file and the scripts of rules, runs the examples that rules bring along, on the law of the
    game (or ruleset) with the rule in it, plays scenarios, and founds a game on trial by a ruleset.yaml. Without PATH
    the laws in force of all games are checked. Exits with 1 where something is wrong; a mere hint (W-) does no harm.

    An editor that knows YAML finds mistakes where a file begins with a line that names its schema. After `moot check
    --schemas schemas` that of a rule is, in a file that lies beside that folder:

    \b
      # yaml-language-server: $schema=schemas/rule.json
    """  # noqa: D301 (the mark keeps the line whole in the help)


class PullOrFile(click.ParamType[Any]):
    """The number of a pull request, or a file that is there."""

    name = "pull"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number or the path that is meant."""
        try:
            return FILE.convert(value, param, ctx)
        except click.BadParameter:
            if not value.removeprefix("#").isdecimal():
                raise
        return pull_number(value)


@command("try", "rule_trial")
@click.argument("what", nargs=-1, type=PullOrFile(), metavar="[PULL | RULE-FILE…]", shell_complete=complete_pulls)
@many("--repeal", "repeals", metavar="NUMBER", help="Try a repeal too.")
@option("--steps", type=FILE, metavar="FILE",
        help="Then play these steps on the copy: a list in the form of a scenario's `steps`, expectations included.")
@option("--show", "page", metavar="PAGE", help="Print a page that a rule shows, as it is after that.")
@flag("--comment", help="Show what the referee would say of a pull request with these files.")
@flag("--said", help="Print the referee's present comment on PULL instead.")
@option("--event", type=FILE, help="Try the pull request of a forge's event, as a job finds it in GITHUB_EVENT_PATH.")
@option("--clone", metavar="URL", help="With --event: fetch from there, into a bare clone made for this run.")
@summary_option("what is shown")
@game_options
def try_() -> None:
    """Make rules law on a copy of a game, play on there, and show what comes of it; the game itself stays as it is.

    Without --steps its new actions are done and its new timers fire once each. Exits with 1 where a script fails or a
    step goes otherwise than it says.

    Of a pull request it shows the changes, whether they are proper, and what adoption would bring, as the referee's
    comment does; without anything to try, so of your checked-out branch. Exits with 1 where it would be refused.

    \b
      moot try tea.yaml --steps steps.yaml
      moot try tea.yaml --comment
      moot try 7
    """  # noqa: D301


@click.command("new")
@click.argument("name", metavar="GAME", cls=AskedFor, question="What is the game to be called?", suggested="evening")
@option("-f", "--file", type=FILE,
        help="A settings file: title, ruleset, zone, players, offices, settings, administrators. Options prevail "
             "over it.")
@ruleset_option
@players_option("with attributes: `ann,surname=Abel`. Replaces the ruleset's own people")
@option("-t", "--title", help="What the game is called on its site.")
@option("-z", "--zone", help="The game's time zone, as in Europe/Vienna.  [default: the ruleset's]")
@setting_option
@many("-l", "--limit", "limits", metavar="LIMIT=NUMBER", help="Set a limit of the game, as in game_size=9000000.")
@many("-o", "--office", "offices", metavar="OFFICE=PLAYER",
      help="Who holds an office to begin with; `chair=` leaves it vacant.")
@many("-a", "--administrator", "administrators", metavar="ID", help="Who may pause, correct and redact.")
@option("--forge", type=click.Choice(["local"]),
        help="Let acts come by pull requests of plain git; `moot init` takes the game to another forge.")
@flag("--closed", help="Let nobody join but whom an administrator admits.")
@option("--from", "before", metavar="GAME", shell_complete=complete_games,
        help="Begin the next season of a game that is over, with its law and people.")
@flag("--anyway", help="With --from, also while that game goes on.")
@at_option
@commit_option
@json_option
@click.pass_obj
def new(terminal: Terminal, /, **given: Any) -> int:
    """Found the game GAME from a ruleset, in the folder state/GAME.

    Example: moot new evening -p ann -p bob -p cid

    A ruleset of one's own is a folder with a ruleset.yaml, and one file a rule in rules/:

    Example: moot new tea --ruleset ./tea --player ann --player bob

    With `--from` a game that is over goes on as a new one beside it, with its rules and players unless others are
    named; all that rules declare begins with its first value.

    Example: moot new dragons-2 --from dragons
    """
    before, anyway = given.pop("before"), given.pop("anyway")
    if before is not None:
        from folkmoot.cli.next_season import run_next

        return run_next(terminal, before=before, anyway=anyway, **given)
    if anyway:
        raise click.UsageError("--anyway goes with --from.")
    from folkmoot.cli.new import run_new

    return run_new(terminal, **given)


@command("table")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), cls=AskedFor,
                question="In which folder is the table to stand?", suggested="evening.git")
@players_option("as in `ann`, or `ann,name=Ann Abel,email=ann@example.org`")
@many("-k", "--key", "keys", metavar="ID=FILE",
      help="A player's SSH public key: then only what it signs counts as theirs.")
@ruleset_option
@setting_option
@option("-t", "--title", help="What the game is called.")
@option("-n", "--name", help="The game's short name.  [default: the folder's]")
@many("-a", "--administrator", "administrators", metavar="ID",
      help="A player who may pause it, correct its record and redact.  [default: you]")
@option("--address", metavar="URL", help="By what the others reach the folder, as in ann@host:games/evening.git.")
@flag("--shared", help="Let whoever is of the folder's group push to it.")
@json_option
def table() -> None:
    """Lay a table in FOLDER: a repository where friends meet, a game in it, and a referee that runs after each push.

    Prints a line for each player, which brings them a clone and says who they are. Whoever can reach the folder can
    play: by its path, or by ssh.

    Example: moot table evening.git -p ann -p bob -p cid
    """  # fmt: skip


@command("init")
@option("--forge", "kind", type=click.Choice(KINDS), help="The kind of forge; Forgejo is `gitea` too.")
@forge_options
@game_named("The game that goes to the forge; needed only where there are several. [env: MOOT_GAME]")
@remote_option
@option("--template", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
        help="Write into DIR a repository of which a forge makes games, and nothing here.")
@option("--pin", "engine", is_flag=False, flag_value=RUNNING, metavar="[WHEEL | VERSION]",
        help="Only pin the engine that the jobs run; with --template, that of the template.  [default: the one that "
             "runs]")
@flag("--move", help="Take a game there that is played elsewhere: nothing counts at the old place then.")
@flag("--apply", help="Put the forge's settings right too, asking before each.")
@flag("--yes", "-y", help="Ask nothing.")
@at_option
@commit_option
@json_option
def init() -> None:
    """Prepare this repository to be played on a forge, as often as you like: what is in order stays as it is.

    Writes and commits the workflows, CODEOWNERS, .gitattributes, the site's addresses, and the forms by which people
    act without git: run it again when rules have brought other actions; a form that somebody wrote by hand stays. Puts
    on record by which forge the game is played, where it lies there, and who players are. Then says which settings of
    the forge are to be checked, or with --apply and a token puts them right: the label, the game's thread, what jobs
    may do, an environment for secrets with a fresh secret for the dice, Pages, and that the branch is not rewritten.
    The token is that in the variable which names the host, as FOLKMOOT_TOKEN_GITHUB_COM, or of your login in `gh`.

    Example: moot init --forge github --home https://github.com/ann/game --login ann=annabel --apply

    With --move it puts on record that the game goes from where it is played to this forge. Then push it to the old
    place, which says so, and to the new one.

    With --pin it pins the engine that the jobs run, by version and hash: the one that runs here, unless another is
    named. To upgrade a game, upgrade `moot`, then pin on a branch and let the maintainers review that.

    With --template it writes a repository that others use as a template: there the workflow `begin` founds a game.

    Example: moot init --template game-template --forge github
    """


@command("begin")
@click.argument("game")
@option("--forge", "kind", type=click.Choice(KINDS), required=True, help="The kind of forge.")
@option("--home", metavar="URL", required=True, help="Where the repository lies: https://HOST/OWNER/NAME.")
@option("-r", "--ruleset", default="suber", show_default=True, help="A packaged ruleset.")
@option("--founder", metavar="LOGIN", required=True, help="Who begins the game, plays and administers it.")
@option("--players", metavar="LOGINS", default="", help="Who else plays from the beginning, with blanks between.")
@option("--settings", metavar="SWITCHES", default="",
        help="Switches of the ruleset to flip, with blanks between: `pace=1440`.")
@option("--forget", metavar="SECRET", help="A secret of the repository to delete when all is done.")
@summary_option("what was done")
@json_option
def begin() -> None:
    """Open the game GAME in a repository made from a template; its workflow `begin` runs this.

    Founds the game, puts the settings of the forge right as `moot init --apply` does, and pushes. It may be run again.
    """


@command("referee")
@remote_option
@option("--clone", metavar="URL",
        help="Work in a bare clone of a repository, made for this run; nothing is checked out.")
@option("--watch", type=click.IntRange(1, 86_400), metavar="SECONDS",
        help="Go on, looking at the forge every so often.")
@option("--until", metavar="TIME",
        help="Let the clock of a game that one person keeps run until a stamp, or a time after its last entry (+72h).")
@trust_clock_option
@flag("-n", "--dry-run", help="Say what would be recorded; record and answer nothing.")
@flag("--settle", help="Stay until what is too young to count yet does, some minutes at most.")
@summary_option("what was done")
@option("--outputs", type=click.Path(dir_okay=False, path_type=Path),
        help="Add to a file, for the steps of a job: whether the site is to be published (moved), a game is awake "
             "(awake).")
@game_named("The game that one person keeps, where there are several. [env: MOOT_GAME]")
@commit_option
@json_option
def referee() -> None:
    """Look at the pull requests, reviews and comments of this repository's games, and record what they came to.

    Everything that a run decides is pushed at once: the entries, the pages' sources and the merges of what was adopted.
    Run it as often as you like, from as many machines as you like: nothing is recorded twice, and a run that was cut
    short is made good by the next.

    In a game that one person keeps it fires every timer that is due: deadlines pass, days end, duties lapse. Where
    nothing is due, nothing is written. Of very many entries only the first and the last are told. With
    --dry-run it runs on a copy; with --until, too, any game's clock, so that a law with long periods is rehearsed in
    any clone.

    \b
      moot referee --watch 60
      moot referee --until 2026-01-05T18:00:00Z
      moot referee --dry-run --until +30d
    """  # noqa: D301


@command("serve")
@port_option
@flag("--build", help="Only build it, into site/, where its bytes change.")
@flag("--trust", help="Consent to whatever this repository's own mkdocs.yml, hooks and templates run, as they are now.")
@json_option
def serve() -> None:
    """Build the site of every game of the repository and serve it on this machine until interrupted.

    In a player's clone it is where they play: pages that wait for something of theirs have forms for it. Open the
    address as it is printed; its key keeps other users of the machine out. The clone follows the game meanwhile, as by
    `git pull`, unless it has changes of its own. With --build it ends when the site is in site/.

    A hook, plugin or template that Folkmoot does not package is run only with your consent, for as long as it stays the
    same; with `--trust` also where it changes while this command serves.
    """


@command("doctor")
@remote_option
@flag("--quiet", "-q", help="Show only what is not as it should be.")
@json_option
def doctor() -> None:
    """Look whether everything is set up so that the game can be played, and say how to mend what is not.

    What can be seen on this machine is always looked at. With a token of an administrator of the repository, in
    the variable which names the host (as FOLKMOOT_TOKEN_GITHUB_COM) or of your login in `gh`, the forge's settings
    are looked at too. Nothing is changed.

    Ends with 0 where nothing is wrong (warnings are shown), 1 where something is, 5 where the forge could not be asked.
    """


@command("explain", "explaining")
@click.argument("words", nargs=-1, required=True, metavar="WHAT…", shell_complete=complete_explain)
@flag("--offline", help="Do not ask the remote repository; explain what was fetched last.")
@game_options
def explain() -> None:
    """Say why something is as it is, back to entry and rule.

    \b
      moot explain ann score           every change of a register, with its rule
      moot explain game next_number
      moot explain rule 203            every revision of a rule
      moot explain proposal 305        its changes, votes, decision; so any kind
      moot explain ballot 305 ann      why a ballot counts or does not
      moot explain setting G2-Q2       a switch and who flipped it
      moot explain settings            every switch, and how it stands
      moot explain entry 12            one entry of the journal
      moot explain action transfer     what an action takes, and its rule
      moot explain limits              how much rules and people may take
      moot explain digest '["a", 1]'   what `digest` in scripts says of a value

    By a digest one holds to what one says only later: give the digest now, the value then. Whoever guesses the value
    can compute it too.
    """  # noqa: D301


REPAIRS = ("revert", "record", "clock")


@command("verify")
@many("--engine", "engines", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="PROGRAM",
      help="The `moot` of an engine that replays what it recorded, as old/bin/moot; may be given again.")
@option("--engine-seconds", "seconds", type=click.FloatRange(min=0, min_open=True), default=600,
        show_default=True, help="How long each of them may take.")
@option("--against", metavar="PLACE",
        help="Only hold the game against another clone of it, or a table, by path or address: is it one past?")
@flag("--accept-past", "accepting",
      help="Only take what the remote says now for its past, where this clone saw another one.")
@option("--repair", "repairing", type=click.Choice(["look", *REPAIRS]), is_flag=False, flag_value="look",
        metavar=f"[{'|'.join(REPAIRS)}]",
        help="Only say what was changed by hand since a referee last left the game; take it back, put changed rules "
             "on record, or take back a clock that ran ahead.")
@by_option("With --repair: the administrator who answers for it.")
@option("--why", help="With --repair: why, for the record.")
@game_options
def verify() -> None:
    """Prove a game's record: the chain of its journal, its replay, every derived file byte for byte, and its dice.

    Says what was proved; where something is wrong, names file and reason and exits with 4. What another engine recorded
    is proved in chain and bytes, and replayed only by that engine: install it elsewhere, and name its `moot`
    with --engine. It is run as you are, but without your environment, and trusted for what it says.

    A merge by a button, or a push to state/, is not play: the referee leaves the game alone until it is taken back
    (`--repair revert`) or, where it changed rules and nothing else, put on record in an administrator's name (`--repair
    record`). `--repair clock` takes back the clock of a game that a machine with a wrong clock played in the future.
    """
