/** Phrases for network errors. */

export interface NetworkFailure {
  readonly phrase: string;
  readonly retryable: boolean;
}

const PHRASES: Readonly<Record<string, NetworkFailure>> = {
  ENOTFOUND: { phrase: "there is no such host", retryable: false },
  EAI_AGAIN: { phrase: "its name cannot be looked up now", retryable: true },
  ECONNREFUSED: { phrase: "nothing answers at that port", retryable: true },
  ECONNRESET: { phrase: "the server ended the connection", retryable: true },
  EPIPE: { phrase: "the server ended the connection", retryable: true },
  EHOSTUNREACH: { phrase: "the host cannot be reached", retryable: true },
  ENETUNREACH: { phrase: "the network cannot be reached", retryable: true },
  ETIMEDOUT: { phrase: "the host does not answer", retryable: true },
  Z_DATA_ERROR: { phrase: "its response cannot be unpacked", retryable: false },
  Z_BUF_ERROR: { phrase: "its response ends too early", retryable: true },
};

/** Phrase for an error of a socket, a certificate or `fetch`. */
export function networkPhrase(error: unknown): NetworkFailure {
  const code = codeOf(error);
  const failure = Object.hasOwn(PHRASES, code) ? PHRASES[code] : undefined;
  if (failure) return failure;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code)) {
    return { phrase: "its certificate is not valid for that name", retryable: false };
  }
  if (/SSL/.test(code)) return { phrase: "no secure connection can be made", retryable: false };
  return { phrase: "the connection failed", retryable: true };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error.cause);
}
