/** A worker that prepares the next visit, and answers when that is done; it is of no use afterwards. */

import { keepForNextVisit } from "./python.js";

onmessage = ({ data }) => {
  keepForNextVisit(data.base)
    .catch((error) => console.warn(error))
    .finally(() => postMessage(null));
};
