"""Compares what pages say with what the record says: times, and numbers of which it is clear what they count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from tests.figures.facts import NUMBERS, Entity, Facts, inside, moment_of
from tests.figures.readings import SCOPES, Figure, Node, column, figures, heads_of, label, links

ADDRESSES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("entry", re.compile(r"journal/\d+\.(?:html|md)#e(\d+)$")),
    ("rule", re.compile(r"law/(?!index\.)([^/#]+)\.(?:html|md)(?:#|$)")),
    ("player", re.compile(r"players/([^/#]+)\.(?:html|md)(?:#|$)")),
)
"""What pages are about, by their addresses below the folder of the game. This table alone knows addresses."""
VOTES = re.compile(r"(?:proposals|votes|[a-z_-]+s)/[^#]*?([^/#]+)\.(?:html|md)(?:#|$)")
SIDES = ["for", "yes", "aye", "accept", "approve"], ["against", "no", "nay", "reject", "request changes"]
"""By which words most games vote for something, and by which against it."""


Finding = str
"""A figure that is not what the record has: its page, its place there, and what is written."""


class Audit:
    """The pages of a game held against its record; `shown` are the pages of rules by their names."""

    def __init__(self, facts: Facts, pages: Mapping[str, Node], shown: Mapping[str, Any]) -> None:
        """Take what is compared."""
        self.facts, self.pages, self.shown = facts, pages, shown
        self.zone = ZoneInfo(str(facts.game.get("zone") or "UTC"))
        self.names = {name: player for player in facts.roster for name in self.names_of(player)}
        self.counted = Counter[str]()

    def findings(self) -> Iterator[Finding]:
        """Yield every figure that is held against the record and is false."""
        for path, root in self.pages.items():
            for figure in figures(path, root):
                how = self.time(figure) if figure.at else self.number(figure)
                self.counted[how] += 1
                if not how:
                    yield Finding(f"{figure.written} in {figure.place}")
            yield from self.charts(path, root)

    def names_of(self, player: str) -> list[str]:
        """Return how pages may call a player: by name and surname, or by one of them or the id alone."""
        known = self.facts.roster[player]
        parts = [str(known.get(part) or "") for part in ("name", "surname")]
        return [each for each in dict.fromkeys((" ".join(filter(None, parts)), parts[0], player)) if each]

    # -- what something is about

    def subject(self, path: str) -> Entity:
        """Return what a page is about."""
        return next(iter(self.addressed([f"{path}#"])), ("game", ""))

    def addressed(self, addresses: Iterator[str] | list[str]) -> list[Entity]:
        """Return what links lead to."""
        found: list[Entity] = []
        for address in addresses:
            known = [(kind, at[1]) for kind, pattern in ADDRESSES if (at := pattern.search(address))]
            if not known and (at := VOTES.search(address)):
                known = [("proposal", id_) for id_, each in self.facts.proposals.items()
                         if at[1] in (str(each.get("number")), id_.replace("/", "-"), id_.partition("/")[2])]  # fmt: skip
            found += known
        return found

    def about(self, figure: Figure) -> list[Entity]:
        """Return what a figure can be about: what is named beside it, what it stands in, and the subject of the page."""
        found: list[Entity] = []
        for node in figure.node.up():
            if node.tag in SCOPES and not found:
                found += self.addressed(links(node, figure.page))
            if at := re.fullmatch(r"(?:e|from-)(\d+)", node.attributes.get("id", ""), re.ASCII):
                found.append(("entry", at[1]))
        block = figure.node.within("h1", "h2", "h3", "h4")
        headed = re.match(r"(?:Rule )?([\w-]+)", block.text() if block else figure.node.heading)
        uid = self._uids.get(headed[1]) if headed else None
        return [*dict.fromkeys([*found, *([("rule", uid)] if uid else []), self.subject(figure.page)])]

    @cached_property
    def _uids(self) -> dict[str, str]:
        return self.facts.rules_by_number()

    def players_named(self, node: Node) -> list[str]:
        """Return the players whose names stand in an element."""
        words = node.text()
        found = (player for name, player in self.names.items() if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words))
        return [*dict.fromkeys(found)]

    # -- times

    def time(self, figure: Figure) -> str:
        """Return how a time is explained: it must be said rightly in the game's zone, and be one of its subject."""
        try:
            at = int(datetime.fromisoformat(figure.at).timestamp())
        except ValueError:
            return ""
        local = datetime.fromtimestamp(at, self.zone)
        clock = local.strftime("%H:%M:%S" if local.second else "%H:%M")
        if len(figure.at) > 10 and figure.written not in self._written(local, clock):
            return ""
        if len(figure.at) == 10 and figure.written not in self._days_written(datetime.fromisoformat(figure.at)):
            return ""
        about = self.about(figure)
        scope = figure.node.within("tr", "li", "article")
        begun = (
            self.addressed([*links(scope, figure.page)][:1]) if scope and scope.all("time")[0] is figure.node else []
        )
        if begun and begun[0][0] == "entry":
            return "time" if self._is(figure, at, moment_of(self.facts.by_seq[int(begun[0][1])])) else ""
        if any(self._is(figure, at, *self.facts.times_of(each)) for each in about):
            return "time"
        table = figure.node.within("table")
        if table and (heads := heads_of(table)[1:]) and all(head in self.names for head in heads):  # that of a chart
            return "time of a chart" if self._is(figure, at, *self.game_times) else ""
        if figure.page == "index.md":
            said = {at, f"{local:%Y-%m-%d %H:%M}", f"{local:%Y-%m-%d %H:%M:%S}", f"{local:%Y-%m-%d}", figure.at}
            if any(
                value in said or (isinstance(value, str) and any(str(each) in value for each in said))
                for value in self._leaves
            ):
                return "time shown"
        return (
            "time of the game"
            if self._is(figure, at, *self.game_times) and len(about) == 1 and about[0][0] in ("game", "player")
            else ""
        )

    def _is(self, figure: Figure, at: int, *known: int) -> bool:
        """Say whether a time is one of some, to the second; of a day alone, whether one of them is on it."""
        if len(figure.at) > 10:
            return at in known
        return any(f"{datetime.fromtimestamp(each, self.zone):%Y-%m-%d}" == figure.at for each in known)

    def _written(self, local: datetime, clock: str) -> set[str]:
        """Return how a page may write a moment: with its day or without; without seconds and the year of the game's end."""
        days, clocks = self._days_written(local), {clock, local.strftime("%H:%M")}
        return clocks | days | {f"{day}, {clock}" for day in days for clock in clocks}

    def _days_written(self, local: datetime) -> set[str]:
        day = f"{local:%a} {local.day} {local:%b}"
        this_year = local.year == datetime.fromtimestamp(self.facts.now, self.zone).year
        return {f"{day} {local.year}", *([day] if this_year else [])}

    @cached_property
    def game_times(self) -> set[int]:
        """The times that may stand where nothing else is named: of entries, and of what is to come."""
        return {moment_of(entry) for entry in self.facts.entries} | self.facts.times_of(("game", ""))

    # -- numbers

    def number(self, figure: Figure) -> str:
        """Return by which rule a number is what it must be, "" where it is not, "free" where no rule holds it."""
        for rule in (self._poll, self._history, self._range, self._name, self._balance, self._ledger_line,
                     self._over_time, self._alike, self._end_of_line, self._tally):  # fmt: skip
            if (how := rule(figure)) is not None:
                return how
        return "free"

    def _balance(self, figure: Figure) -> str | None:
        """Check what stands under or beside the name of a currency, for one player."""
        row = figure.node.within("tr", "dl")
        currency = self.facts.currencies.get(column(figure.node) or label(figure.node))
        if row is None or currency is None or figure.value is None:
            return None
        players = self.players_named(row) if row.tag == "tr" else [self.subject(figure.page)[1] or "game"]
        if len(players) != 1 or (row.all("time") and self._line_of(row, figure.page)):
            return None
        return "balance" if self.facts.balance(players[0], currency) == figure.value else ""

    def _line_of(self, row: Node, page: str) -> list[Any]:
        seqs = [int(name) for kind, name in self.addressed(links(row, page)) if kind == "entry"]
        return [line for line in self.facts.ledger if line.seq in seqs]

    def _ledger_line(self, figure: Figure) -> str | None:
        """Check a row that names an entry, an owner and a currency: its numbers are those of one change."""
        row = figure.node.within("tr")
        if row is None or figure.value is None or figure.node.within("a") is not None:
            return None
        cells = [each.text() for each in row.all("td")]
        table = figure.node.within("table")
        said = [*cells, *(heads_of(table) if table else []), *(re.sub(r"^[+−]?\d+ ", "", cell) for cell in cells)]
        named = [self.facts.currencies[each] for each in said if each in self.facts.currencies]
        if not named or not (lines := self._line_of(row, figure.page)):
            return None
        owners = self.players_named(row) or [self.subject(figure.page)[1]]
        mine = [
            line
            for line in lines
            if line.currency in named and (line.owner in owners or line.owner not in self.facts.roster)
        ]
        numbers = [
            each.value for each in figures(figure.page, row) if each.value is not None and each.node.within("a") is None
        ]
        for line in mine:
            if {line.change, line.after} <= set(numbers):
                return "ledger" if figure.value in (line.change, line.after) else "free"
        return "" if re.search(r"[+−]\d", row.text()) else None

    def _over_time(self, figure: Figure) -> str | None:
        """Check the table of a chart: a column for each player, a row for each moment."""
        table, row, head = figure.node.within("table"), figure.node.within("tr"), column(figure.node)
        if table is None or row is None or not row.all("time") or figure.value is None:
            return None
        player = self.names.get(head)
        if not player and head not in self.facts.currencies:
            return None
        at = int(datetime.fromisoformat(row.all("time")[0].attributes["datetime"]).timestamp())
        known = [currency for name, currency in self.facts.currencies.items() if name in table.heading] or [
            *self.facts.currencies.values()
        ]
        if not player:
            owners = {line.owner for line in self.facts.ledger} | {"game"}
            found = {self.facts.balance_at(owner, self.facts.currencies[head], at) for owner in owners}
            return "over time" if figure.value in found else None
        return "over time" if any(self.facts.balance_at(player, each, at) == figure.value for each in known) else ""

    def _end_of_line(self, figure: Figure) -> str | None:
        """Check the name of a player with a number behind it, as the line of a chart is named: what they have now."""
        block = figure.node.within("text", "li")
        found = re.fullmatch(r"(.+?)(…?) ([−-]?\d+)", block.text()) if block else None
        if figure.node.within("desc"):
            found = re.search(
                rf"(?:^|; )([^;]+?)()(?: ends at)? {re.escape(figure.written)}(?:;|$)", figure.block.text()
            )
        names = [
            name for name in self.names if found and (name == found[1] or (found[2] and name.startswith(found[1])))
        ]
        known = [currency for name, currency in self.facts.currencies.items() if name in figure.node.heading]
        if not names or figure.value is None:
            return None
        known, player = known or [*self.facts.currencies.values()], self.names[names[0]]
        scene = next((each for each in figure.node.up() if each.parent and each.parent.attributes.get("class") == "story"),
                     None)  # fmt: skip
        if scene is None:
            return "end of a line" if any(self.facts.balance(player, each) == figure.value for each in known) else ""
        seq = int(next(name for kind, name in self.addressed(links(scene, figure.page)) if kind == "entry"))
        return "over time" if any(self._held_after(player, each, seq) == figure.value for each in known) else ""

    def _held_after(self, player: str, currency: str, seq: int) -> int | None:
        """Return how much of a currency a player had after an entry."""
        mine = [line for line in self.facts.ledger if (line.owner, line.currency) == (player, currency)]
        past = [line.after for line in mine if line.seq <= seq]
        return past[-1] if past else mine[0].before if mine else self.facts.balance(player, currency)

    def _alike(self, figure: Figure) -> str | None:
        """Check how often the player of a page and one in a list of theirs voted the same."""
        item, own = figure.node.within("li"), self.subject(figure.page)
        if item is None or own[0] != "player" or figure.node.heading != "Votes like" or figure.value is None:
            return None
        others = self.players_named(item)
        decided = [each["ballots"] for each in self.facts.proposals.values() if each.get("outcome")]
        cast = [
            {who: each.get("choice") for who, each in ballots.items() if not each.get("deemed")} for ballots in decided
        ]
        alike = {sum(other in each and each.get(own[1]) == each[other] for each in cast) for other in others}
        return "alike" if figure.value in alike else ""

    def _range(self, figure: Figure) -> str | None:
        """Check from where to where a part of the journal reaches."""
        last, found = self.facts.entries[-1]["seq"], re.match(r"(?:\w+ )?(\d+) – (\d+)\b", figure.block.text())
        if not found or "journal" not in figure.page or figure.written not in found.groups():
            return None
        first, end = int(found[1]), int(found[2])
        known = {first, end} <= {each["seq"] for each in self.facts.entries}
        return "range" if known and end in (last, *range(100, last, 100)) and first % 100 == 1 else ""

    def _history(self, figure: Figure) -> str | None:
        """Check how many entries and turns there are, from which entry to which a part reaches, and which turn a link means."""
        if "journal" not in figure.page:
            return None
        words = figure.block.text()
        begun, last = self.facts.turns_begun, self.facts.entries[-1]["seq"]
        if found := re.match(r"(\d+) entries(?: in (\d+) turns)?, newest first", words):
            said = (int(found[1]), int(found[2] or len(begun)))
            return "count" if said == (len(self.facts.entries), len(begun)) else ""
        if found := re.search(r"\bentr(?:y|ies) (\d+)(?: to (\d+))?$", words):
            if figure.written not in found.groups():
                return None
            first, end = int(found[1]), int(found[2] or found[1])
            days = [f"{datetime.fromtimestamp(moment_of(each), self.zone):%j %Y}" for each in self.facts.entries]
            ends = {*begun} or {n for n in range(1, last) if days[n] != days[n - 1]}
            ends |= {0, last, *range(100, last, 100)}
            return "range" if end in ends and first - 1 in ends | {last - 80} and first <= end else ""
        if found := re.search(r"#turn-(\d+)$", figure.link()):
            return "turn" if figure.value in self.facts.turns and int(found[1]) <= len(begun) else ""
        return None

    def _poll(self, figure: Figure) -> str | None:
        """Check what a page says of a vote: how many said what, or did not vote, a result as 6–0, how often what came."""
        if figure.page[:4] not in {name[:4] for name in self.facts.proposals}:
            return None
        near = figure.node.parent.parent if figure.node.parent and figure.node.parent.tag == "b" else figure.node.parent
        text = near.text() if near and figure.value is not None else ""
        voted = [self.facts.proposals[name] for kind, name in self.about(figure) if kind == "proposal"][:1]
        if (
            near is not None
            and near.tag == "p"
            and self.subject(figure.page)[0] == "game"
            and re.match(r"\d+ \w+:", text)
        ):
            return self._outcomes(figure, text)
        if not voted or len(text) > 400:
            return None
        ballots = [each for each in voted[0]["ballots"].values() if each.get("counts", True)]
        weights = Counter[str]()
        for each in ballots:
            weights[str(each.get("choice"))] += each.get("weight", 1)
        outcome = re.escape(str(voted[0].get("outcome") or "none").replace("_", " "))
        result = re.search(rf"{outcome} (\d+)(?:–| to )(\d+)", text, re.IGNORECASE)
        if result and figure.written in result.groups():
            sides = [sum(n for word, n in weights.items() if word.lower() in words) for words in SIDES]
            return "tally" if [*map(int, result.groups())] == sides else ""
        silent = sum(voter not in voted[0]["ballots"] for voter in voted[0].get("electorate") or ())
        said = {"not yet": silent, "did not vote": silent, "voted": len(voted[0]["ballots"]), **weights}
        pairs = [words.strip() for n, words in re.findall(r"(\d+) ([^\d,;.:]+)", text) if n == figure.written]
        known = [words for words in pairs if words in said or words.lower() in SIDES[0] + SIDES[1]]
        if not known or known != pairs:
            return None
        return "tally" if all(said.get(words, 0) == figure.value for words in known) else ""

    def _outcomes(self, figure: Figure, text: str) -> str:
        """Check the sentence above a list of what was voted on: how many there are, and what came of how many."""
        folder = figure.page.partition("/")[0]
        listed = [each for name, each in self.facts.proposals.items() if name.startswith(folder[:4])]
        ends = Counter(str(each.get("outcome") or "not decided yet").replace("_", " ") for each in listed)
        parts = [(int(n), words.strip()) for n, words in re.findall(r"(\d+) ([^\d,.:]+)", text)]
        rightly = parts[0][0] == len(listed) and all(ends[words] == n for n, words in parts[1:])
        return "tally" if rightly else ""

    def _tally(self, figure: Figure) -> str | None:
        """Check how many ballots of a choice there are: a number before a choice, for one thing voted on."""
        words = re.split(r"[^\w]", figure.after)[0]
        voted = [self.facts.proposals[name] for kind, name in self.about(figure) if kind == "proposal"]
        said = f"{figure.block.text()} "
        voted = voted or [each for id_, each in self.facts.proposals.items()
                          if f" {id_.partition('/')[0]} {each.get('number')} " in said]  # fmt: skip
        if len(voted) != 1 or figure.value is None:
            return None
        choices = Counter(str(each.get("choice")) for each in voted[0]["ballots"].values())
        counted = Counter(str(each.get("choice")) for each in voted[0]["ballots"].values() if each.get("counts"))
        if words not in choices:
            return None
        if figure.node.within("li", "summary") and self.subject(figure.page)[0] != "proposal":  # some ballots of a day
            effects = [effect for entry in self.facts.entries for effect in entry.get("effects") or ()]
            cast = [each for each in effects if each.get("effect") == "ballot" and str(each.get("choice")) == words]
            return "ballots" if 0 < figure.value <= sum(each["of"] == voted[0]["id"] for each in cast) else ""
        weights = [each.get("weight", 1) for each in voted[0]["ballots"].values() if str(each.get("choice")) == words]
        return "tally" if figure.value in (choices[words], counted[words], sum(weights)) else ""

    def _name(self, figure: Figure) -> str | None:
        """Check a number in the name of a link, or of what is voted on: it must be that of what is meant."""
        known = self.addressed([figure.link()]) if figure.link() else []
        if not known:
            beside = figure.node.within("details", "li", "tr", "article", "section")
            named = self.addressed(links(beside, figure.page)) if beside else []
            voted = [self.facts.proposals[name] for kind, name in named if kind == "proposal"]
            of_kind = [each for each in voted if str(each["id"]).startswith(f"{figure.before}/")]
            return "name" if any(str(each.get("number")) == figure.written for each in of_kind) else None
        for kind, name in known:
            numbers = {name, *NUMBERS.findall(name)}
            if kind == "rule":
                revisions = self.facts.revisions(name)
                called = {str(each.get("rule")) for each in revisions} | {str(self.facts.law[name]["number"])}
                numbers |= {part for number in called for part in (number, *NUMBERS.findall(number))}
                numbers |= {str(each.get("revision")) for each in revisions}
                numbers |= set(NUMBERS.findall(" ".join(str(each.get("called") or "") for each in revisions)))
            elif kind == "proposal":
                numbers |= {str(self.facts.proposals[name].get("number"))}
            if figure.written in numbers:
                return "name"
        link = figure.node.within("a")
        begins = re.match(r"(\w+) (\d+)(?!\d)", link.text()) if link else None
        if begins and begins.groups() == (known[0][0], figure.written) and figure.node.words.startswith(begins[0]):
            return ""  # the link names what it leads to, and nobody is quoted
        return "free"

    @cached_property
    def _leaves(self) -> list[Any]:
        return [value for page in self.shown.values() for value in inside(page) if isinstance(value, (int, str))]

    # -- charts

    def charts(self, path: str, root: Node) -> Iterator[Finding]:
        """Yield the lines of charts that do not go through the values of the table below them."""
        for table in root.all("table"):
            drawing = next((each for each in reversed(root.all("svg")) if self._is_chart_of(each, table)), None)
            if drawing is None:
                continue
            rows = [each for each in table.all("tr") if each.all("time")][::-1]
            cells = [[cell.text().replace("−", "-") for cell in row.children if cell.tag == "td"][1:] for row in rows]
            if not all(re.fullmatch(r"-?\d*", value) for row in cells for value in row):
                continue
            columns = [[int(value) for value in column if value] for column in zip(*cells, strict=True)]
            drawn = [each for each in drawing.all("path") if len(re.findall("[MV]", each.attributes.get("d", ""))) > 0]
            for line, values in zip(drawn, columns, strict=False):
                if not self._goes_through(drawing, line.attributes["d"], values):
                    yield f"a line in {path}: {table.heading}: {line.attributes['d'][:80]}, which is not {values}"

    @staticmethod
    def _is_chart_of(drawing: Node, table: Node) -> bool:
        numbered = any(
            each.attributes.get("text-anchor") == "end" for each in drawing.all("text")
        )  # which boards are not
        same = drawing.heading == table.heading and bool(drawing.all("path")) and numbered
        return same and any(row.all("time") for row in table.all("tr")) and len(table.all("tr")) < 90

    @staticmethod
    def _goes_through(drawing: Node, path: str, values: list[int]) -> bool:
        """Say whether a line of steps has the heights of some values, to a pixel, by the numbers of its axis."""
        alone = [(float(each.attributes.get("y", 0)), int(each.text().replace("−", "-")))
                 for each in drawing.all("text")
                 if re.fullmatch(r"[−-]?\d+", each.text()) and each.attributes.get("text-anchor") == "end"]  # fmt: skip
        (top, high), (bottom, low) = min(alone), max(alone)
        steps = [int(each) for each in re.findall(r"(?:M-?\d+ |V|L-?\d+ )(-?\d+)", path)]
        expected = [bottom + (value - low) * (top - bottom) / (high - low) for value in values]
        offset = steps[-1] - expected[-1]  # the words stand a little lower than their line
        wanted = [each for place, each in enumerate(expected) if not place or each != expected[place - 1]]
        found = [each for place, each in enumerate(steps) if not place or each != steps[place - 1]]
        wanted_there = all(any(abs(each + offset - step) <= 2 for step in found) for each in wanted)
        return (
            abs(offset) <= 6
            and wanted_there
            and all(any(abs(each + offset - step) <= 2 for each in wanted) for step in found)
        )
