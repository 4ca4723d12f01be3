// The search: a dialog that asks Pagefind's index, of which a browser fetches only the parts that hold what is typed.
// What comes out of the index is put into pages as text; the marks around the words found are made here anew.
{
  const SHOWN = 10, WAITED = 120;
  const opener = document.querySelector(".fm-find");
  const engine = new URL("../pagefind/pagefind.js", document.currentScript.src).href;
  let dialog, field, told, list, found = [], asked = "", loading;

  const made = (tag, values = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), values);
    element.append(...children);
    return element;
  };

  const loaded = () => loading ??= import(engine).then(async pagefind => {
    await pagefind.options({ excerptLength: 24, ranking: { termFrequency: .6, metaWeights: { title: 8 } } });
    await pagefind.init();
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

  const more = async () => {
    const mine = asked, before = list.childElementCount;
    const results = await Promise.all(found.slice(before, before + SHOWN).map(each => each.data()));
    if (mine !== asked) return;
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
      found = answer.results;
      list.replaceChildren();
      told.textContent = words ? `${found.length} page${found.length === 1 ? "" : "s"} found` : "";
      await more();
    } catch {
      loading = undefined;
      told.textContent = "The index cannot be fetched. It needs a web server, be it `moot serve`.";
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

  const open = () => {
    if (!dialog) {
      field = made("input", { type: "search", autocomplete: "off", placeholder: "Words, or the number of a rule" });
      field.setAttribute("aria-label", "Search");
      const close = made("button", { type: "button", textContent: "Close" });
      const next = made("button", { type: "button", className: "fm-search__more", textContent: "More", hidden: true });
      told = made("p", { className: "fm-more" });
      told.setAttribute("role", "status");
      list = made("ol");
      const form = made("form", {}, field, close);
      form.setAttribute("role", "search");
      dialog = made("dialog", { className: "fm-search md-typeset" }, form, told, list, next);
      dialog.setAttribute("aria-label", "Search");
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
