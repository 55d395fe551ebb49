/** Reads from the syntax of a function what its types lack: the defaults of its parameters. */

import type { JsonValue } from "#base";
import { inner } from "../syntax/expression.ts";
import { literalValue } from "../syntax/literal.ts";
import { type Node, parseModule } from "../syntax/parse.ts";

export interface ParameterSyntax {
  /** Undefined for a destructured parameter. */
  readonly name: string | undefined;
  readonly isOptional: boolean;
  readonly isRest: boolean;
  /** The default, where it is a literal. */
  readonly fallback?: JsonValue;
  /** Defaults of the properties of a destructured parameter. */
  readonly properties: ReadonlyMap<string, { readonly fallback?: JsonValue }>;
}

type Functions = ReadonlyMap<string, readonly ParameterSyntax[]>;

/** The parameters of every function at the top of a module, by the function's local name. */
export function readFunctions(text: string): Functions {
  const parsed = parseModule(text);
  const functions = new Map<string, readonly ParameterSyntax[]>();
  if (parsed.kind === "failed") return functions;
  for (const statement of parsed.program.body) {
    const { type } = statement;
    const isExport = type === "ExportNamedDeclaration" || type === "ExportDefaultDeclaration";
    const declaration = isExport ? statement.declaration : statement;
    if (declaration) addFunctions(declaration as Node, functions);
  }
  return functions;
}

function addFunctions(node: Node, functions: Map<string, readonly ParameterSyntax[]>): void {
  if (node.type === "FunctionDeclaration" && node.id) {
    if (node.body) functions.set(node.id.name, node.params.map(readParameter));
  }
  if (node.type !== "VariableDeclaration") return;
  for (const { id, init } of node.declarations) {
    const value = init ? inner(init) : undefined;
    const isFunction = value?.type === "ArrowFunctionExpression" ||
      value?.type === "FunctionExpression";
    if (id.type === "Identifier" && isFunction) {
      functions.set(id.name, value.params.map(readParameter));
    }
  }
}

function readParameter(node: Node): ParameterSyntax {
  const none = new Map();
  switch (node.type) {
    case "Identifier":
      return {
        name: node.name,
        isOptional: node.optional === true,
        isRest: false,
        properties: none,
      };
    case "AssignmentPattern":
      return { ...readParameter(node.left), isOptional: true, ...withFallback(node.right) };
    case "RestElement": {
      const name = node.argument.type === "Identifier" ? node.argument.name : undefined;
      return { name, isOptional: true, isRest: true, properties: none };
    }
    case "ObjectPattern":
      return {
        name: undefined,
        isOptional: node.optional === true,
        isRest: false,
        properties: readPattern(node),
      };
    default:
      return { name: undefined, isOptional: false, isRest: false, properties: none };
  }
}

function readPattern(node: Node & { type: "ObjectPattern" }): ParameterSyntax["properties"] {
  const properties = new Map<string, { fallback?: JsonValue }>();
  for (const property of node.properties) {
    if (property.type !== "ObjectProperty" || property.value.type !== "AssignmentPattern") continue;
    const { key } = property;
    const name = key.type === "Identifier"
      ? key.name
      : key.type === "StringLiteral"
      ? key.value
      : undefined;
    if (name !== undefined) properties.set(name, withFallback(property.value.right));
  }
  return properties;
}

function withFallback(node: Node): { fallback?: JsonValue } {
  const value = literalValue(node);
  return value === undefined ? {} : { fallback: value };
}
