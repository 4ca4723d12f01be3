// The page itself: what is typed stays in it, and nothing is kept when it is closed.
"use strict";

const $ = id => document.getElementById(id);
const CONTEXT = ["game", "author", "act", "argument", "target", "target_digest", "keeper"];

function say(id, text, bad = false) {
  $(id).textContent = text;
  $(id).className = bad ? "bad" : "";
}

// Runs what a form asks for, and says what is wrong where it cannot be done.
function doing(form, id, work) {
  $(form).addEventListener("submit", async event => {
    event.preventDefault();
    say(id, "…");
    try {
      say(id, (await work()) ?? "");
    } catch (error) {
      const known = error instanceof sealed.SealingError;
      say(id, known ? `${error.message} [${error.code}]` : "This could not be done.", true);
    }
  });
}

const typed = id => $(id).value.trim();

// -- from a link: what is behind # is sent to nobody

function fill() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of [...CONTEXT, "recipient"]) if (given.has(name)) $(name).value = given.get(name);
  showFingerprint();
}

function showFingerprint() {
  const recipient = typed("recipient");
  $("fingerprint").textContent = recipient ? sealed.fingerprint(recipient) : "–";
}

// -- a key

doing("make", "made", async () => {
  const key = await sealed.makeKey();
  $("public").value = key.recipient;
  $("private").value = key.identity;
  $("save").href = URL.createObjectURL(new Blob([`# public key: ${key.recipient}\n${key.identity}\n`], { type: "text/plain" }));
  $("save").hidden = $("new-key").hidden = false;
  return `Fingerprint: ${sealed.fingerprint(key.recipient)}. Save the private key now: nothing keeps it.`;
});

// -- sealing

// What is sealed of a ballot holds its choice, and perhaps a reason.
const isBallot = () => typed("act") === "vote" && typed("argument") === "choice";

function valueTyped() {
  const text = $("value").value;
  if (!$("json").checked) return sealed.canonical(isBallot() ? { choice: text.trim() } : text);
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new sealed.SealingError("E-BOX", "The value is not JSON.");
  }
  return sealed.canonical(parsed);
}

doing("seal", "sealing", async () => {
  $("box").value = $("proof").value = "";
  const context = Object.fromEntries(CONTEXT.map(name => [name, typed(name)]));
  if (!/^[0-9]{1,20}$/.test(context.keeper)) throw new sealed.SealingError("E-CONTEXT", "The keeper's key has a number.");
  const done = await sealed.seal(context, valueTyped(), typed("recipient"));
  const { word, box, ...proof } = done;
  $("box").value = word;
  $("proof").value = JSON.stringify(proof, null, 1);
  return `Sealed. Its commitment is ${done.commitment}.`;
});

// -- opening

const REFUSAL = "refusal"; // the place of what the author of a refused act is told in secret

function placeShown(context) {
  if ("author" in context) return `${context.author}: ${context.act} ${context.argument}`;
  return `entry ${context.entry}: ${context.place === REFUSAL ? "why it was refused" : context.place}`;
}

// A value in its one form; of a text that is filled up with blanks, the words.
function valueShown({ context, value }) {
  return context.place === REFUSAL ? JSON.parse(value).trimEnd() || "there is no more to it" : value;
}

function shown(opening) {
  const row = $("openings").insertRow(), { context } = opening;
  for (const text of [placeShown(context), valueShown(opening), opening.commitment, opening.salt, context.game]) row.insertCell().textContent = text;
}

doing("open", "opening", async () => {
  $("openings").replaceChildren();
  $("found").hidden = true;
  const keys = sealed.identitiesIn($("key").value);
  for (const key of keys) await sealed.recipientOf(key);
  const text = $("boxes").value.trim();
  const boxes = text.startsWith("-----") ? [text] : text.split(/\s+/);
  for (const box of boxes) for (const opening of await sealed.openWord(box, keys)) shown(opening);
  $("found").hidden = false;
  return `Opened: ${$("openings").rows.length}.`;
});

$("key-file").addEventListener("change", async () => {
  const [file] = $("key-file").files;
  if (file) $("key").value = await file.text();
});

$("recipient").addEventListener("input", showFingerprint);
addEventListener("hashchange", fill);
fill();
