import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkMatcher } from '../../../shared/settings/networks.ts';

/** Who sent a request, and over what. */
export type Client = { readonly address: string; readonly protocol: 'http' | 'https' };

/**
 * Tells who sent a request. Headers of proxies count only from a peer that is trusted, and of X-Forwarded-For only the
 * part that trusted proxies wrote:
 *
 *   X-Forwarded-For: forged, client, proxy 1     peer: proxy 2
 *                            ^------ the right-most address that is no trusted proxy
 *
 * @example const clientOf = clientReader(['10.0.0.0/8']); clientOf(request).address // '203.0.113.7'
 */
export function clientReader(trustedProxies: readonly string[]): (request: IncomingMessage) => Client {
  const isTrusted = networkMatcher(trustedProxies);
  // Many requests come by one connection, and reading an address takes longer than the rest of an event.
  const peers = new WeakMap<Socket, { readonly own: Client; readonly isProxy: boolean }>();
  const peerOf = (socket: Socket) => {
    const address = plain(socket.remoteAddress ?? '');
    const protocol = 'encrypted' in socket && socket.encrypted ? 'https' : 'http';
    return {
      own: { address: address || 'unknown', protocol },
      isProxy: isTrusted(address),
    } as const;
  };
  return ({ socket, headers }) => {
    const peer = peers.get(socket) ?? peerOf(socket);
    peers.set(socket, peer);
    if (!peer.isProxy) return peer.own;
    const hops = listOf(headers['x-forwarded-for']).map(plain);
    let { address } = peer.own;
    for (const hop of hops.toReversed()) {
      // An unreadable entry is nobody's address: the proxy after it is the last that is known.
      if (!ipaddr.isValid(hop)) break;
      address = hop;
      if (!isTrusted(hop)) break;
    }
    const protocol = listOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase();
    return { address, protocol: protocol === 'https' || protocol === 'http' ? protocol : peer.own.protocol };
  };
}

const listOf = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');

/** An IPv4 address mapped into IPv6 is one of IPv4. Some proxies add a port, and brackets for it. */
function plain(text: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, ipv4] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? [];
  const address = bracketed ?? ipv4 ?? text;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
