import assert from "node:assert/strict";
import test from "node:test";
import { link, pathOf } from "/static/browser/addresses.js";

// The module lies where a site has static/browser: its root is the folder above static.
const ROOT = new URL("../../../src/tengen/web/", import.meta.url);

const PAIRS = [
  ["/", ""],
  ["/learn", "learn/"],
  ["/learn/lines", "learn/lines/"],
  ["/g/aB_1-x", "g/?id=aB_1-x"],
  ["/g/abc?seat=2#end", "g/?id=abc&seat=2#end"],
  ["/puzzles", "puzzles/"],
  ["/puzzles/0a1b", "puzzles/?name=0a1b"],
  ["/analyse?game=abc#ply=3", "analyse/?game=abc#ply=3"],
  ["/privacy#forgotten", "privacy/#forgotten"],
];

test("every path of the app has an address, which leads back to it", () => {
  for (const [path, address] of PAIRS) {
    assert.equal(link(path), ROOT.pathname + address);
    const { pathname, search, hash } = pathOf(new URL(address, ROOT));
    assert.equal(pathname + search + hash, path);
  }
});

test("a document and its folder are one page", () => {
  for (const address of ["learn", "learn/index.html", "learn/"])
    assert.equal(pathOf(new URL(address, ROOT)).pathname, "/learn");
  assert.equal(pathOf(new URL("index.html", ROOT)).pathname, "/");
  assert.equal(pathOf(new URL("g/", ROOT)).pathname, "/g");
});

test("an address outside of the site is none of its pages", () => {
  assert.equal(pathOf(new URL("../learn/", ROOT)).pathname, "");
});
