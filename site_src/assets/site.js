// What pages can do for their readers where scripts run; without them everything is there all the same.
const saying = async () => (text, fields = {}) => text.replace(/\{(\w+)\}/g, (field, name) => fields[name] ?? field);
const beside = (scripts => name => import(new URL(name, scripts).href))(document.currentScript.src);

// A field inside `data-list` shows only the items of the list, and `data-filter-rows` the rows, that hold every word typed.
for (const input of document.querySelectorAll("input[data-filter], input[data-filter-rows]")) {
  const list = input.closest("[data-list], section");
  const items = list.querySelectorAll("filterRows" in input.dataset ? "tbody tr" : "li[data-k], .rules li");
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) item.hidden = !wanted.every(word => item.textContent.toLowerCase().includes(word));
    for (const group of list.querySelectorAll("section, details.topic")) {
      group.hidden = !!group.querySelector("li") && !group.querySelector("li:not([hidden])");
      if (group.tagName === "DETAILS") group.open = wanted.length > 0;
    }
  });
}

// The search is fetched when somebody is about to search.
const opener = document.querySelector(".find");
if (opener) {
  const search = () => beside("search.js");
  opener.addEventListener("click", async () => (await search()).open());
  opener.addEventListener("pointerenter", async () => (await search()).warm(), { once: true });
  opener.dataset.ready = "";
  document.addEventListener("keydown", async event => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    (await search()).open();
  });
}

// Pages stand in no frame of another site: there, a link leads to the page itself.
if (window.top !== window.self)
  document.body.replaceChildren(Object.assign(document.createElement("a"), { href: location.href, target: "_top", textContent: document.title }));

// What an address leads to stands open, also in browsers that leave folded what it is in.
const unfold = () => {
  const target = document.getElementById(location.hash.slice(1)), entry = /^#e(\d+)$/.exec(location.hash);
  if (entry && !target && /\/journal\/\d+\.html$/.test(location.pathname))  // which had twice as many entries once
    location.replace(`${String(Math.ceil(entry[1] / 100)).padStart(4, "0")}.html${location.hash}`);
  for (let each = target?.closest("details:not([open])"); each; each = each.parentElement.closest("details:not([open])")) {
    each.open = true;
    target.scrollIntoView();
  }
};
unfold();
addEventListener("hashchange", unfold);

// A deadline that has passed says so: the record, and with it the page, may be older than that.
for (const time of document.querySelectorAll(".due-time time[datetime]"))
  if (new Date(time.dateTime) < Date.now()) time.after(time.closest(".badge") ? " (that time is up)" : " (that time is up; nothing has been recorded since)");

if (document.querySelector(".fm-time[data-law]")) beside("law-time.js");
