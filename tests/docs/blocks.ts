/** The fenced blocks of a Markdown page, with what the tests are told about them. */

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** Words after the language: `run`, `config`, `file=report.ts`. */
  readonly words: readonly string[];
  readonly text: string;
  /** Why it is not run: `<!-- not run: … -->` on the line before. */
  readonly reason: string | undefined;
}

/** Every fenced block, in order. */
export function readBlocks(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^(?<ticks>`{3,})(?<info>.*)$/.exec(lines[at] ?? "")?.groups;
    if (!fence?.ticks) continue;
    const end = lines.indexOf(fence.ticks, at + 1);
    if (end < 0) throw new Error(`${page}:${at + 1}: the block has no end`);
    const [language = "", ...words] = (fence.info ?? "").trim().split(/\s+/);
    blocks.push({
      page,
      line: at + 1,
      language,
      words,
      text: lines.slice(at + 1, end).join("\n") + "\n",
      reason: reasonBefore(lines, at),
    });
    at = end;
  }
  return blocks;
}

/** The value of a word `name=value`. */
export function wordValue(block: Block, name: string): string | undefined {
  return block.words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Whether `actual` is what the page shows; `…` there stands for anything, alone on a line for any
 * lines. Columns may be of any width, as times of another machine make them. */
export function matchesExpected(expected: string, actual: string): boolean {
  const pattern = expected.trimEnd().split("\n").map((line) => {
    if (line.trim() === "…") return "[^]*";
    return line.split("…").map((part) => cellsPattern(part.trimEnd())).join(".*") + "[ ]*";
  }).join("\n").replaceAll("\n[^]*\n", "\n[^]*");
  return new RegExp(`^${pattern}\\s*$`).test(actual);
}

/** Cells of a table's row stand two or more blanks apart; an indentation stays what it is. */
function cellsPattern(text: string): string {
  return text.split(/(?<=\S) {2,}/).map((cell) => RegExp.escape(cell)).join(" {2,}");
}

function reasonBefore(lines: readonly string[], at: number): string | undefined {
  const before = lines.slice(0, at).findLast((line) => line.trim() !== "");
  return /^<!-- not run: (?<reason>.+) -->$/.exec(before ?? "")?.groups?.reason;
}
