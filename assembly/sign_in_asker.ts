/** Asks the client of a call to sign in: by URL elicitation. */

import { isObject, type JsonObject } from "#base";
import type { AskContext, SignInAsker, SignInQuestion } from "#packs/auth";

/** Makes the asker of a gateway. */
export function createSignInAsker(): SignInAsker {
  return {
    canAsk: ({ peer }) => {
      const elicitation = peer?.capabilities.elicitation;
      return isObject(elicitation) && isObject(elicitation.url);
    },
    async ask(question, { peer, signal }: AskContext) {
      const answer = await peer?.answer({
        method: "elicitation/create",
        params: paramsOf(question),
      }, signal);
      return isObject(answer) && answer.action === "accept" ? "accepted" : "declined";
    },
  };
}

function paramsOf(question: SignInQuestion): JsonObject {
  const elicitationId = crypto.randomUUID();
  return { mode: "url", message: messageOf(question), url: question.url, elicitationId };
}

/** Question for a person. */
function messageOf({ server, account, code }: SignInQuestion): string {
  const as = account === "" ? "" : ` as "${account}"`;
  const how = code === undefined ? "" : `, with the code ${code}`;
  return `The server "${server}" wants a sign-in${as}: open the address${how}`;
}
