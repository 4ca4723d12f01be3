// Boards: of several states one shows, and a slider and steps beneath it lead to the others, as the arrow keys do; what
// the pointer is over is named, and whoever comes by keyboard is told what stands where. Without scripts, links lead
// from state to state.

const said = await saying();

const made = (tag, values = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
};

function stepped(frames) {
  const states = [...frames.querySelectorAll(":scope > .fm-frame")], last = states.length - 1;
  if (last < 1) return;
  let place = last;
  const slider = made("input", { type: "range", min: "0", max: String(last) });
  slider.setAttribute("aria-label", frames.getAttribute("aria-label"));
  const steps = [["First", () => 0], ["Earlier", () => place - 1], ["Later", () => place + 1], ["Last", () => last]];
  const words = { First: said("First"), Earlier: said("Earlier"), Later: said("Later"), Last: said("Last") };
  const buttons = steps.map(([name, to]) => {
    const button = made("button", { type: "button", textContent: words[name] });
    button.addEventListener("click", () => show(to()));
    return [button, to];
  });
  const show = (to, kept = true) => {
    place = Math.min(last, Math.max(0, to));
    states.forEach((state, number) => state.classList.toggle("fm-frame--shown", number === place));
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", states[place].querySelector(":scope > p").textContent);
    for (const [button, leads] of buttons) button.setAttribute("aria-disabled", String(leads() === place || leads() < 0 || leads() > last));
    if (kept) history.replaceState(null, "", `#${states[place].id}`);
  };
  const asked = () => states.findIndex(state => `#${state.id}` === location.hash);
  slider.addEventListener("input", () => show(+slider.value));
  frames.addEventListener("keydown", event => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const scrolls = event.target.scrollWidth > event.target.clientWidth && event.target.matches(".fm-scroll");
    if (!by || event.target.matches("input") || scrolls || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(place + by);
  });
  addEventListener("hashchange", () => asked() >= 0 && show(asked(), false));
  const [first, earlier, later, newest] = buttons.map(([button]) => button);
  frames.append(made("div", { className: "fm-stepper" }, first, earlier, slider, later, newest));
  frames.classList.add("fm-frames--live");
  show(asked() >= 0 ? asked() : last, false);
}

function named(figure) {
  const drawing = figure.querySelector(":scope > .fm-drawing");
  if (!drawing) return;
  const label = made("p", { className: "fm-pointed", hidden: true });
  label.setAttribute("aria-hidden", "true");
  const show = words => { label.textContent = words; label.hidden = !words; };
  const name = element => {
    for (let each = element; each && each !== drawing; each = each.parentElement)
      if (each.tagName !== "svg" && each.querySelector(":scope > title")) return each.querySelector(":scope > title").textContent;
    return "";
  };
  figure.append(label);
  drawing.addEventListener("pointerover", event => show(name(event.target)));
  drawing.addEventListener("pointerleave", () => show(""));
  drawing.addEventListener("focus", () => drawing.matches(":focus-visible") && show(drawing.querySelector("desc")?.textContent ?? ""));
  drawing.addEventListener("blur", () => show(""));
  drawing.addEventListener("keydown", event => event.key === "Escape" && show(""));
}

document.querySelectorAll(".fm-frames").forEach(stepped);
document.querySelectorAll(".fm-board").forEach(named);
