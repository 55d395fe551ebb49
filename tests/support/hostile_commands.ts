/** Commands that are meant to be slow to read, each of about as many characters as is asked for. */

export interface HostileCommand {
  readonly name: string;
  readonly command: (characters: number) => string;
}

/** `unit` again and again; `#` in it is the number of the turn. */
function many(unit: string, join = ""): (characters: number) => string {
  return (characters) => {
    const parts: string[] = [];
    for (let n = 0, left = characters; left > 0; n++) {
      const part = unit.replaceAll("#", String(n));
      parts.push(part);
      left -= part.length + join.length;
    }
    return parts.join(join);
  };
}

function wrapped(before: string, inner: (characters: number) => string, after: string) {
  return (characters: number) => before + inner(characters) + after;
}

function nested(open: string, middle: string, close: string): (characters: number) => string {
  return (characters) => {
    const depth = Math.ceil(characters / (open.length + close.length));
    return open.repeat(depth) + middle + close.repeat(depth);
  };
}

export const HOSTILE_COMMANDS: readonly HostileCommand[] = [
  { name: "open brackets", command: nested("[", "", "") },
  { name: "nested brackets", command: nested("[", "", "]") },
  { name: "nested calls of a tool", command: nested("brave.search(", "1", ")") },
  { name: "keyword arguments", command: wrapped("f(", many("a#=#", ","), ")") },
  {
    name: "keyword arguments of a tool",
    command: wrapped("brave.search(", many("a#=#", ","), ")"),
  },
  { name: "one keyword again and again", command: wrapped("f(", many("a=1", ","), ")") },
  { name: "positional arguments", command: wrapped("brave.search(", many("#", ","), ")") },
  { name: "keys of an object", command: wrapped("brave.search({", many("a#:#", ","), "})") },
  { name: "calls on one line", command: many("brave.search(q=#);") },
  { name: "calls on many lines", command: many("brave.search(q=#)\n") },
  { name: "assignments on one line", command: many("a#=#;") },
  { name: "one name assigned again and again", command: many("a=#\n") },
  { name: "names that hold one another", command: many("b# = a#\na# = b#\n") },
  { name: "unknown calls", command: many("f#(1)\n") },
  { name: "blocked calls", command: many("eval(#)\n") },
  { name: "blocked calls on one line", command: many("eval(#);") },
  { name: "a name with many values", command: wrapped("let e;\n", many("e = x#;\n"), "e()") },
  {
    name: "a name with many values, called often",
    command: (n) => `let e = 1;\n${many("e = x#;\n")(n / 2)}${many("e(#);\n")(n / 2)}`,
  },
  { name: "chained members", command: wrapped("a", many(".b"), "") },
  { name: "chained calls", command: wrapped("a", many(".b()"), "") },
  { name: "sums", command: wrapped("0", many("+#"), "") },
  { name: "divisions of a path", command: wrapped("proj.onetool", many('/"a"'), "") },
  { name: "a string", command: wrapped('"', many("x"), '"') },
  { name: "templates", command: many("`${#}`;") },
  { name: "nested templates", command: nested("`${", "1", "}`") },
  { name: "back-ticks", command: many("`") },
  { name: "fences", command: wrapped("```ts\n", many("```\n"), "```") },
  { name: "snippet marks", command: many("$a ") },
  { name: "quotes", command: many('"') },
  { name: "comments", command: many("/* # */") },
  { name: "blank lines and tabs", command: many(" \t\n") },
  { name: "carriage returns", command: many("a#\r") },
  { name: "indented lines", command: wrapped("  if (1) {\n", many("    f(#)\n"), "  }") },
  { name: "brackets that begin lines", command: many("a\n[#]\n") },
  { name: "nested functions", command: nested("(() => { ", "1", " })") },
  { name: "nested blocks", command: nested("{", "1", "}") },
  { name: "Python's words", command: many("def f#(x):\n") },
  { name: "conditions", command: wrapped("", many("a#?#:"), "0") },
  { name: "NULs", command: many("\0") },
  { name: "lone surrogates", command: wrapped('"', many("\ud800"), '"') },
  { name: "destructuring", command: wrapped("const {", many("a#", ","), "} = tools") },
  { name: "labels", command: many("a#: int = #\n") },
];
