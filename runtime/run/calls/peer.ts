/** The client of one run, as the servers that the run calls may turn to it: their questions in turn
 * with the clock stopped, their log as events, both bounded. */

import type { Peer } from "#packs";
import type { RunQuestions } from "../approval/run_questions.ts";
import type { RunEvent } from "../types.ts";

export interface RunPeerDeps {
  /** Missing where no person can be asked. */
  readonly client?: Peer;
  readonly inTurn: RunQuestions["inTurn"];
  /** Stops the clock of the run. */
  readonly pause: () => () => void;
  readonly onEvent: (event: RunEvent) => void;
}

/** Questions of servers to a client in one run, or in one request. */
export const MOST_QUESTIONS = 100;
const MOST_MESSAGES = 1_000;
const MOST_CHARACTERS = 256 * 1024;

/** Builds the peer that all calls of one run carry. */
export function createRunPeer({ client, inTurn, pause, onEvent }: RunPeerDeps): Peer {
  return boundPeer({
    connection: client?.connection ?? client,
    capabilities: client?.capabilities ?? {},
    logLevel: client?.logLevel,
    pause,
    waits: client?.waits,
    onWaiting: client?.onWaiting,
    async answer(question, signal) {
      if (!client || signal.aborted) return undefined;
      return await inTurn(question.method, signal, () => client.answer(question, signal));
    },
    /** The outer run gets the log of a run within it, too. */
    log(message) {
      onEvent({ type: "log", ...message });
      client?.log?.(message);
    },
  });
}

/** Peer of a look: servers ask its person for nothing, by a form, an address or a model. */
export function unasked(peer: Peer): Peer {
  const { elicitation: _, sampling: __, ...capabilities } = peer.capabilities;
  return { ...peer, capabilities, waits: false };
}

/** Bounds the questions and the log that servers send to a client during one request. */
export function boundPeer(peer: Peer): Peer {
  let questions = 0;
  const meter = createMeter();
  return {
    ...peer,
    async answer(question, signal) {
      return ++questions > MOST_QUESTIONS ? undefined : await peer.answer(question, signal);
    },
    log(message) {
      const size = JSON.stringify(message.data).length;
      const verdict = meter(size);
      if (verdict === "accepted") peer.log?.(message);
      if (verdict !== "full") return;
      const data = "Further messages of servers are left out: they log too much for one run";
      peer.log?.({ level: "warning", data, logger: message.logger });
    },
  };
}

/** Decides for each message if there is room for it; answers `full` once, `dropped` after that. */
function createMeter(): (characters: number) => "accepted" | "full" | "dropped" {
  let messages = 0;
  let characters = 0;
  let isFull = false;
  return (size) => {
    if (isFull) return "dropped";
    isFull = ++messages > MOST_MESSAGES || (characters += size) > MOST_CHARACTERS;
    return isFull ? "full" : "accepted";
  };
}
