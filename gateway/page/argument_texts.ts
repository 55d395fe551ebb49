/** Arguments of waiting questions as the page shows them. */

import { createTurns, type JsonObject } from "#base";
import { argumentText, type WaitingQuestion } from "#runtime";

/** Returns the text of arguments that a question has. */
export type ArgumentText = (args: JsonObject) => string;

/** Makes the function that writes the arguments of questions while other work runs, each once: the page
 * shows a question again at each event. */
export function createArgumentTexts(): (
  questions: readonly WaitingQuestion[],
) => Promise<ArgumentText> {
  const texts = new WeakMap<JsonObject, string>();
  const write = (args: JsonObject) => {
    const text = texts.get(args) ?? argumentText(args);
    texts.set(args, text);
    return text;
  };
  return async (questions) => {
    const turn = createTurns();
    for (const question of questions) {
      for (const { arguments: args } of [question, ...question.calls ?? []]) {
        if (args) write(args);
        await turn();
      }
    }
    return write;
  };
}
