export type ProviderFailureReason =
  /** No connection, or none tried because the circuit is open. */
  | 'unreachable'
  | 'timeout'
  /** No slot was free in time. */
  | 'busy'
  /** The provider refused the request. */
  | 'refused'
  /** The provider does not accept the token, or not any more. */
  | 'token-rejected'
  /** The answer is not in the protocol. */
  | 'unreadable'
  /** The signature is over something else, or by another key. */
  | 'wrong-signature';

type Extra = {
  /** Whether the provider may have acted, although no good answer came. */
  readonly mayHaveActed?: boolean;
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** The provider's own error code, such as `invalid_grant`. */
  readonly error?: string | undefined;
  readonly cause?: unknown;
};

/** A failed call to a provider. The message is for operators and holds no secret. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly reason: ProviderFailureReason;
  readonly provider: string;
  readonly mayHaveActed: boolean;
  readonly status: number | undefined;
  readonly error: string | undefined;

  constructor(
    reason: ProviderFailureReason,
    provider: string,
    message: string,
    { mayHaveActed = false, status, error, cause }: Extra = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.provider = provider;
    this.mayHaveActed = mayHaveActed;
    this.status = status;
    this.error = error;
  }
}
