/** Lowers TypeScript syntax that exists at run time to JavaScript. */

import { type Edits, lastIn } from "./edits.ts";
import { isErasable } from "./erasable.ts";
import { afterDecorators, children, endOf, type Node, startOf } from "./parse.ts";

type Enum = Extract<Node, { type: "TSEnumDeclaration" }>;
type Namespace = Extract<Node, { type: "TSModuleDeclaration" }>;
type Constructor = Extract<Node, { type: "ClassMethod" }>;

/** Lowers `enum E {A = 1, B}` to a function that fills an object; each member stays in its place. */
export function lowerEnum(node: Enum, edits: Edits): void {
  const { name } = node.id;
  const members = node.body.members;
  const names = new Set(members.map((member) => keyText(member.id)));
  const open = startOf(node.body);
  edits.insert(
    startOf(node),
    `var ${name};(function(${name}){let $v=-1;` +
      `const $m=(k,v)=>{${name}[k]=$v=v;if(typeof v!=="string")${name}[v]=k;};`,
  );
  edits.blank(startOf(node), open + 1);
  for (const [index, member] of members.entries()) {
    const key = JSON.stringify(keyText(member.id));
    const end = endOf(member);
    const { initializer } = member;
    if (initializer) {
      edits.insert(startOf(member), `$m(${key},(`);
      edits.blank(startOf(member), startOf(initializer));
      qualify(initializer, { owner: name, names }, edits);
    } else {
      edits.insert(startOf(member), `$m(${key},($v+1`);
      edits.blank(startOf(member), end);
    }
    edits.close(startOf(member), end, "));");
    const next = members[index + 1];
    const to = next ? startOf(next) : endOf(node) - 1;
    const comma = lastIn(edits.text, ",", { from: end, to });
    if (comma >= 0) edits.blank(comma, comma + 1);
  }
  edits.close(startOf(node), endOf(node), `)(${name}||(${name}={}));`);
}

/** Lowers `namespace N {…}` to a function; exports become properties that read its variables. A
 * name in `taken` already belongs to a function or class. */
export function lowerNamespace(
  node: Namespace,
  edits: Edits,
  callables: ReadonlySet<string>,
): void {
  if (node.id.type === "StringLiteral") return;
  const path = entityPath(node.id);
  const open = startOf(node.body);
  const [root = ""] = path;
  let head = callables.has(root) ? ";" : `var ${root};`;
  let tail = "";
  for (const [index, name] of path.entries()) {
    const owner = index === 0 ? name : `${path[index - 1]}.${name}`;
    head += index === 0 ? `(function(${name}){` : `let ${name};(function(${name}){`;
    const target = index === 0 ? `${name}||(${name}={})` : `${name}=${owner}||(${owner}={})`;
    tail = `)(${target});` + (index === 0 ? "" : "}") + tail;
  }
  edits.insert(startOf(node), head + exportAccessors(node, path.at(-1) ?? root));
  edits.blank(startOf(node), open + 1);
  edits.close(startOf(node), endOf(node), tail);
  for (const statement of node.body.body) {
    if (statement.type !== "ExportNamedDeclaration" || isErasable(statement)) continue;
    const end = statement.declaration ? startOf(statement.declaration) : endOf(statement);
    edits.blank(startOf(statement), end, ";");
  }
}

/** Lowers `constructor(private x)`: removes the modifiers and begins the body with `this.x=x`. */
export function lowerParameterProperties(node: Constructor, edits: Edits): void {
  let fields = "";
  for (const param of node.params) {
    if (param.type !== "TSParameterProperty") continue;
    const target = param.parameter;
    const bare = target.type === "AssignmentPattern" ? target.left : target;
    if (bare.type !== "Identifier") continue;
    edits.blank(afterDecorators(param), startOf(target));
    fields += `this.${bare.name}=${bare.name};`;
  }
  if (fields === "") return;
  const call = node.body.body.find(isSuperCall);
  edits.insert(call ? endOf(call) : startOf(node.body) + 1, `;${fields}`);
}

function isSuperCall(statement: Node): boolean {
  return statement.type === "ExpressionStatement" &&
    statement.expression.type === "CallExpression" &&
    statement.expression.callee.type === "Super";
}

/** Qualifies members of the enum in the value of another member. */
function qualify(
  value: Node,
  scope: { readonly owner: string; readonly names: ReadonlySet<string> },
  edits: Edits,
): void {
  const stack: Node[] = [value];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === "Identifier" && scope.names.has(node.name)) {
      edits.insert(startOf(node), `${scope.owner}.`);
    }
    stack.push(
      ...(node.type === "MemberExpression" && !node.computed ? [node.object] : children(node)),
    );
  }
}

function exportAccessors(node: Namespace, owner: string): string {
  const names = new Set(
    node.body.body.flatMap((statement) =>
      statement.type === "ExportNamedDeclaration" && statement.declaration &&
        !isErasable(statement.declaration)
        ? declaredNames(statement.declaration)
        : []
    ),
  );
  return [...names].map((name) =>
    `Object.defineProperty(${owner},${JSON.stringify(name)},` +
    `{get:()=>${name},set:($)=>{${name}=$},enumerable:true,configurable:true});`
  ).join("");
}

/** Names of the functions and classes that a list of statements declares. */
export function callableNames(body: readonly Node[]): ReadonlySet<string> {
  return new Set(body.flatMap((statement) => {
    const node = "declaration" in statement && statement.declaration
      ? statement.declaration
      : statement;
    const callable = node.type === "FunctionDeclaration" || node.type === "ClassDeclaration";
    return callable ? declaredNames(node) : [];
  }));
}

/** The names that a declaration binds. */
export function declaredNames(node: Node): string[] {
  switch (node.type) {
    case "VariableDeclaration":
      return node.declarations.flatMap((item) => declaredNames(item.id));
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return node.id ? [node.id.name] : [];
    case "TSEnumDeclaration":
    case "TSImportEqualsDeclaration":
      return [node.id.name];
    case "TSModuleDeclaration":
      return node.id.type === "StringLiteral" ? [] : entityPath(node.id).slice(0, 1);
    case "Identifier":
      return [node.name];
    case "ObjectPattern":
      return node.properties.flatMap((item) =>
        declaredNames(item.type === "RestElement" ? item.argument : item.value)
      );
    case "ArrayPattern":
      return node.elements.flatMap((item) => item ? declaredNames(item) : []);
    case "AssignmentPattern":
      return declaredNames(node.left);
    case "RestElement":
      return declaredNames(node.argument);
    default:
      return [];
  }
}

function entityPath(node: Node): string[] {
  if (node.type === "TSQualifiedName") return [...entityPath(node.left), node.right.name];
  return node.type === "Identifier" ? [node.name] : [];
}

function keyText(node: Node): string {
  return node.type === "StringLiteral" ? node.value : node.type === "Identifier" ? node.name : "";
}
