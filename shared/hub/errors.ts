/** The hub refused the request. The code is its own. */
export class HubRefused extends Error {
  override readonly name = 'HubRefused';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`The hub refused the request: ${code}.`);
    this.status = status;
    this.code = code;
  }
}

type UnreachableOptions = ErrorOptions & { readonly status?: number; readonly code?: string };

/**
 * The hub or its provider did not answer, or not in the hub's protocol: no answer, 401, 403, 429, 5xx, another shape. It
 * may have done what it was asked.
 */
export class HubUnreachable extends Error {
  override readonly name = 'HubUnreachable';
  readonly status?: number | undefined;
  /** The hub's code, where it gave one: of its own failure or of its provider's. */
  readonly code?: string | undefined;

  constructor(message: string, { status, code, ...options }: UnreachableOptions = {}) {
    super(message, options);
    this.status = status;
    this.code = code;
  }
}

/** @example if (isHubFailure(error)) return providerFailed(error.code); */
export const isHubFailure = (error: unknown): error is HubRefused | HubUnreachable =>
  error instanceof HubRefused || error instanceof HubUnreachable;
