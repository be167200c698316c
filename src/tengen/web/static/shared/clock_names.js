/**
 * What time controls are called.
 *
 * @import { Context } from "./context.js"
 */

/**
 * @param {Context["say"]} say
 * @param {string} text as `TimeControl.parse` reads it; "" for none
 */
export function clockName(say, text) {
  if (!text) return say("web.setup.no_clock");
  const [, main, periods, period, increment] = /^(\d+)(?:\+(?:(\d+)x(\d+)|(\d+)))?$/.exec(text) ?? [];
  if (!main) return text;
  const minutes = Number((Number(main) / 60).toFixed(2));
  if (periods) return say("web.setup.clock_periods", { minutes, periods, seconds: period });
  return increment
    ? say("web.setup.clock_increment", { minutes, seconds: increment })
    : say("web.setup.clock_minutes", { minutes });
}
