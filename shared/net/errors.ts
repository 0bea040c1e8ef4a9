/** Why a call to an address that somebody else chose did not happen or gave no answer. */
export type FetchFailure =
  /** The address itself cannot be used: its form, its scheme, a user name in it. */
  | 'bad-address'
  /** It leads, by number or by name, to a machine that is not on the public internet. */
  | 'private-address'
  /** A header that HTTP cannot carry. */
  | 'bad-request'
  | 'name-not-found'
  | 'not-reachable'
  | 'timed-out'
  | 'too-large'
  | 'too-many-redirects'
  | 'broken-answer'
  | 'aborted';

/**
 * A call through the guarded connector failed. The message names the host and the cause and nothing more:
 * no path or query (they may hold a secret) and no address that a name led to (it would map our network).
 */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
