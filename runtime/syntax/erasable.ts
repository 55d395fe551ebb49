/** Syntax that exists for the type checker only. */

import type { Node, Statement } from "./parse.ts";

/** Tells whether type erasure removes a whole statement or class member. */
export function isErasable(node: Node): boolean {
  switch (node.type) {
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSDeclareFunction":
    case "TSDeclareMethod":
    case "TSIndexSignature":
    case "TSNamespaceExportDeclaration":
      return true;
    case "VariableDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
      return node.declare === true;
    case "ClassProperty":
    case "ClassAccessorProperty":
      return node.declare === true || node.abstract === true;
    case "TSModuleDeclaration":
      return node.declare === true || node.kind === "global" || node.body.body.every(isTypeOnly);
    case "TSImportEqualsDeclaration":
      return node.importKind === "type";
    case "ImportDeclaration":
      return node.importKind === "type";
    case "ExportAllDeclaration":
      return node.exportKind === "type";
    case "ExportNamedDeclaration":
      return node.declaration ? isErasable(node.declaration) : node.exportKind === "type";
    case "ExportDefaultDeclaration":
      return isErasable(node.declaration);
    default:
      return false;
  }
}

/** Tells whether a node is a type annotation, or a list of types. */
export function hasTypesOnly(node: Node): boolean {
  switch (node.type) {
    case "TSTypeAnnotation":
    case "TSTypeParameterDeclaration":
    case "TSTypeParameterInstantiation":
    case "TSClassImplements":
      return true;
    default:
      return false;
  }
}

function isTypeOnly(statement: Statement): boolean {
  return statement.type === "EmptyStatement" || isErasable(statement);
}
