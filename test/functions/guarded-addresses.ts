/** Addresses that no webhook may have: they lead to this machine, to its network, or to no one machine. */
export const NOT_PUBLIC = [
  'http://127.0.0.1/',
  'http://localhost/',
  'http://LOCALHOST:9900/',
  'http://127.1/',
  'http://0/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'https://0.0.0.0/',
  'http://255.255.255.255/',
  'http://224.0.0.1/',
];

/** What is no plain http or https address. */
export const MALFORMED = [
  'example.com/path',
  '//example.com/',
  '/path',
  'ftp://93.184.215.14/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://user:password@93.184.215.14/',
  'http://user@93.184.215.14/',
  'http://',
];

/** A numeric address needs no resolution, so this needs no network. */
export const PUBLIC = 'https://93.184.215.14/webhooks';
