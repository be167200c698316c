// Plays on a board, and answers what came of it.

const { createBoard } = $board;
const chosen = [],
  pointed = [];
const board = createBoard(box, {
  width: 15,
  height: 9,
  say,
  onSelect: (point) => chosen.push(point),
  onPoint: (point) => pointed.push(point),
});
const svg = box.querySelector("svg");
const count = (what) => box.querySelectorAll(what).length;
const place = ([x, y]) => {
  const star = svg.querySelector(".grid").getBoundingClientRect();
  const edge = svg.querySelectorAll(".grid")[1].getBoundingClientRect();
  return { clientX: edge.left + (x / 14) * edge.width, clientY: edge.bottom - (y / 8) * edge.height };
};
const point = (kind, at, pointerType = "mouse") =>
  svg.dispatchEvent(new PointerEvent(kind, { ...place(at), pointerType, bubbles: true }));
const tap = (at, pointerType) => {
  point("pointerdown", at, pointerType);
  point("click", at, pointerType);
};
const key = (name) => {
  const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true });
  box.dispatchEvent(event);
  return event.defaultPrevented;
};
const spoken = () => box.querySelector("[aria-live]").textContent;

answer("empty", [count(".stone"), count(".star"), count(".coordinate"), box.getAttribute("role")]);
const stones = [
  { point: [7, 4], colour: "black", number: 1 },
  { point: [8, 5], colour: "white", number: 2 },
];
const state = { stones, last: [8, 5], turn: "black", fouls: [[0, 0]] };
board.set(state);
const before = box.querySelector(".stone");
board.set({
  ...state,
  stones: [...stones, { point: [9, 4], colour: "black" }],
  last: [9, 4],
  turn: "white",
  heat: [
    { point: [1, 1], weight: 10 },
    { point: [2, 1], weight: 5 },
    { point: [3, 1], weight: -2 },
  ],
  marks: [
    { point: [4, 1], kind: "triangle" },
    { point: [5, 1], kind: "label", label: "A" },
  ],
  lines: [
    {
      kind: "win",
      points: [
        [7, 4],
        [8, 4],
        [9, 4],
      ],
    },
  ],
  arrows: [
    [
      [0, 2],
      [3, 2],
    ],
  ],
});
answer("drawn", {
  black: count(".stone.black"),
  white: count(".stone.white"),
  last: count(".last circle"),
  kept: before === box.querySelector(".stone"),
  fresh: count(".fresh"),
  numbers: count(".number"),
  heat: [count(".weight"), count(".below"), count(".chosen")],
  fouls: count(".fouls path"),
  marks: [count(".marks .triangle"), count(".marks .label")],
  win: count(".row.win"),
  arrows: count(".arrows path"),
  description: document.getElementById(box.getAttribute("aria-describedby")).textContent,
});
board.set(state);

tap([14, 8]);
tap([0, 0]);
tap([7, 4]);
answer("clicked", chosen.splice(0));
point("pointermove", [3, 3]);
answer("hover", [count(".ghosts .body.black"), box.classList.contains("may-play"), pointed.splice(0)]);
point("pointermove", [7, 4]);
answer("hoverStone", [count(".ghosts .body"), box.classList.contains("may-play")]);
point("pointermove", [0, 0]);
answer("hoverFoul", count(".ghosts .body"));
svg.dispatchEvent(new PointerEvent("pointerleave"));
answer("left", pointed.splice(0).at(-1));

tap([2, 2], "touch");
answer("first", [chosen.splice(0), count(".ghosts .body"), count(".frames rect"), spoken()]);
tap([3, 2], "touch");
answer("other", chosen.splice(0));
tap([3, 2], "touch");
answer("second", [chosen.splice(0), count(".ghosts .body")]);
tap([3, 3], "touch");
board.set({ ...state });
answer("redrawn", count(".frames rect"));
board.set({ ...state, stones: [...state.stones, { point: [9, 7], colour: "black" }] });
answer("positionChanged", count(".frames rect"));
board.set(state);
tap([7, 4], "touch");
answer("taken", chosen.splice(0));

answer("start", [key("ArrowLeft"), spoken()]);
key("ArrowLeft");
key("ArrowUp");
answer("moved", spoken());
key("Enter");
key(" ");
answer("entered", chosen.splice(0));
for (const name of ["Home", "PageDown"]) key(name);
answer("corner", spoken());
for (const name of ["End", "PageUp", "ArrowRight", "ArrowUp"]) key(name);
answer("edge", spoken());
answer("others", [key("a"), key("Tab"), key("Escape")]);
board.moveCursor([7, 4]);
answer("stone", spoken());
answer("tab", box.tabIndex);

board.set({ ...state, premove: { point: [3, 3], colour: "black" } });
board.moveCursor([3, 3]);
answer("premove", [count(".frames .premove"), count(".ghosts .body.black"), spoken()]);
tap([3, 3], "touch");
answer("premoveTapped", chosen.splice(0));

const whole = board.cell();
const part = board.show({ scale: 9, left: 2, top: -1 });
answer("part", [part, board.cell() / whole]);
board.show({ scale: 2, left: 0, top: 0 });
answer("half", board.pointUnder({ clientX: box.getBoundingClientRect().right - 1, clientY: 60 })?.[0]);
answer("whole", board.show({ scale: 0.5, left: 0.3, top: 0.3 }));
const copy = board.around([7, 4], 3);
answer("around", [
  copy.querySelectorAll(".stone").length,
  copy.querySelector("defs"),
  copy.getAttribute("viewBox").split(" ").slice(2).map(Number),
]);

const sizes = [];
for (const width of [333, 480, 601.5]) {
  const other = document.body.appendChild(document.createElement("div"));
  other.style.width = `${width}px`;
  const sized = createBoard(other, { width: 15, height: 9, say });
  const drawn = other.querySelector("svg");
  const [x, , wide] = drawn.getAttribute("viewBox").split(" ").map(Number);
  const at = drawn.getBoundingClientRect();
  const line = Number(
    drawn
      .querySelectorAll(".grid")[1]
      .getAttribute("d")
      .match(/M([\d.]+)/)[1],
  );
  sizes.push([(30 * at.width) / wide, at.left + ((line - x) * at.width) / wide, at.width / at.height]);
  sized.destroy();
}
answer("sizes", sizes);
answer("ratio", Number(box.style.getPropertyValue("--board-ratio")));

board.destroy();
tap([2, 2]);
key("Enter");
answer("destroyed", [
  box.innerHTML,
  box.className,
  box.getAttribute("role"),
  box.getAttribute("tabindex"),
  chosen,
]);
const picture = createBoard(box, { width: 3, height: 3, signs: true, say });
picture.set({
  stones: [
    { point: [0, 0], colour: "black" },
    { point: [1, 1], colour: "white" },
  ],
  last: [1, 1],
});
answer("picture", [
  box.getAttribute("role"),
  box.getAttribute("tabindex"),
  count("path.sign.black"),
  count("circle.sign.white"),
  count(".last rect"),
  box.getAttribute("aria-label"),
]);
