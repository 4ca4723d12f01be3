// The search: a dialog that asks Pagefind's index, of which a browser fetches only the parts that hold what is typed.
// What comes out of the index is put into pages as text; the marks around the words found are made here anew.
{
  const SHOWN = 10, WAITED = 120;
  const ranking = { termFrequency: .6, termSimilarity: 6, metaWeights: { title: 8 } };
  const options = { noWorker: true, excerptLength: 24, ranking };  // a worker is as large as the program once more
  const opener = document.querySelector(".fm-find");
  const index = new URL("../pagefind/", document.currentScript.src).href;
  let dialog, field, told, list, found = [], parts = [], replaced = new Set(), asked = "", loading, merging, said;

  const made = (tag, values = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), values);
    element.append(...children);
    return element;
  };

  const merged = (pagefind, name) => pagefind.mergeIndex(new URL(`${name}/`, index).pathname, options);

  // Pages that changed lately stand in an index of their own; what the large ones say of them counts no more.
  const recent = async pagefind => {
    const changes = await (await fetch(`${index}recent.json`, { cache: "no-cache" })).json();
    replaced = new Set(changes.replaced);
    parts = changes.parts ?? [];
    if (changes.recent) await merged(pagefind, "recent");
  };

  // A large site has further indexes, which are fetched one after the other where too little was found.
  const further = pagefind => merging = (merging ?? Promise.resolve()).then(() => {
    const name = parts.shift();
    return name && merged(pagefind, name);
  });

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
    const item = made("li", {}, link, made("span", { className: "fm-more", textContent: game }),
      made("p", {}, ...marked(result.excerpt)));
    item.dataset.entry = result.id;
    return item;
  };

  // What is called as was typed comes first ("rule 306", "306"), then what was once called so.
  const rank = (words, { title = "", former = "" }) => {
    const asked = words.toLowerCase(), name = title.toLowerCase().split(":")[0];
    if (name === asked || name.split(" ").at(-1) === asked) return 0;
    const once = former.toLowerCase().replace(/\.$/, "").split(", ");
    return once.some(each => ` ${each}`.endsWith(` ${asked}`)) ? 1 : 2;
  };

  const counted = (words, count) => !words ? ""
    : parts.length ? said("{count} pages found so far", { count })
    : count === 1 ? said("1 page found") : said("{count} pages found", { count });

  // Takes what the indexes fetched so far know beside what is shown already.
  const take = (words, answer) => {
    const seen = new Set([...list.children].map(each => each.dataset.entry));
    const known = answer.results.filter(each => !replaced.has(each.id));
    found = known.filter(each => !seen.has(each.id));
    told.textContent = counted(words, known.length);
  };

  // Where an index knows no word that begins as one that was typed, it answers with a beginning of that one ("or" for
  // "orrery"). A result fits if of each word at least half was found.
  const letters = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const fits = (words, { content = "", locations = [], meta }) => {
    const all = content.split(/\s+/), found = [...locations.map(place => all[place] ?? ""), meta.title ?? ""].flatMap(letters);
    return letters(words).every(word => found.some(each => each.startsWith(word.slice(0, Math.ceil(word.length / 2)))));
  };

  const next = async words => {
    const results = await Promise.all(found.splice(0, SHOWN).map(async each => ({ ...await each.data(), id: each.id })));
    results.sort((one, two) => fits(words, two) - fits(words, one));
    if (/\d/.test(words)) results.sort((one, two) => rank(words, one.meta) - rank(words, two.meta));
    return results;
  };

  const append = (words, results) => {
    list.append(...results.map(shown));
    dialog.querySelector(".fm-search__more").hidden = !words || !found.length && !parts.length;
  };

  const more = async () => {
    const words = asked, before = list.childElementCount, pagefind = await loaded();
    while (parts.length && found.length < SHOWN && words === asked) {
      await further(pagefind);
      take(words, await pagefind.search(words));
    }
    const results = await next(words);
    if (words !== asked) return;
    append(words, results);
    list.children[before]?.querySelector("a").focus();
  };

  // Shows what the indexes fetched so far know, and fetches the next one as long as that is too little.
  const search = async () => {
    const words = asked = field.value.trim();
    try {
      const pagefind = await loaded();
      let answer = words ? await pagefind.debouncedSearch(words, {}, WAITED) : { results: [] };
      for (;;) {
        if (!answer || words !== asked) return;
        list.replaceChildren();
        take(words, answer);
        const results = await next(words), isLast = !words || !parts.length;
        if (words !== asked) return;
        const some = results.some(each => fits(words, each));
        if (some || isLast) append(words, results);
        const named = !/\d/.test(words) || results.some(each => rank(words, each.meta) === 0);
        if (isLast || some && named && results.length >= SHOWN) return;
        await further(pagefind);
        answer = await pagefind.search(words);
      }
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
