import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOfMove, computerSeats, mayPlay, ownSeats, seatName } from "/static/play/game_state.js";
import { mayPremove } from "/static/play/game_board.js";

const say = (key, values) => (values ? `${key} ${Object.values(values).join(" ")}` : key);
const seats = [
  { participant: 1, colour: "black", occupant: "human", name: "Ada", open: false },
  { participant: 2, colour: "white", occupant: "level:4", name: null, open: false },
];
const base = { seats, actor: 1, paused: false, opening: null, outcome: null, setup: null };

/** A game in which one sits on these seats. */
function game(state = {}, you = [1], premoves = true) {
  return { state: { ...base, ...state }, you, context: { say, settings: { get: () => premoves } } };
}

test("one may play when it is one's own turn, and nothing has to be waited for", () => {
  assert.equal(mayPlay(game()), true);
  assert.equal(mayPlay(game({}, [2])), false);
  assert.equal(mayPlay(game({ actor: null })), false);
  assert.equal(mayPlay(game({ paused: true })), false);
  assert.equal(mayPlay(game({ opening: { decision: { kind: "choice" } } })), false);
  assert.equal(mayPlay(game({ opening: { decision: { kind: "place" } } })), true);
  assert.equal(mayPlay(game({ seats: [seats[0], { ...seats[1], occupant: "human", open: true }] })), false);
  assert.equal(mayPlay(game({ actor: 2 }, [1, 2])), false); // the computer's turn
});

test("a premove is chosen while another one is to move, by no opening rule", () => {
  assert.equal(mayPremove(game({ actor: 2 })), true);
  assert.equal(mayPremove(game({ actor: 1 })), false);
  assert.equal(mayPremove(game({ actor: 2 }, [1], false)), false);
  assert.equal(mayPremove(game({ actor: 2, outcome: { winner: "black" } })), false);
  assert.equal(mayPremove(game({ actor: 2, opening: { name: "swap2" } })), false);
  assert.equal(mayPremove(game({ actor: 2 }, [])), false);
});

test("seats are those of people here, and of computers", () => {
  assert.deepEqual(ownSeats(game({}, [1, 2])), [seats[0]]);
  assert.deepEqual(computerSeats(base), [seats[1]]);
});

test("a seat is called by its name, and one's own says so", () => {
  assert.equal(seatName(game(), seats[0]), "web.play.you_named Ada");
  assert.equal(seatName(game({}, []), seats[0]), "Ada");
  assert.equal(seatName(game(), { ...seats[0], name: null }), "web.play.you");
  assert.equal(seatName(game(), { ...seats[0], participant: 2, name: null }), "web.play.friend");
  assert.equal(seatName(game({}, [1, 2]), { ...seats[0], name: null }), "web.play.player black");
});

test("the colours take turns from who was to move in the set-up position", () => {
  assert.deepEqual(
    [0, 1, 2].map((index) => colourOfMove(base, index)),
    ["black", "white", "black"],
  );
  assert.equal(colourOfMove({ setup: { turn: "white" } }, 0), "white");
});
