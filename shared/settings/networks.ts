import ipaddr from 'ipaddr.js';
import { type Setting, text } from './kinds.ts';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Whether a text is an address, or a network such as 10.0.0.0/8. */
export const isNetwork = (given: string): boolean => ipaddr.isValidCIDR(given) || ipaddr.isValid(given);

function networkOf(given: string): Network {
  if (ipaddr.isValidCIDR(given)) return ipaddr.parseCIDR(given);
  const address = ipaddr.parse(given);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Returns a function that tells whether an address is in one of these networks. An IPv4 address that is mapped into IPv6
 * is one of IPv4.
 * @example const isTrusted = networkMatcher(['10.0.0.0/8']); isTrusted('10.1.2.3') // true
 */
export function networkMatcher(given: readonly string[]): (address: string) => boolean {
  const known = given.map(networkOf);
  return (each) => {
    if (!ipaddr.isValid(each)) return false;
    const address = ipaddr.process(each);
    return known.some((network) => address.kind() === network[0].kind() && address.match(network));
  };
}

/** Networks and addresses, separated by commas; none by default. @example networks('Whose X-Forwarded-For is believed.') */
export const networks = (why: string): Setting<readonly string[]> => ({
  ...text('', why),
  unit: 'networks',
  default: [],
  parse: (given) => {
    const parts = given
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    if (parts.every(isNetwork)) return parts;
    throw new Error('must be networks such as 10.20.0.0/16, separated by commas');
  },
});
