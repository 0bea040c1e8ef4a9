import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clientReader } from '../../../../infra/runtime/http/client.ts';

const from = (peer: string, headers: Record<string, string> = {}, encrypted = false) =>
  ({ socket: { remoteAddress: peer, encrypted }, headers }) as unknown as IncomingMessage;

describe('with trusted proxies', () => {
  const clientOf = clientReader(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);
  const addressOf = (peer: string, forwarded: string) =>
    clientOf(from(peer, { 'x-forwarded-for': forwarded })).address;

  test('the client is the right-most address that is no proxy of ours', () => {
    expect(addressOf('10.0.0.1', '203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('::ffff:10.0.0.1', '198.51.100.9, 203.0.113.7, 10.1.1.1')).toBe('203.0.113.7');
    expect(addressOf('fd00::1', '2001:db8::5')).toBe('2001:db8::5');
    expect(addressOf('192.0.2.1', '[2001:db8::5]:443, 10.2.2.2:80')).toBe('2001:db8::5');
  });

  test('a peer that is no proxy of ours is the client, whatever it says', () => {
    expect(addressOf('203.0.113.9', '10.0.0.1')).toBe('203.0.113.9');
    expect(addressOf('192.0.2.2', '203.0.113.7')).toBe('192.0.2.2');
  });

  test('behind an entry that is no address nothing counts', () => {
    expect(addressOf('10.0.0.1', '203.0.113.7, unknown, 10.3.3.3')).toBe('10.3.3.3');
    expect(addressOf('10.0.0.1', 'unknown')).toBe('10.0.0.1');
    expect(addressOf('10.0.0.1', '')).toBe('10.0.0.1');
  });

  test('the protocol is that of the connection, or what a proxy of ours says', () => {
    const https = { 'x-forwarded-proto': 'https' };
    expect(clientOf(from('10.0.0.1', https)).protocol).toBe('https');
    expect(clientOf(from('203.0.113.9', https)).protocol).toBe('http');
    expect(clientOf(from('203.0.113.9', {}, true)).protocol).toBe('https');
    expect(clientOf(from('10.0.0.1', { 'x-forwarded-proto': 'gopher' })).protocol).toBe('http');
  });
});

test('without trusted proxies only the connection counts', () => {
  const request = from('127.0.0.1', { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' });
  expect(clientReader([])(request)).toEqual({ address: '127.0.0.1', protocol: 'http' });
});
