/** What there is to know of a game before it begins. */

import { clockName } from "./clock_names.js";
import { rulesName, sentence } from "./names.js";

/**
 * Rules, size, opening and clock of a game that is offered, in a line.
 *
 * @param {import("/assets/words.js").Say} say
 * @param {{rules: import("./game_types.js").Rules, fouls_mode: "forbidden" | "loses" | "claimed", opening: string | null,
 *     clock: string | null}} offered
 */
export function factsText(say, { rules, fouls_mode, opening, clock }) {
  const fouls = { forbidden: "", loses: "web.setup.fouls_loses", claimed: "web.setup.fouls_claimed" }[
    fouls_mode
  ];
  return [
    sentence(rulesName(say, rules.name)),
    `${rules.width}×${rules.height}`,
    ...(rules.has_fouls && fouls ? [`${say("web.setup.fouls")} ${say(fouls)}`] : []),
    ...(opening ? [say(`opening.${opening}`)] : []),
    clock ? clockName(say, clock) : say("web.lobby.no_clock"),
  ].join(" · ");
}
