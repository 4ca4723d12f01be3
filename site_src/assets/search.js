// The search: a dialog that asks Pagefind's index, of which a browser fetches only the parts that hold what is typed.
// What comes out of it is put into pages as text; the marks around the words found are made here anew.
const SHOWN = 10, PAUSE = 150;  // so many pages at once; milliseconds since when nobody typed on
const ranking = { termFrequency: .6, termSimilarity: 6, metaWeights: { title: 8 } };
const options = { noWorker: true, excerptLength: 24, ranking };  // a worker is as large as the program once more
const index = new URL("../pagefind/", import.meta.url).href;
let dialog, field, told, list, more, found = [], loading;

// Each sign of a script without blanks is a word of its own; `search.py` parts pages in the same way.
const SIGNS = "[\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3001-\\u303f\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff01-\\uffef\\u{20000}-\\u{3ffff}]";
const borders = new RegExp(`(?<=${SIGNS})(?=${SIGNS}|[\\p{L}\\p{N}])|(?<=[\\p{L}\\p{N}])(?=${SIGNS})`, "gu");
const between = new RegExp(`(${SIGNS}(?:</mark>)?) (?=(?:<mark>)?${SIGNS})`, "gu"), alone = new RegExp(`^(?:${SIGNS} ?)+$`, "u");
const joined = text => text.replace(between, "$1");
const query = words => {
  const parted = words.replace(borders, " ");
  return alone.test(words) ? `"${parted}"` : parted;  // one behind the other, where there is nothing else
};

const made = (tag, values = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
};

const loaded = () => loading ??= import(`${index}pagefind.js`).then(async pagefind => {
  await pagefind.options(options);
  await pagefind.init();
  return pagefind;
});

export const warm = () => { loaded().catch(() => { loading = undefined; }); };

// An excerpt comes as text of HTML with <mark> around what was found: only its words are read.
const marked = excerpt => {
  const parsed = new DOMParser().parseFromString(joined(excerpt), "text/html").body;
  return [...parsed.childNodes].map(node =>
    node.nodeName === "MARK" ? made("mark", { textContent: node.textContent }) : node.textContent);
};

const shown = ({ url, meta, excerpt }) => {
  const title = joined(meta.title ?? ""), by = joined(meta.game ?? "");
  const game = made("span", { className: "fm-more", textContent: by && by !== title ? ` · ${by}` : "" });
  return made("li", {}, made("a", { href: url, textContent: title || url }), game, made("p", {}, ...marked(excerpt)));
};

// What is called as was typed comes first ("rule 306", "306"), then what was once called so.
const rank = (words, { title = "", former = "" }) => {
  const asked = words.toLowerCase(), name = title.toLowerCase().split(":")[0];
  if (name === asked || name.split(" ").at(-1) === asked) return 0;
  const once = former.toLowerCase().replace(/\.$/, "").split(", ");
  return once.some(each => ` ${each}`.endsWith(` ${asked}`)) ? 1 : 2;
};

// Takes the next pages that were found, as entries of the list.
const next = async words => {
  const results = await Promise.all(found.splice(0, SHOWN).map(each => each.data()));
  return results.sort((one, two) => rank(words, one.meta) - rank(words, two.meta)).map(shown);
};

const typed = () => field.value.trim();

const search = async () => {
  const words = typed();
  try {
    const pagefind = await loaded();
    const answer = words ? await pagefind.debouncedSearch(query(words), {}, PAUSE) : { results: [] };
    if (!answer || words !== typed()) return;
    found = [...answer.results];
    const entries = await next(words), count = answer.results.length;
    if (words !== typed()) return;
    list.replaceChildren(...entries);
    told.textContent = !words ? "" : count === 1 ? "1 page found" : `${count} pages found`;
    more.hidden = !found.length;
  } catch {
    loading = undefined;
    told.textContent = "The index cannot be fetched: it may be made just now. It needs a web server, be it `moot serve`.";
  }
};

const append = async () => {
  const words = typed(), entries = await next(words);
  if (words !== typed()) return;
  list.append(...entries);
  more.hidden = !found.length;
  entries[0]?.querySelector("a").focus();
};

// Arrow keys walk from the field through what was found.
const walk = event => {
  const stops = [field, ...list.querySelectorAll("a")], at = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || at < 0 || !stops[at + step]) return;
  event.preventDefault();
  stops[at + step].focus();
};

export const open = () => {
  if (!dialog) {
    field = made("input", { type: "search", autocomplete: "off", placeholder: "Words, or the number of a rule", ariaLabel: "Search" });
    const close = made("button", { type: "button", textContent: "Close" });
    more = made("button", { type: "button", className: "fm-search__more", textContent: "More", hidden: true });
    told = made("p", { className: "fm-more", role: "status" });
    list = made("ol");
    const form = made("form", { role: "search" }, field, close);
    dialog = made("dialog", { className: "fm-search md-typeset", ariaLabel: "Search" }, form, told, list, more);
    document.body.append(dialog);
    close.addEventListener("click", () => dialog.close());
    more.addEventListener("click", append);
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
