export type ProviderFailureReason =
  /** No connection, or none is tried: the provider failed too often a moment ago. */
  | 'unreachable'
  | 'timeout'
  /** Every place for calls to it stayed taken. */
  | 'busy'
  /** It said no. */
  | 'refused'
  /** It does not accept the holder's token, or not any more. */
  | 'token-rejected'
  /** What it answered is not what its protocol says. */
  | 'unreadable'
  /** It signed something else, or with another key. */
  | 'wrong-signature';

type Extra = {
  /** Whether the provider may have done what it was asked for, although no good answer came. */
  readonly mayHaveActed?: boolean;
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** The provider's own error code, such as `invalid_grant`. */
  readonly error?: string | undefined;
  readonly cause?: unknown;
};

/** A provider did not do what it was asked for. The message is for operators and holds nothing secret. */
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
