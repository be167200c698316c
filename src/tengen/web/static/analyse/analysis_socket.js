/**
 * Questions to the server's analysis, and what comes back: one socket, opened when it is first needed, opened
 * again when it was lost.
 *
 * @typedef {"analyse" | "vcf" | "vct" | "defences" | "review"} Kind
 * @typedef {(news: any) => void} Hear
 */

/** @param {() => void} onLost the connection is gone, and with it all that was asked */
export function createAnalysisSocket(onLost) {
  /** @type {WebSocket | null} */
  let socket = null;
  let count = 0;
  /** @type {Map<Kind, {id: number, hear: Hear}>} */
  const asked = new Map();

  return { ask, stop, destroy };

  /**
   * @param {Kind} kind replaces what was asked of this kind before
   * @param {object} fields
   * @param {Hear} hear
   */
  function ask(kind, fields, hear) {
    const id = ++count;
    asked.set(kind, { id, hear });
    send({ id, do: kind, ...fields });
  }

  /** @param {Kind} kind */
  function stop(kind) {
    const found = asked.get(kind);
    asked.delete(kind);
    if (found && socket?.readyState === WebSocket.OPEN) send({ id: found.id, do: "stop" });
  }

  /** @param {object} message */
  function send(message) {
    const text = JSON.stringify(message);
    if (socket?.readyState === WebSocket.OPEN) {
      socket.send(text);
      return;
    }
    const mine = socket ?? open();
    mine.addEventListener("open", () => mine.send(text), { once: true });
  }

  function open() {
    const mine = new WebSocket(`${location.origin.replace("http", "ws")}/api/analysis`);
    socket = mine;
    mine.onmessage = ({ data }) => {
      const news = JSON.parse(data);
      for (const [kind, { id, hear }] of asked) {
        if (id !== news.id) continue;
        if (news.done) asked.delete(kind);
        hear(news);
      }
    };
    mine.onclose = () => {
      if (mine !== socket) return;
      socket = null;
      if (!asked.size) return;
      asked.clear();
      onLost();
    };
    return mine;
  }

  function destroy() {
    asked.clear();
    const mine = socket;
    socket = null;
    mine?.close();
  }
}

/** @typedef {ReturnType<typeof createAnalysisSocket>} AnalysisSocket */
