/** Questions of the describer to the compiler. */

import type { Channel } from "../check/channel.ts";

/** Flags of the compiler's protocol (TypeScript 7, `typescript/unstable`). */
export const TYPE = {
  any: 1,
  unknown: 2,
  undefined: 4,
  null: 8,
  void: 16,
  string: 32,
  number: 64,
  bigint: 128,
  boolean: 256,
  stringLiteral: 1024,
  numberLiteral: 2048,
  booleanLiteral: 8192,
  enum: 65_536,
  nonPrimitive: 131_072,
  never: 262_144,
  typeParameter: 524_288,
  object: 1_048_576,
  templateLiteral: 4_194_304,
  stringMapping: 8_388_608,
  union: 134_217_728,
  intersection: 268_435_456,
} as const;
export const OBJECT_REFERENCE = 4;
export const SYMBOL = {
  class: 32,
  interface: 64,
  optional: 16_777_216,
  method: 8192,
  alias: 2_097_152,
  value: 111_551,
} as const;
export const ELEMENT = { required: 1, optional: 2, rest: 4, variadic: 8 } as const;
export const SIGNATURE_REST = 1;
const CALL = 0;

export interface TypeInfo {
  readonly id: number;
  readonly flags: number;
  readonly objectFlags?: number;
  readonly value?: string | number | boolean | null;
  readonly intrinsicName?: string;
  readonly symbol?: number;
  readonly target?: number;
  readonly elementFlags?: readonly number[];
}

export interface SymbolInfo {
  readonly id: number;
  readonly name: string;
  readonly flags: number;
  /** `<index>.<kind>.<file>`. */
  readonly declarations?: readonly string[];
  readonly valueDeclaration?: string;
}

export interface SignatureInfo {
  readonly id: number;
  readonly flags: number;
}

export interface TagInfo {
  readonly name: string;
  readonly text?: string;
}

/** One program that the compiler has read. */
export class Questions {
  readonly #channel: Channel;
  readonly #scope: { readonly snapshot: number; readonly project: string };

  constructor(
    channel: Channel,
    scope: { readonly snapshot: number; readonly project: string },
  ) {
    this.#channel = channel;
    this.#scope = scope;
  }

  async diagnostics(file: string): Promise<unknown[][]> {
    return await Promise.all([
      this.#ask<unknown[]>("getSyntacticDiagnostics", { file }),
      this.#ask<unknown[]>("getSemanticDiagnostics", { file }),
    ]);
  }

  /** Exports of the module that the name at this position refers to. */
  async exportsOf(place: {
    readonly file: string;
    readonly position: number;
  }): Promise<readonly SymbolInfo[]> {
    const name = await this.#ask<SymbolInfo | null>("getSymbolAtPosition", place);
    if (!name) return [];
    const module = await this.resolveAlias(name);
    return await this.#list("getExportsOfModule", { symbol: module.id });
  }

  async resolveAlias(symbol: SymbolInfo): Promise<SymbolInfo> {
    if ((symbol.flags & SYMBOL.alias) === 0) return symbol;
    return await this.#ask("getAliasedSymbol", { symbol: symbol.id });
  }

  typeOf(symbol: SymbolInfo): Promise<TypeInfo> {
    return this.#ask("getTypeOfSymbol", { symbol: symbol.id });
  }

  signaturesOf(type: TypeInfo): Promise<readonly SignatureInfo[]> {
    return this.#ask("getSignaturesOfType", { type: type.id, kind: CALL });
  }

  parametersOf(signature: SignatureInfo): Promise<readonly SymbolInfo[]> {
    return this.#list("getParametersOfSignature", { objectId: signature.id });
  }

  returnTypeOf(signature: SignatureInfo): Promise<TypeInfo> {
    return this.#ask("getReturnTypeOfSignature", { signature: signature.id });
  }

  /** The types of a union or an intersection. */
  partsOf(type: TypeInfo): Promise<readonly TypeInfo[]> {
    return this.#list("getTypesOfType", { objectId: type.id });
  }

  argumentsOf(type: TypeInfo): Promise<readonly TypeInfo[]> {
    return this.#list("getTypeArguments", { type: type.id });
  }

  propertiesOf(type: TypeInfo): Promise<readonly SymbolInfo[]> {
    return this.#list("getPropertiesOfType", { type: type.id });
  }

  async indexOf(type: TypeInfo): Promise<TypeInfo | undefined> {
    const infos = await this.#list<{ keyType: TypeInfo; valueType: TypeInfo }>(
      "getIndexInfosOfType",
      { type: type.id },
    );
    return infos.find(({ keyType }) => (keyType.flags & (TYPE.string | TYPE.number)) !== 0)
      ?.valueType;
  }

  targetOf(type: TypeInfo): Promise<TypeInfo> {
    return this.#ask("getTargetOfType", { objectId: type.id });
  }

  async symbolOf(type: TypeInfo): Promise<SymbolInfo | undefined> {
    if (!type.symbol) return undefined;
    return await this.#ask("getSymbolOfType", { objectId: type.id });
  }

  isArray(type: TypeInfo): Promise<boolean> {
    return this.#ask("isArrayType", { type: type.id });
  }

  isTuple(type: TypeInfo): Promise<boolean> {
    return this.#ask("isTupleType", { type: type.id });
  }

  constraintOf(type: TypeInfo): Promise<TypeInfo | null> {
    return this.#ask("getBaseConstraintOfType", { type: type.id });
  }

  textOf(symbol: SymbolInfo): Promise<string> {
    return this.#ask("getDocumentationComment", { symbol: symbol.id });
  }

  tagsOf(symbol: SymbolInfo): Promise<readonly TagInfo[]> {
    return this.#list("getJsDocTags", { symbol: symbol.id });
  }

  async #list<T>(method: string, params: object): Promise<readonly T[]> {
    return await this.#ask<readonly T[] | null>(method, params) ?? [];
  }

  async #ask<T>(method: string, params: object): Promise<T> {
    return await this.#channel.request(method, { ...this.#scope, ...params }) as T;
  }
}
