import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { FetchFailed } from './errors.ts';
import { isPublicAddress } from './public-address.ts';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export type Reach = {
  readonly allowPrivateAddresses: boolean;
  readonly resolve?: Resolve | undefined;
};

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

export const isReachable = (address: string, { allowPrivateAddresses }: Reach): boolean =>
  allowPrivateAddresses || isPublicAddress(address);

/** Where a name leads, resolved once. Refused as a whole when one address may not be called. */
export async function addressesOf(hostname: string, reach: Reach): Promise<LookupAddress[]> {
  const { resolve = resolveBySystem } = reach;
  const found = await resolve(hostname).catch((cause: unknown) => {
    throw nameNotFound(hostname, { cause });
  });
  if (found.length === 0) throw nameNotFound(hostname);
  // One forbidden address among public ones is no accident either.
  if (!found.every(({ address }) => isReachable(address, reach))) throw notPublic(hostname);
  return [...found];
}

export const nameNotFound = (hostname: string, options?: ErrorOptions): FetchFailed =>
  new FetchFailed('name-not-found', `The host ${hostname} has no address.`, options);

export const notPublic = (hostname: string): FetchFailed =>
  new FetchFailed(
    'private-address',
    `The host ${hostname} is not on the public internet, so it is not called.`,
  );
