/** Why a run was not taken at all; what a program did is an outcome and never one of these. */

export type RefusalCode = "bad_request" | "busy" | "cancelled" | "unavailable";

/** A request that could not become a run. */
export class RunRefused extends Error {
  override readonly name = "RunRefused";
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
