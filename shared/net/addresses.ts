import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { networkMatcher } from '../settings/networks.ts';
import { FetchFailed } from './errors.ts';
import type { PrivateReach } from './request.ts';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export type ReachOptions = {
  readonly allowPrivateAddresses: PrivateReach;
  readonly resolve?: Resolve | undefined;
};

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

export const isReachable = (address: string, { allowPrivateAddresses: allowed }: ReachOptions): boolean =>
  isPublicAddress(address) || (typeof allowed === 'boolean' ? allowed : networkMatcher(allowed)(address));

/** Resolves a name once. Throws when one of its addresses is forbidden. */
export async function resolveAddresses(hostname: string, reach: ReachOptions): Promise<LookupAddress[]> {
  const { resolve = resolveBySystem } = reach;
  const found = await resolve(hostname).catch((cause: unknown) => {
    throw nameNotFoundError(hostname, { cause });
  });
  if (found.length === 0) throw nameNotFoundError(hostname);
  // SSRF: one private address among public ones is refused too.
  if (!found.every(({ address }) => isReachable(address, reach))) throw privateAddressError(hostname);
  return [...found];
}

type Answer = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void;

/**
 * The `lookup` of a socket: it gets checked addresses, and connects to exactly these.
 *
 *   name --resolve--> addresses --check--> connect
 *
 * DNS rebinding: the name is not resolved a second time, so a changed answer has no effect. Node does not call it for an
 * IP address: check a literal one by isReachable.
 */
export const checkedLookup =
  (reach: ReachOptions) =>
  (hostname: string, { all, family }: LookupOptions, answer: Answer): void => {
    resolveAddresses(hostname, reach).then(
      (addresses) => {
        const [first] = addresses.filter((address) => !family || address.family === family);
        if (all) answer(null, addresses);
        else if (first) answer(null, first.address, first.family);
        else answer(nameNotFoundError(hostname), '');
      },
      (error: Error) => answer(error, ''),
    );
  };

export const nameNotFoundError = (hostname: string, options?: ErrorOptions): FetchFailed =>
  new FetchFailed('name-not-found', `The host ${hostname} has no address.`, options);

export const privateAddressError = (hostname: string): FetchFailed =>
  new FetchFailed(
    'private-address',
    `The host ${hostname} is not on the public internet, so it is not called.`,
  );

// The part of IPv6 that is allocated today. Outside are ::/3 with its mapped and translated forms, fc00::/7, fe80::/10,
// ff00::/8 and space that is not allocated: no public host has such an address.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

// ISATAP (RFC 5214): a tunnel that uses the last 32 bits as an IPv4 address, under any network prefix.
const ISATAP = [0x5efe, 0x0000, 0x0200] as const;

/**
 * Whether an IP address is on the public internet: not private, loopback, link-local, shared, reserved, multicast, or
 * an IPv6 form of an IPv4 address.
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
