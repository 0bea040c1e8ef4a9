import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writePem } from '../../../shared/pki/pem.ts';
import { trustAnchors } from '../../../shared/pki/trust-anchors.ts';
import { authority, root } from './path/chain.ts';

const folder = mkdtempSync(join(tmpdir(), 'anchors-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const first = root().certificate;
const second = authority('Second').certificate;

describe('trust anchors', () => {
  test('are read from files in PEM and DER, several at once', () => {
    const pem = file('roots.pem', `# roots\n${writePem('CERTIFICATE', first.der)}`);
    const der = file('second.crt', second.der);
    expect(trustAnchors(`${pem}, ${der}`).map(({ sha256 }) => sha256)).toEqual([first.sha256, second.sha256]);
  });

  test('are read from PEM in the setting itself', () => {
    expect(trustAnchors(writePem('CERTIFICATE', first.der)).map(({ sha256 }) => sha256)).toEqual([
      first.sha256,
    ]);
  });

  test('are read once', () => {
    const pem = file('once.pem', writePem('CERTIFICATE', first.der));
    expect(trustAnchors(pem)).toBe(trustAnchors(pem));
  });

  test.each([
    ['nothing is given', () => ' ', 'No trust anchor is configured'],
    ['a file is not there', () => join(folder, 'gone.pem'), 'gone.pem'],
    ['a file is no certificate', () => file('bad.crt', 'hello'), 'bad.crt'],
    [
      'a file is empty of certificates',
      () => file('key.pem', '-----BEGIN KEY-----\nAA==\n-----END KEY-----'),
      'key.pem',
    ],
    [
      'the PEM is broken',
      () => '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
      'in PEM cannot be read',
    ],
  ])('are refused by name when %s', (_, setting, said) => {
    expect(() => trustAnchors(setting())).toThrow(
      expect.objectContaining({ name: 'TrustAnchorsUnusable', message: expect.stringContaining(said) }),
    );
  });
});
