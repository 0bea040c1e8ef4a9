type UnreachableOptions = ErrorOptions & {
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
};

/**
 * The platform did not answer, or not in its protocol: no answer, 401, 403, 429, 5xx, another shape, a body that breaks
 * off. It may have done what it was asked.
 */
export class PlatformUnreachable extends Error {
  override readonly name = 'PlatformUnreachable';
  /** The status of an answer that says nothing about the document. */
  readonly status?: number | undefined;
  /** How long a platform that answered 429 asks to be left alone. */
  readonly retryAfterMs?: number | undefined;

  constructor(message: string, { status, retryAfterMs, ...options }: UnreachableOptions = {}) {
    super(message, options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The platform refused the request. Code and message are its own. */
export class PlatformRefused extends Error {
  override readonly name = 'PlatformRefused';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const PERMANENT: ReadonlySet<number> = new Set([400, 404, 410, 422]);

/**
 * Whether the same request would be refused again. Any other failure may pass by itself.
 * @example if (isPermanent(error)) return failJob(job, error.message);
 */
export const isPermanent = (error: unknown): error is PlatformRefused =>
  error instanceof PlatformRefused && PERMANENT.has(error.status);
