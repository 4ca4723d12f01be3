// What a page can do for its reader where scripts run; without them everything is there all the same.
// A list inside `data-filter="NAME"` with a place for it gets a field that shows only the rows that hold every word typed.

function filtered(list) {
  const name = list.dataset.filter;
  const rows = [...list.querySelectorAll("tbody tr")].map(row => [row, row.textContent.toLowerCase()]);
  const place = list.querySelector(".fm-filter");
  if (!place) return;
  const field = Object.assign(document.createElement("input"), { type: "search", autocomplete: "off" });
  const label = document.createElement("label");
  const count = Object.assign(document.createElement("span"), { className: "fm-more" });
  count.setAttribute("role", "status");
  label.append(`Find among ${rows.length} ${name} `, field);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every(word => text.includes(word));
      shown += !row.hidden;
    }
    count.textContent = words.length ? `${shown} shown` : "";
  });
  place.append(label, count);
}

// On a narrow screen the game's sections stand in one row: the present one is brought into view.
for (const here of document.querySelectorAll(".fm-nav [aria-current]")) {
  const row = here.closest("ul");
  row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.clientWidth) / 2;
}

for (const list of document.querySelectorAll("[data-filter]")) filtered(list);

if (document.querySelector(".fm-time[data-law]")) import(new URL("law-time.js", document.currentScript.src).href);
