import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { FetchFailed } from './errors.ts';
import { isPublicAddress } from './public-address.ts';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export type ReachOptions = {
  readonly allowPrivateAddresses: boolean;
  readonly resolve?: Resolve | undefined;
};

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

export const isReachable = (address: string, { allowPrivateAddresses }: ReachOptions): boolean =>
  allowPrivateAddresses || isPublicAddress(address);

/** Where a name leads, resolved once. Refused as a whole when one address may not be called. */
export async function resolveAddresses(hostname: string, reach: ReachOptions): Promise<LookupAddress[]> {
  const { resolve = resolveBySystem } = reach;
  const found = await resolve(hostname).catch((cause: unknown) => {
    throw nameNotFoundError(hostname, { cause });
  });
  if (found.length === 0) throw nameNotFoundError(hostname);
  // One forbidden address among public ones is no accident either.
  if (!found.every(({ address }) => isReachable(address, reach))) throw privateAddressError(hostname);
  return [...found];
}

export const nameNotFoundError = (hostname: string, options?: ErrorOptions): FetchFailed =>
  new FetchFailed('name-not-found', `The host ${hostname} has no address.`, options);

export const privateAddressError = (hostname: string): FetchFailed =>
  new FetchFailed(
    'private-address',
    `The host ${hostname} is not on the public internet, so it is not called.`,
  );
