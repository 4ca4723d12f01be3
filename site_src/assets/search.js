// The search: a dialog that asks first what pages are called, of which a browser fetches a few KB, and shows that at once;
// then Pagefind's index, of which it fetches only the parts that hold what is typed.
// What comes out of both is put into pages as text; the marks around the words found are made here anew.
const SHOWN = 10, NAMED = 5, BEGINNING = 3, LETTERS = 5;
// Milliseconds: the pauses in typing before the index is asked, and since when nobody types who has not typed.
const SHORTEST = 100, LONGEST = 250, STILL = 400;
const ranking = { termFrequency: .6, termSimilarity: 6, metaWeights: { title: 8 } };
const options = { noWorker: true, excerptLength: 24, ranking };  // a worker is as large as the program once more
const index = new URL("../pagefind/", import.meta.url).href;
let dialog, field, told, list, found = [], parts = [], replaced = new Set(), asked = "", loading, merging;
let changing, named = [], typed = 0, cost = 0;

const said = (text, fields = {}) => text.replace(/\{(\w+)\}/g, (field, name) => fields[name] ?? field);

const made = (tag, values = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
};

const merged = (pagefind, name) => pagefind.mergeIndex(new URL(`${name}/`, index).pathname, options);

const changed = () => changing ??= fetch(`${index}recent.json`, { cache: "no-cache" }).then(answer => answer.json());

// Pages that changed lately stand in an index of their own; what the large ones say of them counts no more.
const recent = async pagefind => {
  const changes = await changed();
  replaced = new Set(changes.replaced);
  parts = changes.parts ?? [];
  if (changes.recent) await merged(pagefind, "recent");
};

// Each sign of a script without spaces is a word of its own; `unspaced_scripts.py` parts and joins in the same way.
const SIGNS = "[\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3001-\\u303f\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff01-\\uffef\\u{20000}-\\u{3ffff}]";
const borders = new RegExp(`(?<=${SIGNS})(?=${SIGNS}|[\\p{L}\\p{N}])|(?<=[\\p{L}\\p{N}])(?=${SIGNS})`, "gu");
const between = new RegExp(`(${SIGNS}(?:</mark>)?) (?=(?:<mark>)?${SIGNS})`, "gu"), alone = new RegExp(`^(?:${SIGNS} ?)+$`, "u");
const parted = text => text.replace(borders, " ");
const joined = text => text.replace(between, "$1");
const query = words => alone.test(words) ? `"${parted(words)}"` : parted(words);  // one behind the other, where there is nothing else

const isNumber = word => /\d/.test(word);
const enough = word => isNumber(word) ? word.length : Math.ceil(word.length / 2);  // letters of it that were found
const letters = text => parted(text.toLowerCase()).match(/[\p{L}\p{N}]+/gu) ?? [];

// What is in small files by the beginnings of words; `page_names.py` says in the same way in which of them.
const files = new Map();
const bucket = (word, count) =>
  [...word].slice(0, BEGINNING).reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 65521, 0) % count;
const kept = (folder, word, count) => {
  const name = `${folder}/${bucket(word, count)}.json`;
  if (!files.has(name)) files.set(name, fetch(`${index}${name}`, { cache: "no-cache" }).then(answer => answer.json()));
  return files.get(name);
};

// Returns which of the further indexes may hold pages that fit (see `fits`), the others need not be fetched for them.
const holding = async words => {
  const count = (await changed()).words ?? 0, asked = letters(words).filter(word => word.length >= BEGINNING);
  if (!count || !asked.length) return parts;
  const masks = await Promise.all(asked.map(async word => {
    const start = word.slice(0, Math.min(LETTERS, Math.max(BEGINNING, enough(word))));
    return Object.entries(await kept("words", start, count)).reduce((all, [each, mask]) => each.startsWith(start) ? all | mask : all, 0);
  }));
  const mask = masks.reduce((all, each) => all & each, ~0);
  return parts.filter(name => mask >> Math.min(name.split("-")[1], 30) & 1);
};

// A large site has further indexes, which are fetched one after the other where too little was found.
const further = (pagefind, name) => merging = (merging ?? Promise.resolve()).then(() => {
  if (!parts.includes(name)) return;
  parts = parts.filter(each => each !== name);
  return merged(pagefind, name);
});

const loaded = () => {
  changed().catch(() => {});  // meanwhile; whoever waits for it hears of it
  return loading ??= import(`${index}pagefind.js`).then(async pagefind => {
    await pagefind.options(options);
    await Promise.all([pagefind.init(), recent(pagefind)]);
    return pagefind;
  });
};

const failed = () => { loading = changing = undefined; files.clear(); };
export const warm = () => { loaded().catch(failed); };

// An excerpt comes as text of HTML with <mark> around what was found: only its words are read.
const marked = excerpt => {
  const parsed = new DOMParser().parseFromString(joined(excerpt), "text/html").body;
  return [...parsed.childNodes].map(node =>
    node.nodeName === "MARK" ? made("mark", { textContent: node.textContent }) : node.textContent);
};

const shown = result => {
  const title = joined(result.meta.title ?? ""), by = joined(result.meta.game ?? "");
  const link = made("a", { href: result.url, textContent: title || result.url });
  const game = by && by !== title ? ` · ${by}` : "";
  const item = made("li", {}, link, made("span", { className: "fm-more", textContent: game }));
  return filled(item, result);
};

const filled = (item, { excerpt, id }) => {
  if (excerpt) item.append(made("p", {}, ...marked(excerpt)));
  if (id) item.dataset.entry = id;
  return item;
};

// What is called as was typed comes first ("rule 306", "306"), then what was once called so.
const rank = (words, { title = "", former = "" }) => {
  const asked = words.toLowerCase(), name = title.toLowerCase().split(":")[0];
  if (name === asked || name.split(" ").at(-1) === asked) return 0;
  const once = former.toLowerCase().replace(/\.$/, "").split(", ");
  return once.some(each => ` ${each}`.endsWith(` ${asked}`)) ? 1 : 2;
};

const counted = (words, count) => {
  if (!words) return "";
  if (count === 1) return parts.length ? said("1 page found so far") : said("1 page found");
  return parts.length ? said("{count} pages found so far", { count }) : said("{count} pages found", { count });
};

// Takes what the indexes fetched so far know beside what is shown already.
const take = (words, answer) => {
  const seen = new Set([...list.children].map(each => each.dataset.entry));
  const known = answer.results.filter(each => !replaced.has(each.id));
  found = known.filter(each => !seen.has(each.id));
  told.textContent = counted(words, known.length);
};

// Returns the pages that are called, or were, as somebody typed: numbers whole, other words by their beginning. Of the
// numbers none is left out; of a word that is in very many names a few are there, and the index has the others.
const called = async words => {
  const asked = letters(words), count = (await changed()).names;
  if (!count || !asked.length) return [];
  const leading = asked.find(isNumber) ?? asked.reduce((one, two) => two.length > one.length ? two : one);
  const fits = (words, word) => words.includes(word) || !isNumber(word) && word.length >= BEGINNING && words.some(each => each.startsWith(word));
  const pages = (await kept("names", leading, count)).filter(([, title, , former]) => {
    const own = letters(`${title} ${former}`);
    return asked.every(word => fits(own, word));
  });
  const meant = words.toLowerCase();
  const place = ({ meta, name = meta.title.toLowerCase() }) => isNumber(words) ? rank(words, meta)
    : name === meant || name.endsWith(`: ${meant}`) ? 0 : name.startsWith(meant) || name.includes(`: ${meant}`) ? 1 : 2;
  return pages.map(([url, title, game, former]) => ({ url: new URL(`..${url}`, index).pathname, meta: { title, game, former } }))
    .sort((one, two) => place(one) - place(two)).slice(0, isNumber(words) ? SHOWN : NAMED);
};

// Shows these at once, before the index is asked.
const name = async words => {
  const pages = await called(words).catch(() => []);
  if (words !== asked) return;
  named = pages.map(shown);
  if (!named.length) return;
  list.replaceChildren(...named);
  told.textContent = "";
  await new Promise(done => setTimeout(done));  // so that a browser can draw them
};

// Where an index knows no word that begins as one that was typed, it answers with a beginning of that one ("or" for
// "orrery"). A result fits if of each word at least half was found, and of a number all.
const fits = (words, { content = "", locations = [], meta }) => {
  const all = content.split(/\s+/), found = [...locations.map(place => all[place] ?? ""), meta.title ?? ""].flatMap(letters);
  return letters(words).every(word => found.some(each => each.startsWith(word.slice(0, enough(word)))));
};

const next = async words => {
  const results = await Promise.all(found.splice(0, SHOWN).map(async each => ({ ...await each.data(), id: each.id })));
  results.sort((one, two) => fits(words, two) - fits(words, one));
  if (/\d/.test(words)) results.sort((one, two) => rank(words, one.meta) - rank(words, two.meta));
  return results;
};

const append = (words, results) => {
  const there = new Map([...list.children].map(item => [item.querySelector("a").pathname, item]));
  for (const each of results) {
    const item = there.get(new URL(each.url, location).pathname);
    if (item) filled(item, each);
    else list.append(shown(each));
  }
  dialog.querySelector(".fm-search__more").hidden = !words || !found.length && !parts.length;
};

const more = async () => {
  const words = asked, before = list.childElementCount, pagefind = await loaded();
  while (parts.length && found.length < SHOWN && words === asked) {
    await further(pagefind, parts[0]);
    take(words, await pagefind.search(query(words)));
  }
  const results = await next(words);
  if (words !== asked) return;
  append(words, results);
  list.children[before]?.querySelector("a").focus();
};

// How long to wait until nobody types on: the longer the longer the last search took. Of one letter or two there is too
// much to begin at once.
const pause = words => {
  const now = performance.now(), isStill = now - typed > STILL, isShort = words.length < BEGINNING;
  typed = now;
  return isShort ? LONGEST : isStill ? 0 : Math.min(LONGEST, Math.max(SHORTEST, cost));
};

// What is called so is there at once; the index is asked when nobody types on, and not soon where there is something
// to read already.
const ready = async words => {
  const began = performance.now(), wait = pause(words);
  warm();
  await name(words);
  const rest = (named.length ? LONGEST : wait) - (performance.now() - began);
  if (rest > 0) await new Promise(done => setTimeout(done, rest));
  return words === asked ? loaded() : undefined;
};

// Shows what the indexes fetched so far know, and fetches the next one as long as that is too little.
const search = async () => {
  const words = asked = field.value.trim();
  try {
    const pagefind = await ready(words);
    if (!pagefind || words !== asked) return;
    const knowsNames = (await changed()).names > 0, began = performance.now();
    let answer = words ? await pagefind.search(query(words)) : { results: [] };
    for (;;) {
      if (!answer || words !== asked) return;
      [...list.children].filter(item => !named.includes(item)).forEach(item => item.remove());  // the others keep the focus
      take(words, answer);
      const results = await next(words), hopeful = words ? await holding(words) : [], isLast = !hopeful.length;
      cost = performance.now() - began;
      if (words !== asked) return;
      const some = results.some(each => fits(words, each)) || named.length > 0;
      if (some || isLast) append(words, results);
      if (isLast || some && (isNumber(words) ? knowsNames || results.some(each => rank(words, each.meta) === 0)
        : results.length >= SHOWN)) return;
      await further(pagefind, hopeful[0]);
      answer = await pagefind.search(query(words));
    }
  } catch {
    failed();
    told.textContent = said("The index cannot be fetched. It needs a web server, be it `moot serve`.");
  }
};

// Arrow keys walk from the field through what was found.
const walk = event => {
  const stops = [field, ...list.querySelectorAll("a")], at = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || at < 0 || !stops[at + step]) return;
  event.preventDefault();
  stops[at + step].focus();
};

export const open = async () => {
  if (!dialog) {
    field = made("input", { type: "search", autocomplete: "off", placeholder: said("Words, or the number of a rule") });
    field.setAttribute("aria-label", said("Search"));
    const close = made("button", { type: "button", textContent: said("Close") });
    const next = made("button", { type: "button", className: "fm-search__more", textContent: said("More"), hidden: true });
    told = made("p", { className: "fm-more" });
    told.setAttribute("role", "status");
    list = made("ol");
    const form = made("form", {}, field, close);
    form.setAttribute("role", "search");
    dialog = made("dialog", { className: "fm-search md-typeset" }, form, told, list, next);
    dialog.setAttribute("aria-label", said("Search"));
    document.body.append(dialog);
    close.addEventListener("click", () => dialog.close());
    next.addEventListener("click", more);
    field.addEventListener("input", search);
    form.addEventListener("submit", event => {
      event.preventDefault();
      list.querySelector("a")?.click();
    });
    dialog.addEventListener("keydown", walk);
    dialog.addEventListener("click", event => event.target === dialog && dialog.close());
  }
  warm();
  dialog.showModal();
  field.focus();
  field.select();
};
