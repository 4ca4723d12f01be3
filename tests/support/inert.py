"""Whether a page lets in what somebody wrote."""

from __future__ import annotations

from pathlib import Path

LOOK = (Path(__file__).parents[1] / "browser" / "look.js").read_text("utf-8")
RAW = "<main>{}</main>"
INERT = "parsed, not shown: "
READ = """
const [addresses, done] = arguments;
const read = async address => {
  const page = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
  return [address.slice(1), look(page)];
};
Promise.all(addresses.map(read)).then(pages => done(Object.fromEntries(pages)));
"""
