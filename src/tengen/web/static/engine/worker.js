/** The engine's worker; see `service.js`. */

import { serve } from "./service.js";

serve(/** @type {import("./service.js").Scope} */ (/** @type {unknown} */ (self)));
