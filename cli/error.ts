/** Error that ends a command: a message for the person and an exit code. */

/** 0 done, 1 failed, 2 wrong usage or configuration, 3 not found, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
