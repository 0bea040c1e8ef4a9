import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../../shared/net/addresses.ts';

const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'link-local, the cloud metadata service included': [
    '169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
  ],
  'unique-local': ['fc00::1', 'fd00:ec2::254'],
  'site-local of old': ['fec0::1'],
  'IPv4 mapped into IPv6': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:8.8.8.8', '::7f00:1'],
  'IPv4 translated into IPv6': ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1'],
  '6to4': ['2002:7f00:1::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:7f00:1::1'],
  ISATAP: ['2600:1:2:3:0:5efe:7f00:1', '2600:1:2:3:200:5efe:a00:1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  broadcast: ['255.255.255.255'],
  'shared by carriers': ['100.64.0.1', '100.127.255.255'],
  'reserved, for tests and documentation': [
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '5f00::1',
    '4000::1',
  ],
  'no address at all': ['', 'localhost', '127.1', '0x7f000001', '2130706433', '1.2.3.4.5'],
};

describe('an address is public', () => {
  for (const [kind, addresses] of Object.entries(FORBIDDEN))
    test.each(addresses)(`not when it is ${kind}: %s`, (address) =>
      expect(isPublicAddress(address)).toBe(false),
    );

  test.each(['8.8.8.8', '200.160.2.3', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'when it is one of the internet: %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});
