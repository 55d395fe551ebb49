/** Purpose of a pack in two or three words, for the instructions: `mail, calendar`. */

import type { ToolSpec } from "./types.ts";

export interface PurposeSource {
  readonly name: string;
  /** Words of the configuration or of its server on the pack; foreign text. */
  readonly text: string;
  readonly tools: readonly Pick<ToolSpec, "name">[];
}

const MOST_WORDS = 3;
const MOST_TOOLS = 500;
const TEXT = 200;
/** Score of a word of the text; a word that every tool's name has scores 1. */
const IN_TEXT = 0.4;
/** Share of the best score that a further word must have. */
const LEAST_OF_BEST = 0.2;
const NOUN = /^\p{L}{3,16}$/u;
/** Words that name no thing: verbs of tools, and words between others. */
const SKIPPED = new Set(
  ("access activate add all allow analyze and any apply archive are assign attach audit authenticate " +
    "available batch based been beta both browse bulk by call can cancel change check clean clear click " +
    "clone close code combine compare complete compute config configure confirm connect convert copy count " +
    "create current custom deactivate default delete deploy describe detailed details detect disable " +
    "disconnect download drag drop edit enable encode evaluate execute exists explain export extract " +
    "fetch fill find for from generate get give handle has hash have how import info information " +
    "insert inspect install interact invoke its join kill known let like link list lists load log " +
    "login logout look lookup make manage many match may mcp merge model modify more most move name " +
    "names navigate new newest not now off only open order other our out own parse patch per perform pin " +
    "please post press preview process provide provides publish pull push put query read rebase " +
    "receive related remove rename render replace reply report request reset resize resolve restart " +
    "restore retrieve return revert review root run save scan schedule search select send server " +
    "service set share show single some sort start state status stop submit summary support sync " +
    "take test text that the their them then these this tool tools transform trigger trying type " +
    "types undo unpin update upload upsert use used user using validate value values various verify " +
    "view wait was watch what when where which with work write you your").split(" "),
);
/** Words above that name things where another verb goes before them. */
const THINGS = new Set(
  "code link log model order query report request review schedule server service state test user work"
    .split(" "),
);

/** Finds the words; empty where nothing says what the pack is for. */
export function purposeOf({ name, text, tools }: PurposeSource): string {
  const own = new Set(nameWords(name).map(keyOf));
  const scores = new Map<string, { score: number; word: string }>();
  const add = (words: Iterable<string>, score: number) => {
    for (const word of words) {
      const key = keyOf(word);
      if (own.has(key)) continue;
      const before = scores.get(key);
      scores.set(key, { score: (before?.score ?? 0) + score, word: before?.word ?? word });
    }
  };
  const some = tools.slice(0, MOST_TOOLS);
  add(new Set(wordsOf(text.slice(0, TEXT)).filter((word) => isThing(word, false))), IN_TEXT);
  for (const tool of some) {
    const words = nameWords(tool.name);
    add(new Set(words.filter((word, at) => isThing(word, at > 0))), 1 / some.length);
  }
  const words = [...scores.values()].sort((one, other) => other.score - one.score);
  const least = (words[0]?.score ?? 0) * LEAST_OF_BEST;
  return words.filter(({ score }) => score >= least)
    .slice(0, MOST_WORDS).map(({ word }) => word).join(", ");
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

function nameWords(name: string): string[] {
  return wordsOf(name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
}

function isThing(word: string, isLater: boolean): boolean {
  if (!NOUN.test(word)) return false;
  if (isLater && THINGS.has(keyOf(word))) return true;
  return !SKIPPED.has(word) && !SKIPPED.has(keyOf(word)) && !SKIPPED.has(word.replace(/es$/, ""));
}

/** One key for singular and plural. */
function keyOf(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, "y");
  return word.replace(/(?<=\w\w[^s])s$/, "");
}
