import type { Caller } from '../../access/caller.ts';
import type { Call } from '../call.ts';

/** How a service knows its callers. */
export type Authenticator = {
  /** The caller, or undefined when the credential is missing or not accepted: the two are never told apart. */
  readonly identify: (call: Call) => Promise<Caller | undefined>;
  /** The header that carries a key. Without it there are no keys to guess. */
  readonly keyHeader?: () => string;
  /** The key is one that people chose, and not of 256 random bits: it may be guessed. */
  readonly isKeyChosen?: boolean | undefined;
  /** Whether a call carries a key, where not only that header does. */
  readonly carriesKey?: (call: Call) => boolean;
  /** The OpenAPI security schemes by name. One of them is enough; the service's key is `key`. */
  readonly schemes: Readonly<Record<string, object>>;
  /** The codes that `identify` refuses a call of this method with. */
  readonly refuses?: (method: string) => readonly string[];
};

/** Whether the caller may do what the operation asks. `*` grants everything. */
export const isPermitted = (caller: Caller, permission: string): boolean =>
  caller.permissions.includes('*') || caller.permissions.includes(permission);
