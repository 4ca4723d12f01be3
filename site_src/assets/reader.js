// What a page can do for its reader where scripts run; without them everything is there all the same.

// What scripts say: `said("{count} shown", { count: 3 })`.
const saying = async () => (text, fields = {}) => text.replace(/\{(\w+)\}/g, (field, name) => fields[name] ?? field);

// A list inside `data-filter` with a place for it gets a field that shows only the rows that hold every word typed.
async function filtered(list) {
  const rows = [...list.querySelectorAll("tbody tr")].map(row => [row, row.textContent.toLowerCase()]);
  const place = list.querySelector(".fm-filter");
  if (!place) return;
  const said = await saying();
  const field = Object.assign(document.createElement("input"), { type: "search", autocomplete: "off" });
  const label = document.createElement("label");
  const count = Object.assign(document.createElement("span"), { className: "fm-more" });
  count.setAttribute("role", "status");
  label.append(said("Find among {count} rules", { count: rows.length }), " ", field);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every(word => text.includes(word));
      shown += !row.hidden;
    }
    count.textContent = words.length ? said("{count} shown", { count: shown }) : "";
  });
  place.append(label, count);
}

// A field inside `data-list` shows only the items that hold every word typed, and opens what they are folded in.
for (const input of document.querySelectorAll("input[data-filter]")) {
  const list = input.closest("[data-list]");
  const items = [...list.querySelectorAll("li[data-k]")], groups = list.querySelectorAll("details.topic");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) item.hidden = !words.every(word => item.textContent.toLowerCase().includes(word));
    for (const group of groups) {
      group.hidden = !group.querySelector("li:not([hidden])");
      group.open = words.length > 0;
    }
  });
}
document.documentElement.classList.add("js");

// On a narrow screen the game's sections stand in one row: the present one is brought into view.
for (const here of document.querySelectorAll(".fm-nav [aria-current]")) {
  const row = here.closest("ul");
  row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.clientWidth) / 2;
}

for (const list of document.querySelectorAll(":not(input)[data-filter]")) filtered(list);

const scripts = document.currentScript.src;
const beside = name => import(new URL(name, scripts).href);
if (document.querySelector(".fm-time[data-law]")) beside("law-time.js");
if (document.querySelector(".fm-board, .fm-frames")) beside("boards.js");

// Pages stand in no frame of another site, but for those that are made for it: there, a link leads to the page itself.
if (window.top !== window.self && !document.documentElement.dataset.framed)
  document.body.replaceChildren(Object.assign(document.createElement("a"), { href: location.href, target: "_top", textContent: document.title }));

// The theme does not note, as a page loads, which of its colours is chosen: the focus would come to one that is hidden.
const colours = document.querySelector("[data-md-component=palette]");
colours?.addEventListener("focusin", event => {
  const chosen = colours.querySelector("label:not([hidden])")?.previousElementSibling;
  if (!chosen || chosen === event.target || colours.contains(event.relatedTarget)) return;
  chosen.checked = true;
  chosen.focus();
});

// What an address leads to stands open, also in browsers that leave folded what it is in.
function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  for (let each = target?.closest("details:not([open])"); each; each = each.parentElement.closest("details:not([open])")) {
    each.open = true;
    target.scrollIntoView();
  }
}

unfold();
addEventListener("hashchange", unfold);

// What is new to whoever reads here again: the last entry that they saw is kept in their browser alone.
for (const place of document.querySelectorAll(".fm-since[data-seq]")) {
  try {
    const key = `moot-seen-${place.dataset.game}`;
    const seen = Number(localStorage.getItem(key));
    const now = Number(place.dataset.seq);
    const fresh = now - seen;
    localStorage.setItem(key, String(now));
    if (!seen || fresh < 0) continue;
    place.textContent = fresh === 0 ? place.dataset.none : fresh === 1 ? place.dataset.one : place.dataset.many.replace("{count}", fresh.toLocaleString());
    place.hidden = false;
    for (const line of document.querySelectorAll(".fm-events > li")) {
      const number = Number(line.querySelector(".fm-seq")?.textContent.slice(1));
      if (number > seen) line.classList.add("fm-fresh");
    }
  } catch {
    continue;  // a browser that keeps nothing
  }
}

// Times stand in the game's zone, with UTC behind them; the reader's own is added to that.
for (const time of document.querySelectorAll(".md-content time[datetime]")) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.getTime())) time.title += ` · ${at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}`;
}

// A deadline says how long it is away, where the page names it as one.
for (const time of document.querySelectorAll(".fm-due time[datetime]")) {
  const minutes = Math.round((new Date(time.dateTime) - Date.now()) / 60000);
  const [amount, unit] = Math.abs(minutes) < 120 ? [minutes, "minute"] : Math.abs(minutes) < 2880 ? [Math.round(minutes / 60), "hour"] : [Math.round(minutes / 1440), "day"];
  const spoken = time.closest("[lang]")?.lang || "en";
  const away = Object.assign(document.createElement("span"), { className: "fm-away" });
  away.textContent = ` (${new Intl.RelativeTimeFormat(spoken, { numeric: "auto" }).format(amount, unit)})`;
  time.after(away);
}
