// The bar of time: the law of a game as it stood at any moment, or as it changed between two of them, word by word.
// It reads `law.json`, which holds every wording of every rule, when a reader first moves the bar; what it shows is
// put into the page as text. The moments stand in the address (#at=57&since=12, without `at` up to now; or
// #submission=305 for the law that governs what was submitted under that number), so that they can be passed on.

const MOST_PAIRS = 4e6;
const WRAPPED = /(?<=[^\n])\n(?=[^\n\s*+\-#>|\d])/g;  // a line end inside a paragraph
const ADDRESSED = /[#&](at|since|submission)=/;
const said = await saying();
let game;  // the address of the game's files

const made = (tag, values = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
};

const labelled = (words, control) => made("label", {}, words, " ", control);

// The words of a text, with the blanks behind each.
const words = text => text.match(/\S+\s*/g) ?? [];

// What stayed, was struck and was added, as [kind, words]; what is too long to compare is one replacement.
export const compared = (before, after) => {
  const a = words(before), b = words(after), same = (x, y) => x.trim() === y.trim();
  let first = 0, last = 0;
  while (first < a.length && first < b.length && same(a[first], b[first])) first++;
  while (last < a.length - first && last < b.length - first && same(a.at(-1 - last), b.at(-1 - last))) last++;
  const old = a.slice(first, a.length - last), now = b.slice(first, b.length - last), runs = [];
  const add = (kind, word) => {
    if (runs.at(-1)?.[0] === kind) runs.at(-1)[1] += word;
    else runs.push([kind, word]);
  };
  b.slice(0, first).forEach(word => add("", word));
  if (old.length * now.length > MOST_PAIRS) {
    add("del", old.join(""));
    add("ins", now.join(""));
  } else {
    const width = now.length + 1, longest = new Uint32Array((old.length + 1) * width);
    for (let i = old.length - 1; i >= 0; i--)
      for (let j = now.length - 1; j >= 0; j--)
        longest[i * width + j] = same(old[i], now[j]) ? longest[(i + 1) * width + j + 1] + 1
          : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    for (let i = 0, j = 0; i < old.length || j < now.length;) {
      if (i < old.length && j < now.length && same(old[i], now[j])) { add("", now[j++]); i++; }
      else if (j >= now.length || (i < old.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) add("del", old[i++]);
      else add("ins", now[j++]);
    }
  }
  b.slice(b.length - last).forEach(word => add("", word));
  return runs;
};

const dayOf = each => (each.since ?? "").slice(0, 10);

// Whether a revision was there at a moment: an entry that brought a past along has a moment for every day of it.
const reached = (each, moment) =>
  (each.entry ?? 0) < moment.seq || ((each.entry ?? 0) === moment.seq && dayOf(each) <= dayOf(moment));

// Each rule's wording in force after a moment, by lasting id; a repealed rule has none.
const asOf = (rules, moment) => {
  const found = new Map();
  for (const rule of rules) {
    const then = rule.revisions.filter(each => reached(each, moment)).at(-1);
    if (then && !then.repealed) found.set(rule.id, then);
  }
  return found;
};

// Each rule's wording that governs what was submitted under a number: the latest that applies from there on.
const governing = (rules, number) => {
  const found = new Map();
  for (const rule of rules) {
    const then = rule.revisions.filter(each => (each.applies_from ?? 0) <= number).at(-1);
    if (then && !then.repealed) found.set(rule.id, then);
  }
  return found;
};

const momentsOf = rules => {
  const found = new Map();
  for (const rule of rules) for (const each of rule.revisions) {
    const key = `${each.entry ?? 0}@${dayOf(each)}`, before = found.get(key)?.since ?? "";
    if (before <= (each.since ?? "")) found.set(key, { seq: each.entry ?? 0, since: each.since ?? "", cause: each.cause });
  }
  const sorted = [...found.values()].sort(earlier);
  // A moment is addressed by its entry; of several in one entry all but the last by their day, too.
  return sorted.map((each, n) => ({ ...each, address: sorted[n + 1]?.seq === each.seq ? `${each.seq}@${dayOf(each)}` : `${each.seq}` }));
};

const earlier = (one, two) => one.seq - two.seq || (dayOf(one) < dayOf(two) ? -1 : 1);

const marked = (before, after) =>
  compared(before, after).map(([kind, text]) => kind ? made(kind, { textContent: text }) : text);

const named = each => `${each.number} ${each.title}`;

const by = (kind, id) => kind === "founding" ? "" : kind === "proposal" ? said("by proposal {id}", { id }) : said("by {cause}", { cause: id ? `${kind} ${id}` : kind });

const namedMoment = ({ seq, since, cause }) =>
  [said("entry {seq}", { seq }), since.slice(0, 10), cause && by(...cause.split("/"))].filter(Boolean).join(", ");

// What changed a rule after one moment, up to another.
const changed = (rule, since, at) =>
  rule.revisions.filter(each => !reached(each, since) && reached(each, at))
    .map(each => namedMoment({ seq: each.entry ?? 0, since: each.since ?? "", cause: each.cause })).join("; ");

// `at` and `since` (null: nothing is compared) are what is shown: the wordings by lasting id as `law`, and a `name`.
function show(list, told, rules, at, since) {
  const now = at.law, before = since?.law, known = new Map(rules.map(rule => [rule.id, rule]));
  const ids = [...new Set([...now.keys(), ...(before?.keys() ?? [])])];
  const number = id => (now.get(id) ?? before.get(id)).number;
  ids.sort((one, two) => number(one).localeCompare(number(two), "en", { numeric: true }));
  const parts = [];
  let count = 0;
  for (const id of ids) {
    const then = before?.get(id), after = now.get(id);
    if (before && then && after && named(then) === named(after) && then.text === after.text) continue;
    const title = before ? marked(then ? named(then) : "", after ? named(after) : "") : [named(after)];
    const wording = each => each?.text === null ? said("The wording is not known.") : (each?.text ?? "").replace(WRAPPED, " ");
    const text = before ? marked(wording(then), wording(after)) : [wording(after)];
    const link = made("a", { href: new URL(known.get(id).page, game).href }, ...title);
    count++;
    parts.push(made("h2", {}, link));
    if (before && at.seq !== undefined && since.seq !== undefined)
      parts.push(made("p", { className: "small soft", textContent: changed(known.get(id), since, at) }));
    parts.push(made("div", { className: "words redline", dir: "auto" }, made("p", {}, ...text)));
  }
  list.replaceChildren(...parts);
  const fields = { at: at.name, since: since?.name ?? "", count };
  told.textContent = before ? said("Rules that differ between {since} and {at}: {count}.", fields)
    : at.submission ? said("Rules that govern submission {number}: {count}.", { ...fields, number: at.submission })
    : said("Rules in force after {at}: {count}.", fields);
}

// The controls of one of two moments: a bar, a day, the number of an entry. `draw` is called when they change.
function picker(words, moments, draw) {
  const most = moments.length - 1;
  const bar = made("input", { type: "range", min: "0", max: String(most), value: String(most) });
  const day = made("input", { type: "date" }), entry = made("input", { type: "number", min: "0" });
  const moment = () => moments[+bar.value];
  const find = fits => { bar.value = String(Math.max(0, moments.findLastIndex(fits))); };
  const tell = () => {
    bar.setAttribute("aria-valuetext", namedMoment(moment()));
    entry.value = moment().seq;
    day.value = moment().since.slice(0, 10);
  };
  const to = address => {
    const [seq, since] = address.split("@");
    find(each => since === undefined ? each.seq <= +seq : reached({ entry: each.seq, since: each.since }, { seq: +seq, since }));
    tell();
  };
  const act = fits => { if (fits) find(fits); tell(); draw(); };
  bar.addEventListener("input", () => act());
  day.addEventListener("change", () => day.value && act(each => each.since.slice(0, 10) <= day.value));
  entry.addEventListener("change", () => entry.value !== "" && act(each => each.seq <= +entry.value));
  tell();
  const group = made("fieldset", {}, made("legend", { textContent: words }), labelled(said("Moment"), bar),
    labelled(said("day"), day), labelled(said("entry"), entry));
  return { bar, group, moment, to };
}

function shown(place, law) {
  const rules = [...law.rules, ...law.repealed], moments = momentsOf(rules);
  if (!moments.length) return;
  const told = made("p", { className: "lead" }), list = made("div", { className: "stack" });
  told.setAttribute("role", "status");
  const both = made("input", { type: "checkbox" }), submission = made("input", { type: "number", min: "0" });
  const draw = () => {
    since.group.hidden = !both.checked;
    const ends = both.checked ? [since.moment(), at.moment()].sort(earlier) : [null, at.moment()];
    const [then, now] = ends.map(each => each && { ...each, law: asOf(rules, each), name: namedMoment(each) });
    const governed = submission.value === "" ? null : { submission: submission.value, law: governing(rules, +submission.value), name: said("submission {number}", { number: submission.value }) };
    show(list, told, rules, governed ?? now, governed ? both.checked ? then : null : then);
    history.replaceState(null, "", governed ? `#submission=${submission.value}` : `#at=${at.moment().address}${both.checked ? `&since=${since.moment().address}` : ""}`);
  };
  const alone = () => { submission.value = ""; draw(); };
  const at = picker(said("As of"), moments, alone), since = picker(said("and as of"), moments, alone);
  const follow = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.has("at")) at.to(asked.get("at"));
    both.checked = asked.has("since");
    if (both.checked) since.to(asked.get("since"));
    submission.value = asked.get("submission") ?? "";
    draw();
  };
  addEventListener("hashchange", () => ADDRESSED.test(location.hash) && follow());
  both.addEventListener("change", draw);
  submission.addEventListener("change", draw);
  const form = made("form", { className: "moments" }, at.group, labelled(said("compare"), both), since.group,
    labelled(said("or as it governs the submission of number"), submission));
  form.addEventListener("submit", event => event.preventDefault());
  place.replaceChildren(form, told, list);
  at.bar.focus();
  follow();
}

async function start(place) {
  const open = made("button", { type: "button", className: "btn", textContent: said("Show the rules as of any moment") });
  place.append(open);
  const begin = async () => {
    open.disabled = true;
    let law;
    try {
      law = await (await fetch(place.dataset.law)).json();
    } catch {
      open.disabled = false;
      place.append(made("p", { role: "alert", textContent: said("The law's past cannot be fetched now.") }));
      return;
    }
    game = new URL(place.dataset.law, location.href).href;
    shown(place, law);
  };
  open.addEventListener("click", begin);
  const addressed = () => { if (open.isConnected && !open.disabled && ADDRESSED.test(location.hash)) return begin(); };
  addEventListener("hashchange", addressed);
  await addressed();
}

for (const place of document.querySelectorAll(".fm-time[data-law]")) start(place);
