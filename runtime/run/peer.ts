/** The client of one run, as the servers that the run calls may turn to it: their questions in turn
 * with the clock stopped, their log as events, both bounded. */

import type { Peer, ServerLog } from "#packs";
import type { Asking } from "./asking.ts";
import type { RunEvent } from "./types.ts";

export interface RunPeerDeps {
  /** Missing where no person can be asked. */
  readonly client?: Peer;
  readonly inTurn: Asking["inTurn"];
  readonly onEvent: (event: RunEvent) => void;
}

const MOST_QUESTIONS = 100;
const MOST_MESSAGES = 1_000;
const MOST_CHARACTERS = 256 * 1024;

/** Builds the peer that all calls of one run carry. */
export function createRunPeer({ client, inTurn, onEvent }: RunPeerDeps): Peer {
  let questions = 0;
  const isTaken = createMeter();

  /** Sends a message to this run and to the run that it is a part of. */
  function tell(message: ServerLog): void {
    onEvent({ type: "log", ...message });
    client?.log?.(message);
  }

  return {
    connection: client?.connection ?? client,
    capabilities: client?.capabilities ?? {},
    logLevel: client?.logLevel,
    async answer(question, signal) {
      if (!client || ++questions > MOST_QUESTIONS || signal.aborted) return undefined;
      return await inTurn(question.method, signal, () => client.answer(question, signal));
    },
    log(message) {
      const size = JSON.stringify(message.data).length;
      const verdict = isTaken(size);
      if (verdict === "taken") tell(message);
      if (verdict !== "full") return;
      const data = "Further messages of servers are left out: they log too much for one run";
      tell({ level: "warning", data, logger: message.logger });
    },
  };
}

/** Decides for each message if there is room for it; answers `full` once, `dropped` after that. */
function createMeter(): (characters: number) => "taken" | "full" | "dropped" {
  let messages = 0;
  let characters = 0;
  let isFull = false;
  return (size) => {
    if (isFull) return "dropped";
    isFull = ++messages > MOST_MESSAGES || (characters += size) > MOST_CHARACTERS;
    return isFull ? "full" : "taken";
  };
}
