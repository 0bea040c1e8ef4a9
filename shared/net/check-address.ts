import { withDeadline } from '../async/deadline.ts';
import {
  isReachable,
  nameNotFoundError,
  privateAddressError,
  type ReachOptions,
  resolveAddresses,
} from './addresses.ts';
import { literalAddress, parseHttpUrl } from './url.ts';

// The caller who registers the address waits for this. A resolver that takes longer has lost the query.
const RESOLVE_WITHIN_MS = 5_000;

/**
 * Checks an address when it is registered: its form, and that its host exists and is public. Throws FetchFailed.
 * DNS rebinding: a name may resolve differently later, so the connector checks each call again.
 * Where all private addresses are allowed only the form is checked: the machine may not exist yet.
 * @example await checkAddress('https://example.com/hook', { allowPrivateAddresses: false });
 */
export async function checkAddress(text: string, reach: ReachOptions): Promise<void> {
  const { hostname } = parseHttpUrl(text);
  if (reach.allowPrivateAddresses === true) return;
  const literal = literalAddress(hostname);
  if (literal === undefined)
    await withDeadline(
      RESOLVE_WITHIN_MS,
      () => resolveAddresses(hostname, reach),
      () => nameNotFoundError(hostname),
    );
  else if (!isReachable(literal, reach)) throw privateAddressError(hostname);
}
