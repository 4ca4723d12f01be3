// Sealed data as reference/sealed-data.md specifies it, on top of age. Nothing here shows what it does not open.
"use strict";

const sealed = (() => {
  const SIZES = [256, 1024, 4096, 16384];
  const SALT = 32, NONCE = 16, SLACK = 32, LARGEST_HEADER = 2048, LARGEST_TEXT = 30000, DEEPEST = 24, WIDEST = 4096;
  const STEP = 64; // bytes: a value counts as the next multiple of it where a size is chosen
  const TAG = "folkmoot box v1\n", COMMITMENT_TAG = "folkmoot commitment v1";
  const ENCODER = new TextEncoder(), DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  class SealingError extends Error {
    constructor(code, message) {
      super(message);
      this.code = code;
    }
  }

  const malformed = why => new SealingError("E-BOX", `This is no box: ${why}.`);
  const inside = () => malformed("what is inside has not the form that it must have");
  const place = () => new SealingError("E-CONTEXT", "What says for which place this was sealed has not its form.");

  // -- bytes

  const bytes = text => ENCODER.encode(text);
  const hex = data => Array.from(data, each => each.toString(16).padStart(2, "0")).join("");
  const random = count => crypto.getRandomValues(new Uint8Array(count));

  function unhex(text) {
    if (!/^([0-9a-f]{2})*$/.test(text)) throw place();
    return Uint8Array.from(text.match(/../g) ?? [], each => parseInt(each, 16));
  }

  function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  function length(count) {
    const data = new Uint8Array(4);
    new DataView(data.buffer).setUint32(0, count);
    return data;
  }

  function number(value) {
    const data = new Uint8Array(8);
    new DataView(data.buffer).setBigUint64(0, value);
    return data;
  }

  const field = data => joined(length(data.length), data);
  const fields = (...parts) => joined(...parts.map(field));
  const same = (one, other) => one.length === other.length && one.every((each, at) => each === other[at]);

  class Reader {
    constructor(data) {
      this.data = data;
      this.at = 0;
    }

    get ended() {
      return this.at === this.data.length;
    }

    take(count) {
      if (this.at + count > this.data.length) throw inside();
      this.at += count;
      return this.data.slice(this.at - count, this.at);
    }

    count() {
      return new DataView(this.take(4).buffer).getUint32(0);
    }

    field() {
      return this.take(this.count());
    }
  }

  function textOf(data) {
    try {
      return DECODER.decode(data);
    } catch {
      throw inside();
    }
  }

  // -- values, which are told apart by their one form in text

  const before = (one, other) => {
    const left = Array.from(one, each => each.codePointAt(0)), right = Array.from(other, each => each.codePointAt(0));
    for (let at = 0; at < Math.min(left.length, right.length); at++)
      if (left[at] !== right[at]) return left[at] - right[at];
    return left.length - right.length;
  };

  // Returns the one form of a value as JSON.parse gives it.
  function canonical(value, depth = 1) {
    if (value === null || typeof value === "boolean") return JSON.stringify(value);
    if (typeof value === "string") return written(value);
    if (typeof value === "number" && Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
    if (typeof value !== "object" || depth > DEEPEST)
      throw new SealingError("E-BOX", "This is no value that the page can seal: whole numbers up to 2⁵³ only.");
    if (Array.isArray(value)) return `[${value.map(each => canonical(each, depth + 1)).join(",")}]`;
    const keys = Object.keys(value).sort(before);
    return `{${keys.map(key => `${written(key)}:${canonical(value[key], depth + 1)}`).join(",")}}`;
  }

  function written(text) {
    if (/\p{Surrogate}/u.test(text)) throw new SealingError("E-BOX", "The text holds half of a character.");
    return JSON.stringify(text);
  }

  // Throws unless a text is the one form of a value; reads it without taking it apart, so that no integer is rounded.
  function checkCanonical(text) {
    let at = 0;
    const take = form => {
      form.lastIndex = at;
      const found = form.exec(text);
      if (!found) throw inside();
      at = form.lastIndex;
      return found[0];
    };
    const next = mark => (text[at] === mark ? ((at += 1), true) : false);
    const need = mark => {
      if (!next(mark)) throw inside();
    };
    const string = () => {
      const found = take(/"(?:[^"\\\u0000-\u001f]|\\.[0-9a-f]{0,4})*?"/suy);
      let plain;
      try {
        plain = JSON.parse(found);
      } catch {
        throw inside();
      }
      if (written(plain) !== found) throw inside();
      return plain;
    };
    const list = (end, item) => {
      if (next(end)) return;
      do item();
      while (next(","));
      need(end);
    };
    const value = depth => {
      if (text[at] === '"') return void string();
      if (!/[[{]/.test(text[at] ?? "")) return void scalar();
      if (depth > DEEPEST) throw inside();
      if (next("[")) return list("]", () => value(depth + 1));
      need("{");
      let last = null;
      list("}", () => {
        const key = string();
        if (last !== null && before(last, key) >= 0) throw inside();
        last = key;
        need(":");
        value(depth + 1);
      });
    };
    const scalar = () => {
      const word = take(/null|true|false|0|-?[1-9][0-9]*/y);
      if (/[0-9]/.test(word) && BigInt(word.replace("-", "")).toString(2).length > WIDEST) throw inside();
    };
    value(1);
    if (at !== text.length) throw inside();
  }

  // -- contexts

  const DIGEST = /^[0-9a-f]{64}$/, SMALL = 1n << 64n;

  function checked(context) {
    const players = "author" in context;
    const names = players ? [context.author, context.act, context.argument] : [context.place];
    const count = BigInt(players ? context.keeper : context.entry);
    const good = DIGEST.test(context.game) && names.every(name => typeof name === "string" && name) && count >= 0n && count < SMALL;
    const more = !players || (new RegExp(`^[0-9a-f]{${2 * NONCE}}$`).test(context.nonce) &&
      (context.target_digest === "" || DIGEST.test(context.target_digest)) && typeof context.target === "string");
    if (!good || !more || /\p{Surrogate}/u.test(names.join("") + (context.target ?? ""))) throw place();
    return context;
  }

  function commonBytes(context) {
    checked(context);
    const game = unhex(context.game);
    if (!("author" in context)) return fields(bytes("engine"), game, number(BigInt(context.entry)));
    const { author, act, target, target_digest, keeper, nonce } = context;
    return fields(bytes("player"), game, bytes(author), bytes(act), bytes(target), unhex(target_digest),
      number(BigInt(keeper)), unhex(nonce));
  }

  const placeOf = context => context.argument ?? context.place;
  const contextBytes = context => joined(commonBytes(context), field(bytes(placeOf(context))));

  function readContext(common, last) {
    const reader = new Reader(common), parts = [];
    let context;
    try {
      while (!reader.ended) parts.push(reader.field());
      const [kind, game, ...rest] = parts, name = textOf(last);
      const count = data => new DataView(data.buffer).getBigUint64(0).toString();
      const [author, act, target, digest, keeper, nonce] = rest;
      context = textOf(kind) === "engine"
        ? { game: hex(game), entry: count(rest[0]), place: name }
        : { game: hex(game), author: textOf(author), act: textOf(act), argument: name, target: textOf(target),
            target_digest: hex(digest), keeper: count(keeper), nonce: hex(nonce) };
    } catch {
      throw place();
    }
    if (!same(commonBytes(context), common)) throw place();
    return context;
  }

  // -- commitments

  function commitment(context, value, salt) {
    checkCanonical(value);
    if (salt.length !== SALT) throw new SealingError("E-COMMITMENT", "A salt has 32 bytes.");
    return hex(age.sha256(fields(bytes(COMMITMENT_TAG), contextBytes(context), bytes(value), salt)));
  }

  // -- the outside of a box

  function decoded(text) {
    let data;
    try {
      data = Uint8Array.from(atob(text), each => each.charCodeAt(0));
    } catch {
      return null;
    }
    return base64(data) === text ? data : null;
  }

  const base64 = data => btoa(Array.from(data, each => String.fromCharCode(each)).join(""));
  const unpadded = text => decoded(text + "=".repeat((4 - (text.length % 4)) % 4));

  function unwrapped(text) {
    const plain = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
    if (plain.length > LARGEST_TEXT) return null;
    if (!plain.startsWith("-----")) return decoded(plain);
    const lines = plain.replaceAll("\r\n", "\n").split("\n");
    const [first, last] = [lines.shift(), lines.pop()];
    const whole = lines.length && lines.every((line, at) => line.length === 64 || (at === lines.length - 1 && line.length));
    const ends = first === "-----BEGIN AGE ENCRYPTED FILE-----" && last === "-----END AGE ENCRYPTED FILE-----";
    return whole && ends && lines.at(-1).length <= 64 ? decoded(lines.join("")) : null;
  }

  const latin = data => Array.from(data, each => String.fromCharCode(each)).join("");

  // Returns the bytes of a box and how many are inside; throws E-BOX unless it is one of ours.
  function readBox(text) {
    const data = unwrapped(text);
    if (!data) throw malformed("it is not base64 in one line, nor an armoured file of age");
    const begin = latin(data.slice(0, LARGEST_HEADER)), end = begin.indexOf("\n--- ");
    const mac = end < 0 ? null : /^\n--- ([A-Za-z0-9+/]{43})\n/.exec(begin.slice(end));
    if (!mac || !unpadded(mac[1])) throw malformed("it does not begin as a file of age");
    const size = data.length - end - mac[0].length - SLACK;
    if (!SIZES.includes(size)) throw malformed("what is inside has not one of the sizes that boxes have");
    return { data, size, kind: kindOf(begin.slice(0, end).split("\n")) };
  }

  const FORMS = { "X25519": [[32], 32, 32], "ssh-ed25519": [[4, 32], 32, 32], "ssh-rsa": [[4], 256, 1024] };

  function kindOf(lines) {
    if (lines.shift() !== "age-encryption.org/v1") throw malformed("it does not begin as a file of age");
    const parts = [];
    while (lines.length) parts.push(stanza(lines));
    const [first, ...more] = parts;
    const form = first && Object.hasOwn(FORMS, first.words[0]) ? FORMS[first.words[0]] : null;
    if (!form) throw malformed("it is sealed in a way that is not allowed here");
    const given = first.words.slice(1).map(word => unpadded(word)?.length);
    const [lengths, least, most] = form, count = first.body.length;
    if (given.join() !== lengths.join() || count < least || count > most)
      throw malformed("the part for its recipient is damaged");
    if (more.length > 1 || (more.length && !/^[!-~]{1,8}-grease$/.test(more[0].words[0])))
      throw malformed("it is sealed to more than one recipient");
    return first.words[0];
  }

  function stanza(lines) {
    const begun = /^-> ([!-~]+(?: [!-~]+)*)$/.exec(lines.shift());
    const body = [];
    while (lines.length && (body.push(lines.shift()), body.at(-1).length >= 64));
    const data = unpadded(body.join(""));
    if (!begun || !body.length || body.at(-1).length >= 64 || body.some(line => line.length > 64) || !data)
      throw malformed("its header is damaged");
    return { words: begun[1].split(" "), body: data };
  }

  // -- keys

  const unusable = () => new SealingError("E-RECIPIENT", "Nothing can be sealed to this key here: it must be one that begins with age1.");

  async function makeKey() {
    const identity = await age.generateX25519Identity();
    return { identity, recipient: await recipientOf(identity) };
  }

  async function recipientOf(identity) {
    try {
      if (!/^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/.test(identity)) throw unusable();
      return await age.identityToRecipient(identity);
    } catch {
      throw new SealingError("E-RECIPIENT", "This is no private key that can open here: it must begin with AGE-SECRET-KEY-1.");
    }
  }

  // Returns the private keys in a text as `moot key` or `age-keygen` wrote it.
  const identitiesIn = text => text.split("\n").map(line => line.trim()).filter(line => line && !line.startsWith("#"));

  function fingerprint(recipient) {
    return hex(age.sha256(bytes(recipient))).slice(0, 32).match(/.{4}/g).join(" ");
  }

  // -- boxes

  function padded(content, values) {
    const whole = joined(bytes(TAG), field(content));
    if (whole.length > SIZES.at(-1)) throw new SealingError("E-BOX", "This is too much for one box.");
    const counted = values.reduce((sum, each) => sum + Math.ceil(bytes(each).length / STEP) * STEP - bytes(each).length, whole.length);
    return joined(whole, new Uint8Array((SIZES.find(each => each >= counted) ?? SIZES.at(-1)) - whole.length));
  }

  // Seals values, each in its one form, that share all of their context but the place.
  async function sealAll(openings, recipient) {
    const common = commonBytes(openings[0].context);
    const parts = openings.map(({ context, value, salt }) => {
      checkCanonical(value);
      if (!same(commonBytes(context), common)) throw new SealingError("E-BOX", "A box holds the values of one act.");
      return joined(fields(bytes(placeOf(context)), bytes(value)), salt);
    });
    const plain = padded(joined(field(common), length(parts.length), ...parts), openings.map(each => each.value));
    return base64(await encrypted(plain, recipient));
  }

  async function encrypted(plain, recipient) {
    try {
      if (!/^age1[02-9ac-hj-np-z]{58}$/.test(recipient)) throw unusable();
      const encrypter = new age.Encrypter();
      encrypter.addRecipient(recipient);
      return await encrypter.encrypt(plain);
    } catch {
      throw unusable();
    }
  }

  // Seals one value of a player; returns what stands in a comment for it, with what opens its commitment.
  async function seal(context, value, recipient) {
    const whole = { ...context, nonce: hex(random(NONCE)) }, salt = random(SALT);
    const box = await sealAll([{ context: whole, value, salt }], recipient);
    const committed = commitment(whole, value, salt);
    return { word: `sealed.${committed}.${box}`, box, context: whole, value, salt: hex(salt), commitment: committed };
  }

  // Opens a box, or what stands in a comment for one: then what is inside must be what it commits to.
  async function openWord(text, identities) {
    const word = /^sealed\.([0-9a-f]{64})\.(\S+)$/.exec(text), found = await open(word ? word[2] : text, identities);
    if (word && (found.length !== 1 || found[0].commitment !== word[1]))
      throw new SealingError("E-COMMITMENT", "What was opened is not what was committed to.");
    return found;
  }

  async function open(text, identities) {
    const box = readBox(text);
    const whole = await decrypted(box, identities), reader = new Reader(whole);
    if (!same(reader.take(TAG.length), bytes(TAG))) throw inside();
    const content = reader.field(), found = openings(content);
    if (whole.length !== box.size || !same(padded(content, found.map(each => each.value)), whole)) throw inside();
    return found;
  }

  async function decrypted(box, identities) {
    try {
      const decrypter = new age.Decrypter();
      for (const each of identities) decrypter.addIdentity(each);
      return await decrypter.decrypt(box.data);
    } catch {
      throw new SealingError("E-READER", "None of the keys that are here opens this box: it is sealed to somebody else, or was damaged.");
    }
  }

  function openings(content) {
    const reader = new Reader(content), common = reader.field(), count = reader.count(), found = [];
    while (!reader.ended) {
      const last = reader.field(), value = textOf(reader.field()), salt = reader.take(SALT);
      const context = readContext(common, last);
      found.push({ context, value, salt: hex(salt), commitment: commitment(context, value, salt) });
    }
    const places = new Set(found.map(each => placeOf(each.context)));
    if (found.length !== count || places.size !== count || !count) throw inside();
    return found;
  }

  return { canonical, checkCanonical, commitment, contextBytes, fingerprint, hex, identitiesIn, makeKey, open, openWord, readBox,
    recipientOf, seal, sealAll, unhex, SealingError };
})();
