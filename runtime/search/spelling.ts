/** Which known words a misspelt or shortened one may be. */

export interface Spelled {
  readonly term: string;
  /** 0 to 1. */
  readonly likeness: number;
}

const MOST = 4;

/** Known words that differ in few letters, or that begin with the word; the most alike first. */
export function spelledLike(word: string, known: Iterable<string>): Spelled[] {
  const reach = word.length <= 3 ? 1 : word.length <= 5 ? 1 : 2;
  const letters = lettersOf(word);
  const found: Spelled[] = [];
  for (const term of known) {
    const likeness = likenessOf(word, term, { reach, letters });
    if (likeness > 0) found.push({ term, likeness });
  }
  return found.sort((a, b) => b.likeness - a.likeness).slice(0, MOST);
}

function likenessOf(
  word: string,
  term: string,
  { reach, letters }: { reach: number; letters: number },
): number {
  const longer = term.length - word.length;
  if (longer > 0 && word.length >= 3 && term.startsWith(word)) {
    return 0.6 + 0.3 * word.length / term.length;
  }
  if (Math.abs(longer) > reach || term.length < 3 || word.length < 3) return 0;
  if (bits(lettersOf(term) ^ letters) > 2 * reach) return 0;
  const distance = editDistance(word, term, reach);
  if (distance > reach) return 0;
  // A wrong first letter is rare.
  const first = word[0] === term[0] ? 1 : 0.8;
  return first * (1 - distance / Math.max(word.length, term.length));
}

/** Which letters a word has, as bits. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bits(value: number): number {
  let count = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Insertions, deletions, substitutions and swaps of neighbours; more than `reach` is `reach + 1`. */
function editDistance(one: string, other: string, reach: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        swapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    if (Math.min(...current) > reach) return reach + 1;
    before = previous;
    previous = current;
  }
  return previous[other.length] ?? reach + 1;
}
