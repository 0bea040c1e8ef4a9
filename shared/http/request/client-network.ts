import ipaddr from 'ipaddr.js';

const NETWORK_GROUPS = 4;
// As sockets and API Gateway tell it: nearly every client's, and reading one takes longer than the rest of a limit.
const IPV4 = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/;

/**
 * By what a client is counted: an IPv4 address, or the network of an IPv6 address. One host has a /64 to itself (RFC
 * 4291, 2.5.4), and with it more addresses than any limit.
 * @example clientNetwork('2001:db8:1:2::7') // '2001:db8:1:2::/64'
 */
export function clientNetwork(address: string): string {
  if (IPV4.test(address)) return address;
  if (!ipaddr.isValid(address)) return address;
  const client = ipaddr.process(address); // an IPv4 address that is mapped into IPv6 is one of IPv4
  if (client.kind() === 'ipv4') return client.toString();
  return `${client.toNormalizedString().split(':').slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
