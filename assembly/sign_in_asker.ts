/** Asks persons to sign in: through the client of the call, in its ways, and on the page. */

import { isObject, type JsonObject } from "#base";
import type { Peer } from "#packs";
import {
  type AskContext,
  receiverText,
  type SignInAsker,
  type SignInQuestion,
  type SignInRefusal,
} from "#packs/auth";
import type { Answerer, Inbox } from "#runtime";

/** Makes the asker of a gateway. */
export function createSignInAsker(inbox: Pick<Inbox, "ask" | "address">): SignInAsker {
  return {
    canAsk: ({ peer }) => {
      const isOnPage = peer?.waits === true && inbox.address() !== undefined;
      return isOnPage || showsAddresses(peer);
    },
    async ask(question, { peer, run, signal }: AskContext): Promise<SignInRefusal> {
      const { server, account, url } = question;
      const because = reasonOf(question);
      const put = {
        kind: "sign_in" as const,
        server,
        url,
        run,
        ...(account === "" ? {} : { account }),
        ...(because === "" ? {} : { because }),
      };
      const answerers = peer && showsAddresses(peer) ? [answererOf(peer, question)] : [];
      const { onWaiting } = peer ?? {};
      const { allow } = await inbox.ask(put, { signal, answerers, onWaiting });
      return allow === "no" ? "declined" : "unanswerable";
    },
  };
}

/** True for a client with URL elicitation. */
function showsAddresses(peer: Peer | undefined): boolean {
  const elicitation = peer?.capabilities.elicitation;
  return isObject(elicitation) && isObject(elicitation.url);
}

function answererOf(peer: Peer, question: SignInQuestion): Answerer {
  return {
    from: { via: "client" },
    async ask(_, signal) {
      const params = paramsOf(question);
      const answer = await peer.answer({ method: "elicitation/create", params }, signal);
      if (!isObject(answer)) return undefined;
      if (answer.action !== "accept") return { allow: "no" };
      // The person goes there: the sign-in itself is the answer.
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      return { allow: "done" };
    },
  };
}

function paramsOf(question: SignInQuestion): JsonObject {
  const elicitationId = crypto.randomUUID();
  return { mode: "url", message: messageOf(question), url: question.url, elicitationId };
}

/** Question for a person. */
function messageOf(question: SignInQuestion): string {
  const { server, account, code, otherIssuer } = question;
  const as = account === "" ? "" : ` as "${account}"`;
  const at = otherIssuer === undefined ? "" : `, at another issuer than before (${otherIssuer})`;
  const how = code === undefined ? "" : `, with the code ${code}`;
  const wish = `The server "${server}" wants a sign-in${as}${at}: open the address${how}`;
  return [wish, ...hostsOf(question)].join(". ");
}

/** Text of the page beside the address. */
function reasonOf(question: SignInQuestion): string {
  const { code, otherIssuer } = question;
  const at = otherIssuer === undefined ? [] : [`Another issuer than before: ${otherIssuer}`];
  const how = code === undefined ? [] : [`The page asks for the code ${code}`];
  return [...at, ...how, ...hostsOf(question)].join(". ");
}

function hostsOf(question: SignInQuestion): string[] {
  return [receiverText(question)].filter((text) => text !== undefined);
}
