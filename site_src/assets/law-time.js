// The bar of time: the law of a game as it stood at any moment, or as it changed between two of them, word by word.
// It reads `law.json`, which holds every wording of every rule, when a reader first moves the bar; what it shows is
// put into the page as text. The moments stand in the address (#at=57&since=12), so that they can be passed on.

const MOST_PAIRS = 4e6;

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

// Each rule's wording in force after entry `seq`, by lasting id; a repealed rule has none.
const asOf = (rules, seq) => {
  const found = new Map();
  for (const rule of rules) {
    const then = rule.revisions.filter(each => (each.entry ?? 0) <= seq).at(-1);
    if (then && !then.repealed) found.set(rule.id, then);
  }
  return found;
};

const momentsOf = rules => {
  const found = new Map();
  for (const rule of rules) for (const each of rule.revisions) found.set(each.entry ?? 0, each);
  return [...found].sort((one, two) => one[0] - two[0]).map(([seq, each]) => ({ seq, since: each.since ?? "", cause: each.cause }));
};

const marked = (before, after) =>
  compared(before, after).map(([kind, text]) => kind ? made(kind, { textContent: text }) : text);

const named = each => `${each.number} ${each.title}`;

function show(list, told, rules, at, since) {
  const now = asOf(rules, at.seq), before = since ? asOf(rules, since.seq) : null;
  const ids = [...new Set([...now.keys(), ...(before?.keys() ?? [])])];
  const number = id => (now.get(id) ?? before.get(id)).number;
  ids.sort((one, two) => number(one).localeCompare(number(two), "en", { numeric: true }));
  const parts = [];
  for (const id of ids) {
    const then = before?.get(id), after = now.get(id);
    if (!before) {
      parts.push(made("h2", { textContent: named(after) }), made("div", { className: "fm-redline", dir: "auto", textContent: after.text }));
      continue;
    }
    if (then && after && named(then) === named(after) && then.text === after.text) continue;
    parts.push(made("h2", {}, ...marked(then ? named(then) : "", after ? named(after) : "")),
      made("div", { className: "fm-redline", dir: "auto" }, ...marked(then?.text ?? "", after?.text ?? "")));
  }
  list.replaceChildren(...parts);
  const day = moment => `entry ${moment.seq}${moment.since ? `, ${moment.since.slice(0, 10)}` : ""}${moment.cause ? `, by ${moment.cause.replace("/", " ")}` : ""}`;
  told.textContent = before
    ? `${parts.length / 2} rule${parts.length === 2 ? " differs" : "s differ"} between ${day(since)} and ${day(at)}.`
    : `${now.size} rules in force after ${day(at)}.`;
}

async function start(place) {
  const open = made("button", { type: "button", textContent: "Show the law as of a moment" });
  place.append(open);
  const begin = async () => {
    open.disabled = true;
    let law;
    try {
      law = await (await fetch(place.dataset.law)).json();
    } catch {
      open.disabled = false;
      place.append(made("p", { role: "alert", textContent: "The law's past cannot be fetched now." }));
      return;
    }
    const rules = [...law.rules, ...law.repealed], moments = momentsOf(rules);
    if (!moments.length) return;
    const most = String(moments.length - 1);
    const bar = () => made("input", { type: "range", min: "0", max: most, value: most });
    const at = bar(), since = bar(), day = made("input", { type: "date" }), both = made("input", { type: "checkbox" });
    const told = made("p", { className: "fm-lead" }), list = made("div", { className: "fm" });
    told.setAttribute("role", "status");
    const earlier = labelled("and as of", since);
    const draw = () => {
      earlier.hidden = !both.checked;
      const now = moments[+at.value], then = both.checked ? moments[+since.value] : null;
      for (const [input, moment] of [[at, now], [since, then]])
        if (moment) input.setAttribute("aria-valuetext", `entry ${moment.seq}, ${moment.since.slice(0, 10)}`);
      show(list, told, rules, now, then && then.seq > now.seq ? now : then);
      history.replaceState(null, "", `#at=${now.seq}${then ? `&since=${then.seq}` : ""}`);
    };
    const find = seq => String(Math.max(0, moments.findLastIndex(each => each.seq <= seq)));
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.has("at")) at.value = find(+asked.get("at"));
    if (asked.has("since")) { both.checked = true; since.value = find(+asked.get("since")); }
    day.addEventListener("change", () => {
      if (!day.value) return;
      at.value = String(Math.max(0, moments.findLastIndex(each => each.since.slice(0, 10) <= day.value)));
      draw();
    });
    for (const input of [at, since]) input.addEventListener("input", draw);
    both.addEventListener("change", draw);
    place.replaceChildren(made("form", { className: "fm-time__bar" },
      labelled("As of", at), labelled("or the day", day), labelled("compare", both), earlier), told, list);
    at.focus();
    draw();
  };
  open.addEventListener("click", begin);
  if (location.hash.includes("at=")) await begin();
}

for (const place of document.querySelectorAll(".fm-time[data-law]")) start(place);
