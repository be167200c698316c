// Uses the page of a report as a reader would, and answers what it showed.

await import("report.js"); // the page does so too

const wait = () => new Promise((done) => setTimeout(done, 50));
// A new hash is heard of later: in a browser whose time is made up after any number of waits.
const until = async (ready) => {
  for (let tries = 0; tries < 40 && !ready(); tries++) await wait();
};
const one = (what) => document.querySelector(what);
const rows = () => [...document.querySelectorAll("#list .row")].map((row) => row.innerText.split(/\n/)[0]);
const found = () => one("#found").textContent;
const choose = async (name, value) => {
  one(`[name=${name}]`).value = value;
  one(`[name=${name}]`).dispatchEvent(new Event("change", { bubbles: true }));
  await wait();
};
answer("rows", rows().slice(0, 3));
one("#list-head [value=number]").click();
await wait();
answer("turned", [rows()[0], one("#list-head .number").getAttribute("aria-sort")]);
one("#list-head [value=length]").click();
await wait();
answer("short", document.querySelector("#list .row .length").textContent);
await choose("end", "fault");
answer("faults", [found(), location.hash]);
await choose("end", "crash");
answer("crashes", [found(), rows().length]);
one("#list a").click();
await wait();
answer("crash", [
  one("#viewer").open,
  one("#viewer-result").textContent,
  one("#viewer-detail").textContent,
]);
one("#viewer-next").click();
await wait();
answer("next", [location.hash, one("#viewer-next").disabled]);
one("#viewer-close").click();
await wait();
answer("closed", [one("#viewer").open, location.hash]);
one("#filters").reset();
await wait();
await wait();
answer("reset", [found(), location.hash]);
const cell = one(".crosstable td a");
location.hash = cell.getAttribute("href");
await until(() => one("[name=player]").value);
answer("pair", [
  found(),
  cell.textContent,
  cell.title,
  one("[name=player]").selectedOptions[0].textContent,
]);
await choose("result", "won");
answer("won", found());
location.hash = "#game-2";
await until(() => one("#viewer-title").textContent === "Game 2");
answer("beside", [one("#viewer-title").textContent, one("#viewer-previous").disabled]);
// What is put into a blob is known at once: reading one takes real time, which a browser whose time is made up
// does not wait for.
const saved = [];
const RealBlob = Blob;
window.Blob = class extends RealBlob {
  constructor(parts, options) {
    super(parts, options);
    saved.push(parts.join(""));
  }
};
URL.createObjectURL = () => "#saved";
one("#viewer-save").click();
answer("saved", saved[0]);
location.hash = "#games";
await until(() => !one("#viewer").open);
answer("back", one("#viewer").open);
answer("wide", document.documentElement.scrollWidth <= innerWidth);
