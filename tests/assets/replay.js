// Steps through a game in every way there is, and answers what was shown.

const { createReplay } = $replay;
const steps = [];
const replay = createReplay(box, { width: 15, height: 15, say, onStep: (ply) => steps.push(ply) });
const moves = $notation.parseMoves("h8i9h7--h9i8h10i7h11");
replay.load({
  moves,
  given: 2,
  seconds: [null, null, 0.5, 0.0004, 1.25, 0.1, 2, 0.3, 0.1],
  scores: [
    null,
    null,
    { chance: 0.6, mate: null },
    null,
    { chance: 0.8, mate: null },
    { chance: 0.1, mate: null },
    { chance: 1, mate: 3 },
    { chance: 0, mate: -2 },
    { chance: 1, mate: 1 },
  ],
  lines: [{ kind: "win", points: moves.filter((point) => point && point[0] === 7) }],
});
const status = () => box.querySelector(".replay-status").textContent;
const stones = () => box.querySelectorAll(".stone").length;
const key = (name, target = box) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const buttons = Object.fromEntries(
  [...box.querySelectorAll(".replay-bar button")].map((b) => [b.title, b]),
);
const current = () => box.querySelector(".replay-moves [aria-current]")?.innerText.replace(/\s+/g, " ");
const slider = box.querySelector("input");
answer("end", [
  status(),
  stones(),
  box.querySelectorAll(".row.win").length,
  current(),
  slider.valueAsNumber,
]);
answer("off", [buttons[say("replay.forward")].disabled, buttons[say("replay.last")].disabled]);
key("ArrowLeft");
answer("back", [status(), stones(), box.querySelectorAll(".row.win").length]);
key("Home");
answer("home", [status(), stones(), current() ?? null, buttons[say("replay.back")].disabled]);
key("ArrowLeft");
answer("before", status());
key("ArrowRight");
key("ArrowRight");
answer("given", status());
buttons[say("replay.forward")].click();
answer("third", status());
replay.go(4);
answer("passed", [status(), stones()]);
buttons[say("replay.numbers")].click();
answer(
  "numbers",
  [...box.querySelectorAll(".number")]
    .filter((n) => n.namespaceURI.endsWith("svg"))
    .map((n) => n.textContent),
);
box.querySelectorAll(".replay-moves button")[4].click();
answer("listed", [status(), current()]);
slider.value = 8;
slider.dispatchEvent(new Event("input"));
answer("slid", status());
key("End", slider);
answer("slider", status());
const graph = box.querySelectorAll(".replay-graph svg");
const rect = graph[0].getBoundingClientRect();
graph[0].dispatchEvent(
  new PointerEvent("pointerdown", { clientX: rect.left + rect.width * 0.35, clientY: rect.top + 3 }),
);
answer("graph", [graph.length, status().slice(0, 9), box.querySelectorAll(".series").length]);
const stone = box.querySelector('[data-point="h8"] .body').getBoundingClientRect();
box
  .querySelector(".replay-board svg")
  .dispatchEvent(
    new MouseEvent("click", { clientX: stone.left + 5, clientY: stone.top + 5, bubbles: true }),
  );
answer("stone", [status().slice(0, 9), [...steps]]);
replay.load({ moves: [], given: 0, seconds: [], scores: [] });
answer("nothing", [status(), box.querySelectorAll(".replay-graph").length, slider.max]);
replay.destroy();
answer("gone", [box.innerHTML, box.className]);
