/* Without this every form is posted, and the server answers with a page. With it:
   1. a page follows the game, unless somebody has begun to write on it; 2. what comes of a form is said as one writes;
   3. what was sent is followed until it is recorded; 4. arrow keys go over a board in two directions;
   5. what one has written is kept while the tab lives, a proposal as a draft on this machine. */
const later = (wait, work) => { let timer; return (...given) => { clearTimeout(timer); timer = setTimeout(() => work(...given), wait); }; };
const part = async (address, options) => {
  const answer = await fetch(address, { ...options, headers: { Accept: "text/html; part=1" } });
  if (!answer.ok && answer.status !== 422 && answer.status !== 409) throw new Error(answer.status);
  return answer.text();
};
const fill = (place, html) => { place.innerHTML = html; place.removeAttribute("aria-busy"); };
const away = (place) => fill(place, document.getElementById("away")?.innerHTML ?? "");

let written = document.baseURI !== location.href; // a form that came back: it is not sent again by a reload
if (written) history.replaceState(null, "", document.baseURI);
const script = document.currentScript.src;
addEventListener("input", (event) => { written ||= !!event.target.closest("form.form"); });
const game = document.body.dataset.game;
const stays = () => written || document.querySelector("[data-follow]");
const follow = async () => {
  for (let build = "", entry = 0; ; ) {
    try {
      const said = await (await fetch(new URL(`changes?seen=${build}`, script))).json(), now = said.entries[game] ?? 0;
      if (build && said.build !== build && !stays()) return location.reload();
      const fresh = document.querySelector("[data-fresh]");
      if (build && now > entry && fresh && !document.querySelector("[data-done]")) fresh.innerHTML = `<b>${now - entry} newer ${now - entry > 1 ? "entries" : "entry"}</b>`;
      if (!build) entry = now;
      build = said.build;
    } catch { await new Promise((done) => setTimeout(done, 2000)); }
  }
};
follow();

for (const form of document.querySelectorAll("form[data-try]")) {
  const place = form.querySelector("[data-comes]");
  let asked = 0;
  const look = async () => {
    if (!form.checkValidity()) return;
    const mine = ++asked;
    place.setAttribute("aria-busy", "true");
    try {
      const html = await part(form.dataset.try, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      if (mine === asked) fill(place, html);
    } catch { if (mine === asked) away(place); }
  };
  const pause = later(400, look);
  form.addEventListener("input", (event) => event.target.matches("[type=radio], select") ? look() : pause());
  if ("atOnce" in form.dataset) look();
  if (form.querySelector("[data-see]")) form.querySelector("[data-see]").hidden = true;
  form.addEventListener("submit", () => { for (const button of form.querySelectorAll("button")) setTimeout(() => { button.disabled = true; }); });
}

for (const place of document.querySelectorAll("[data-draft]")) {
  const form = place.closest("form");
  let sent = false;
  form.addEventListener("submit", () => { sent = true; });
  form.addEventListener("input", later(600, async () => {
    if (sent) return;
    try { fill(place, await part(place.dataset.draft, { method: "POST", body: new URLSearchParams(new FormData(form)) })); } catch { away(place); }
  }));
}

const renew = async () => { // the bar, which says what is not sent yet
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  document.querySelector(".me").innerHTML = page.querySelector(".me").innerHTML;
};
for (const place of document.querySelectorAll("[data-follow]")) {
  let wait = 500;
  const look = async () => {
    try {
      const html = await part(place.dataset.follow);
      if (html !== place.dataset.last) { fill(place, html); await renew(); place.dataset.last = html; }
      if (place.querySelector("[data-done]")) return;
    } catch { away(place); }
    wait = Math.min(wait * 1.15, 15000);
    setTimeout(look, wait);
  };
  if (!place.querySelector("[data-done]")) setTimeout(look, wait);
}

const steps = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
for (const board of document.querySelectorAll(".squares")) board.addEventListener("keydown", (event) => {
  const step = steps[event.key], here = event.target.dataset;
  if (!step || !here.x) return;
  event.preventDefault();
  const all = [...board.querySelectorAll("input")].map((input) => {
    const x = input.dataset.x - here.x, y = input.dataset.y - here.y, ahead = x * step[0] + y * step[1], aside = Math.abs(x * step[1]) + Math.abs(y * step[0]);
    return { input, ahead, cost: ahead + 2 * aside };
  }).filter((each) => each.ahead > 0).sort((a, b) => a.cost - b.cost);
  if (all[0]) { all[0].input.checked = true; all[0].input.focus(); all[0].input.dispatchEvent(new Event("input", { bubbles: true })); }
});

for (const field of document.querySelectorAll("[data-keep]")) {
  const key = `${location.pathname}${location.search} ${field.name}`;
  field.value = sessionStorage.getItem(key) ?? field.value;
  field.addEventListener("input", () => sessionStorage.setItem(key, field.value));
  field.form.addEventListener("submit", () => sessionStorage.removeItem(key));
}
