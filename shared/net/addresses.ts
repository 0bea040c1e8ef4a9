import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { FetchFailed } from './errors.ts';

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

// All of the IPv6 internet that is handed out today. Whatever lies outside (::/3 with its mapped and
// translated forms, fc00::/7, fe80::/10, ff00::/8, and space not handed out) has nobody to call.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

// ISATAP: a tunnel that takes the last 32 bits for an IPv4 address, whatever network stands before.
const ISATAP = [0x5efe, 0x0000, 0x0200] as const;

/**
 * Whether an IP address is one of the public internet: none that is private, loopback, link-local, shared,
 * reserved, multicast, or an IPv6 form of an IPv4 address.
 * @example isPublicAddress('169.254.169.254') // false
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  const { parts, zoneId } = address as ipaddr.IPv6;
  return zoneId === undefined && address.match(GLOBAL_UNICAST) && !isIsatap(parts);
}

const isIsatap = (parts: readonly number[]): boolean =>
  parts[5] === ISATAP[0] && (parts[4] === ISATAP[1] || parts[4] === ISATAP[2]);
