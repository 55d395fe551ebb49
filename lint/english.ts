/** House rules for the English of comments and for names of variables (CONTRIBUTING, *Glossary*). */

/** Folders, and files at the top, that the rules hold for. */
const PLACES =
  /^(?:assembly|base|cli|config|files|gateway|packs|runtime|sandbox|telemetry|lint|release)\/|^main\.ts$/;
/** The names rule also holds for these. */
const NAMES_TOO = /^(?:tests|bench|examples)\//;
/** Words that make a doc comment a riddle: a noun or a verb says more. */
const FIRST_WORDS = /^(?:What|Whatever|Whether|Who|Whoever|That|How)\b/;
const PARTICIPLES = new Set([
  "asked",
  "found",
  "given",
  "known",
  "said",
  "shown",
  "told",
  "wanted",
]);
/** Words with what to write instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:no|any|some)body\b|\bwhoever\b/i, "name the client, caller, person or part"],
  [/\banew\b/i, "again"],
  [/\bbreath(?:e|es|ing)?\b/i, "yield"],
  [/\b(?:is|are|was|were) none\b/i, "say what is missing or wrong"],
  [/\bcan not\b/i, "cannot"],
  [/\bsaniti[s]e/i, "sanitize"],
  [/\bseriali[s]e/i, "serialize"],
];

function pathOf(filename: string): string {
  const root = new URL("../", import.meta.url).pathname;
  return filename.startsWith(root) ? filename.slice(root.length) : "";
}

const comments: Deno.lint.Rule = {
  create(context) {
    return {
      Program() {
        if (!PLACES.test(pathOf(context.filename))) return;
        for (const comment of context.sourceCode.getAllComments()) {
          const text = comment.value.replaceAll(/`[^`]*`/g, "``");
          const range: [number, number] = comment.range;
          const isDoc = comment.type === "Block" && text.startsWith("*");
          const [first = ""] = isDoc ? FIRST_WORDS.exec(text.slice(1).trimStart()) ?? [] : [];
          if (first !== "") {
            const message = `A doc comment begins with a noun or a verb, not with "${first}"`;
            context.report({ range, message });
          }
          for (const [word, instead] of WORDS) {
            const [used] = word.exec(text) ?? [];
            if (used) context.report({ range, message: `"${used}": write instead: ${instead}` });
          }
        }
      },
    };
  },
};

const names: Deno.lint.Rule = {
  create(context) {
    const path = pathOf(context.filename);
    const applies = PLACES.test(path) || NAMES_TOO.test(path);
    function check(node: Deno.lint.Node | Deno.lint.Parameter | null): void {
      if (!applies) return;
      if (node?.type === "Identifier" && PARTICIPLES.has(node.name)) {
        const message = `"${node.name}" does not name a thing: say which thing it is`;
        context.report({ node, message });
      } else if (node?.type === "ObjectPattern") {
        for (const property of node.properties) {
          check(property.type === "Property" ? property.value : property.argument);
        }
      } else if (node?.type === "ArrayPattern") node.elements.forEach(check);
      else if (node?.type === "AssignmentPattern") check(node.left);
      else if (node?.type === "RestElement") check(node.argument);
    }
    const parameters = (node: { readonly params: readonly Deno.lint.Parameter[] }) => {
      node.params.forEach(check);
    };
    return {
      VariableDeclarator: (node) => check(node.id),
      FunctionDeclaration(node) {
        check(node.id);
        parameters(node);
      },
      FunctionExpression: parameters,
      ArrowFunctionExpression: parameters,
    };
  },
};

const english: Deno.lint.Plugin = { name: "english", rules: { comments, names } };
export default english;
