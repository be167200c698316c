/**
 * The lengths of a drawn board, for the browser and for `tengen.formats.pictures`, which reads the object as JSON:
 * the keys stay in quotes, and nothing is computed here.
 *
 * Lengths are parts of a cell, except where units are named: a thirtieth of a cell, as the SVG counts.
 *
 * - `cell`: the distance between neighbouring points, in units.
 * - `lines`: widths of the lines within the board and of those round it, in units; `sharp`: from so many pixels a
 *   cell on, lines are fitted to pixels.
 * - `star`: radius of a star point, in units; `stars`: by size, the columns and rows of the star points, and
 *   whether those in the middle of a side are stars too; `centre`: from this side on, other boards show theirs.
 * - `gap`: from the outer points to the coordinates, half of their size not counted; `margin`: from the outer
 *   points to the edge where there are no coordinates. Both for stones and for signs.
 * - `coordinates`: their `size` on a board of the `usual` side, what each line more adds, the `least` and the `most`;
 *   how far they stay from the `edge`, and those of rows
 *   `aside`; how much `wider` than two figures two Chinese numerals are, in parts of the size.
 * - `stone`: its radius; `cross` and `ring`: the signs of Black and of White; `beyond`: how far the line of a row goes
 *   beyond the middle of its last signs.
 * - `heat`: the `disc` of the largest weight, the `least` one in units, the ring round the `chosen` one, the `figure`
 *   and its `room`; `written`, `inside`: the share of the largest weight from which a weight is written out, and from
 *   which it has room within its disc.
 * - `numbers`: sizes of those of one to three figures, and of more; `numberBeside`: where one stands by a sign.
 * - `last`: the `ring` on a stone, the one `around` what is written on it, the `frame` round a sign.
 * - `foul`: half the side of a cross.
 * - `premove`: radii of the `ring` round a stone that is to be played next, and of the `dot` upon it.
 * - `mark`: sizes of the shapes; the size of a `label`, its `room` and the `clearing` under it; `markBeside`: where
 *   one stands by a sign.
 * - `arrow`: where its `tail` begins, at most so much of its whole `length`; how far from the point its `tip` ends, at
 *   `least` so far along; its `head` and half the `width` of it.
 * - `lit`: the gradient of a stone: its middle and radius, and where the second of three steps is for `black` and
 *   for `white`; `shade`: what it throws, in units: how far `right` and `down`, its `radius`, and where (`full`) on
 *   it grows thin. `rims`: round the stones of a row that is behind them, what is beyond the stone, in units: the
 *   `line`, and the `light` within.
 * - `pens`: widths of strokes, in units: the `rim` of a stone and its `sign`; the `row`, the light beneath (`under`)
 *   and a row behind its stones (`behind`); a weight `below` zero and the `chosen` one; the `halo` of a text; the
 *   `last` move's ring, the one `around` what is written, the `frame` round a sign; a `foul`; a `mark` and one
 *   `beside` a sign; an `arrow`. `dashes`: of the rows of a foul.
 * - `opacity`: of the `shade`, of the light `under` a row, of a weight `below` zero, of a `halo`, of `arrows`, and
 *   of a `weight`: the least, and what the largest has more.
 * - `letters`: the most of a label. `signs`: boards have them up to this `side`, and up to so many in a `row`.
 * - `baseline`: from the middle of a text down, in parts of its size.
 */
// prettier-ignore
export const LENGTHS = {
  "cell": 30,
  "lines": [0.9, 1.7],
  "sharp": 12,
  "star": 2.8,
  "stars": {
    "9x9": { "lines": [2, 4, 6], "sides": false },
    "13x13": { "lines": [3, 6, 9], "sides": false },
    "15x15": { "lines": [3, 7, 11], "sides": false },
    "19x19": { "lines": [3, 9, 15], "sides": true }
  },
  "centre": 5,
  "gap": { "stones": 0.54, "signs": 0.61 },
  "margin": { "stones": 0.68, "signs": 0.8 },
  "coordinates": { "size": 0.36, "usual": 15, "more": 0.006, "least": 0.3, "most": 0.56, "edge": 0.16, "aside": 0.04, "wider": 0.8 },
  "stone": 0.467,
  "cross": 0.26,
  "ring": 0.27,
  "beyond": 0.3,
  "heat": { "disc": 0.44, "least": 1.2, "chosen": 0.465, "figure": 0.36, "room": 0.94, "written": 0.1, "inside": 0.5 },
  "numbers": [0.54, 0.5, 0.42, 0.33],
  "numberBeside": { "right": 0.3, "down": 0.33, "size": 0.22 },
  "last": { "ring": 0.17, "around": 0.4, "frame": 0.44 },
  "foul": 0.17,
  "premove": { "ring": 0.465, "dot": 0.11 },
  "mark": { "triangle": 0.3, "square": 0.22, "circle": 0.25, "cross": 0.22, "label": 0.52, "room": 0.86, "clearing": 0.36 },
  "markBeside": { "right": 0.31, "up": 0.29, "size": 0.45 },
  "arrow": { "tail": 0.42, "length": 0.2, "tip": 0.4, "least": 0.72, "head": 0.3, "width": 0.16 },
  "lit": { "cx": 0.36, "cy": 0.3, "r": 0.78, "black": 0.45, "white": 0.7 },
  "shade": { "right": 0.7, "down": 1.3, "radius": 15, "full": 0.82 },
  "rims": { "line": 2.8, "light": 1 },
  "pens": {
    "rim": 0.8, "sign": 3.3,
    "row": 3, "under": 5.4, "behind": 5,
    "below": 2, "chosen": 2, "halo": 1.8,
    "last": 2.2, "around": 1.5, "frame": 1.4,
    "foul": 3, "mark": 2.2, "beside": 1.3, "arrow": 3
  },
  "dashes": "4.5 5.5",
  "opacity": { "shade": 0.42, "under": 0.85, "below": 0.75, "halo": 0.7, "arrows": 0.9, "weight": [0.6, 0.25] },
  "letters": 6,
  "signs": { "side": 8, "row": 4 },
  "baseline": 0.36
};
