// What the modules answer to what Python knows too.

const { layout, showsSigns, starPoints, figure } = $board_layout;
const { columnName, pointName, parseMoves } = $notation;
const sizes = [
  [1, 1],
  [1, 5],
  [3, 3],
  [8, 8],
  [9, 9],
  [13, 13],
  [15, 15],
  [19, 19],
  [20, 15],
  [50, 50],
];
answer(
  "layouts",
  sizes.flatMap(([w, h]) =>
    [false, true].flatMap((signs) =>
      [false, true].flatMap((named) =>
        ["letters", "chinese"].map((style) => {
          const { text, left, top, width, height, aside } = layout(w, h, signs, named, style);
          return { w, h, signs, named, style, text, left, top, width, height, aside };
        }),
      ),
    ),
  ),
);
answer(
  "stars",
  sizes.map(([w, h]) => [w, h, starPoints(w, h)]),
);
answer(
  "signs",
  sizes.flatMap(([w, h]) => [3, 4, 5].map((k) => [w, h, k, showsSigns(w, h, k)])),
);
answer(
  "figures",
  [0, 1, 500, -35, 0.35, -0.05, 99.96, 12345, 1234567, 1e12, 1e-7, 0.001].map((x) => [x, figure(x)]),
);
answer(
  "columns",
  [0, 25, 26, 49].map((x) => [x, columnName(x)]),
);
answer("chinese", $notation.coordinates(50, 50, "chinese"));
answer("points", [
  $notation.pointText("h8", 15, "letters"),
  $notation.pointText("h8", 15, "chinese"),
  $notation.pointText("a15", 15, "chinese"),
  $notation.pointText("o1", 15, "chinese"),
]);
answer("letters", $notation.coordinates(3, 2, "letters"));
answer(
  "moves",
  parseMoves("h8ab12--a1").map((point) => [point, pointName(point)]),
);
answer(
  "durations",
  [0, 4e-6, 5e-5, 1e-4, 0.0123, 0.25, 3.14159, 9.96, 100, 1234].map((s) => [s, $replay.duration(s)]),
);
answer("said", [
  say("describe.end.five", { winner: { key: "black" }, lines: ["a1 b1", "c1 d1"] }),
  say("explain.mcts.visits", { visits: 1 }),
  say("explain.mcts.visits", { visits: "1" }),
  say("explain.mcts.visits", { visits: 12 }),
]);
for (const [name, key, values] of [
  ["unknown", "no.such.key", {}],
  ["missing", "error.occupied", {}],
]) {
  try {
    say(key, values);
    answer(name, "said");
  } catch (error) {
    answer(name, error.message);
  }
}
