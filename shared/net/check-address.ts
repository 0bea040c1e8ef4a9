import { setTimeout as pause } from 'node:timers/promises';
import {
  isReachable,
  nameNotFoundError,
  privateAddressError,
  type ReachOptions,
  resolveAddresses,
} from './addresses.ts';
import { literalAddress, parseHttpUrl } from './url.ts';

// A resolver that takes longer has lost the question: whoever registers the address waits for this answer.
const RESOLVE_WITHIN_MS = 5_000;

/**
 * Judges an address when somebody registers it: its form, that its host exists, and that it is public. Throws
 * FetchFailed. A name may lead elsewhere later, so a call is checked again by the connector that makes it.
 * Where private machines may be called the form alone is judged: such a machine need not be up or known yet.
 * @example await checkAddress('https://example.com/hook', { allowPrivateAddresses: false });
 */
export async function checkAddress(text: string, reach: ReachOptions): Promise<void> {
  const { hostname } = parseHttpUrl(text);
  if (reach.allowPrivateAddresses) return;
  const literal = literalAddress(hostname);
  if (literal === undefined) await resolveInTime(hostname, reach);
  else if (!isReachable(literal, reach)) throw privateAddressError(hostname);
}

async function resolveInTime(hostname: string, reach: ReachOptions): Promise<void> {
  const enough = new AbortController();
  const tooLate = pause(RESOLVE_WITHIN_MS, undefined, { signal: enough.signal }).then(() => {
    throw nameNotFoundError(hostname);
  });
  const resolving = resolveAddresses(hostname, reach);
  resolving.catch(() => undefined);
  try {
    await Promise.race([resolving, tooLate]);
  } finally {
    enough.abort();
    tooLate.catch(() => undefined);
  }
}
