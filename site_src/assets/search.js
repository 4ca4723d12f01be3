// The search: a dialog that asks Pagefind's index, of which a browser fetches only the parts that hold what is typed.
// What comes out of the index is put into pages as text; the marks around the words found are made here anew.
{
  const SHOWN = 10, WAITED = 120, options = { excerptLength: 24, ranking: { termFrequency: .6, metaWeights: { title: 8 } } };
  const opener = document.querySelector(".fm-find");
  const index = new URL("../pagefind/", document.currentScript.src).href;
  let dialog, field, told, list, found = [], replaced = new Set(), asked = "", loading, said;

  const made = (tag, values = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), values);
    element.append(...children);
    return element;
  };

  // Pages that changed lately stand in an index of their own; what the large one says of them counts no more.
  const recent = async pagefind => {
    const changes = await (await fetch(`${index}recent.json`, { cache: "no-cache" })).json();
    replaced = new Set(changes.replaced);
    if (changes.recent) await pagefind.mergeIndex(new URL("recent/", index).pathname, options);
  };

  const loaded = () => loading ??= import(`${index}pagefind.js`).then(async pagefind => {
    await pagefind.options(options);
    await pagefind.init();
    await recent(pagefind);
    return pagefind;
  });

  // An excerpt comes as text of HTML with <mark> around what was found: only its words are read.
  const marked = excerpt => {
    const parsed = new DOMParser().parseFromString(excerpt, "text/html").body;
    return [...parsed.childNodes].map(node =>
      node.nodeName === "MARK" ? made("mark", { textContent: node.textContent }) : node.textContent);
  };

  const shown = result => {
    const link = made("a", { href: result.url, textContent: result.meta.title || result.url });
    const game = result.meta.game && result.meta.game !== result.meta.title ? ` · ${result.meta.game}` : "";
    return made("li", {}, link, made("span", { className: "fm-more", textContent: game }),
      made("p", {}, ...marked(result.excerpt)));
  };

  // What is called as was typed comes first ("rule 306", "306"), then what was once called so.
  const rank = (words, { title = "", former = "" }) => {
    const asked = words.toLowerCase(), name = title.toLowerCase().split(":")[0];
    if (name === asked || name.split(" ").at(-1) === asked) return 0;
    const once = former.toLowerCase().replace(/\.$/, "").split(", ");
    return once.some(each => ` ${each}`.endsWith(` ${asked}`)) ? 1 : 2;
  };

  const more = async () => {
    const mine = asked, before = list.childElementCount;
    const results = await Promise.all(found.slice(before, before + SHOWN).map(each => each.data()));
    if (mine !== asked) return;
    if (/\d/.test(mine)) results.sort((one, two) => rank(mine, one.meta) - rank(mine, two.meta));
    list.append(...results.map(shown));
    dialog.querySelector(".fm-search__more").hidden = list.childElementCount >= found.length;
    if (before) list.children[before]?.querySelector("a").focus();
  };

  const search = async () => {
    const words = asked = field.value.trim();
    try {
      const pagefind = await loaded();
      const answer = words ? await pagefind.debouncedSearch(words, {}, WAITED) : { results: [] };
      if (!answer || words !== asked) return;
      found = answer.results.filter(each => !replaced.has(each.id));
      list.replaceChildren();
      const count = found.length;
      told.textContent = !words ? "" : count === 1 ? said("1 page found") : said("{count} pages found", { count });
      await more();
    } catch {
      loading = undefined;
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

  const open = async () => {
    said = await saying();
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
    loaded().catch(() => { loading = undefined; });
    dialog.showModal();
    field.focus();
    field.select();
  };

  if (opener) {
    opener.addEventListener("click", open);
    opener.dataset.ready = "";
    document.addEventListener("keydown", event => {
      const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      open();
    });
  }
}
