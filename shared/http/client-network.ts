import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i; // RFC 4291, 2.5.5.2
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * By what a client is counted: an IPv4 address, or the network of an IPv6 address. One host has a /64 to itself (RFC
 * 4291, 2.5.4), and with it more addresses than any limit.
 * @example clientNetwork('2001:db8:1:2::7') // '2001:db8:1:2::/64'
 */
export function clientNetwork(address: string): string {
  const [, mapped] = MAPPED.exec(address) ?? [];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const before = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  // An IPv4 address at the end takes two groups.
  const afterGroups = after.length + (after.at(-1)?.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - afterGroups) }, () => '0');
  const groups = [...before, ...(tail === undefined ? [] : zeros), ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
