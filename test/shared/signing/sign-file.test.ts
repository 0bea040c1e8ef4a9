import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import type { SignatureKind } from '../../../shared/signing/format.ts';
import { type SignFileOptions, signFile, signInPieces } from '../../../shared/signing/sign-file.ts';
import { verifySignedFile } from '../../../shared/signing/verification/verify-signed-file.ts';
import { writeWhole } from '../../../shared/signing/write-whole.ts';
import { holderKey, pki, trustPem } from './cms/fixtures.ts';
import { folder, hasOpenssl, openssl, opensslVerifies } from './cms/openssl.ts';
import { plainPdf } from './pades/documents.ts';
import { missingTools, openJudges } from './pades/judges.ts';
import { BATCH, stampAt } from './xades/parties.ts';
import { hasXmlsec, xmlsec } from './xades/xmlsec.ts';

const files = folder();
const judges = missingTools().length ? undefined : openJudges(pki.root.certificate);
const xml = hasXmlsec ? xmlsec(pki) : undefined;
afterAll(() => {
  files.remove();
  judges?.close();
  xml?.remove();
});

const nowMs = Date.now();
const key = holderKey();
// More than one chunk, each different: a chunk that is used after it was overwritten shows.
const content = randomBytes(700_001);
const INPUTS: Readonly<Record<SignatureKind, string>> = {
  pades: files.path('report.pdf'),
  cades: files.path('data.bin'),
  xades: files.path('contract.xml'),
};

files.file('report.pdf', await plainPdf('table'));
files.file('data.bin', content);
files.file('contract.xml', BATCH);

async function signed(format: SignatureKind, more: Partial<SignFileOptions> = {}): Promise<string> {
  const output = files.path(`signed-${format}`);
  await signFile(INPUTS[format], output, { format, key, signingTimeMs: nowMs, ...more });
  return output;
}

const trust = () => files.file('trust', trustPem());
const verified = (file: string, format: SignatureKind) =>
  verifySignedFile(file, { format, atMs: nowMs, signer: key.certificate });

test.each(['pades', 'cades', 'xades'] as const)(
  'bytes in memory are signed as a file is, as %s',
  async (format) => {
    const options = { format, key, signingTimeMs: nowMs };
    const inMemory = await buffer(signInPieces(readFileSync(INPUTS[format]), options));
    const atMs = nowMs;
    expect(await verifySignedFile(inMemory, { format, atMs, signer: key.certificate })).toEqual({ ok: true });
  },
);

describe('a file on disk is signed to another', () => {
  test.skipIf(!hasOpenssl)('as CAdES with its content inside, which openssl gives back', async () => {
    const output = await signed('cades');
    expect(opensslVerifies(files, readFileSync(output), { trust: trust() })).toMatchObject({ ok: true });
    expect(readFileSync(files.path('out.bin'))).toEqual(content);
    expect(await verified(output, 'cades')).toEqual({ ok: true });
  });

  test.skipIf(!hasOpenssl)('as CAdES in PEM, which openssl reads', async () => {
    const output = await signed('cades', { pem: true });
    expect(readFileSync(output, 'latin1')).toMatch(/^-----BEGIN PKCS7-----\n/);
    const der = openssl('pkcs7', '-inform', 'PEM', '-outform', 'DER', '-in', output);
    expect(opensslVerifies(files, der.stdout, { trust: trust() })).toMatchObject({ ok: true });
    expect(await verified(output, 'cades')).toEqual({ ok: true });
  });

  test.skipIf(!hasOpenssl)('as CAdES apart from its content', async () => {
    const output = await signed('cades', { detached: true });
    const judged = opensslVerifies(files, readFileSync(output), { trust: trust(), content });
    expect(judged).toMatchObject({ ok: true });
    // Without its content nothing was compared.
    expect(await verified(output, 'cades')).toEqual({
      ok: false,
      reasons: ['The signature is detached: give the content that it is over.'],
    });
  });

  test.skipIf(!judges)('as PAdES, which begins with the original and satisfies pdfsig', async () => {
    const output = await signed('pades', { pades: { reason: 'Contract' } });
    const original = readFileSync(INPUTS.pades);
    expect(readFileSync(output).subarray(0, original.length).equals(original)).toBe(true);
    expect(judges?.judge(readFileSync(output))).toMatchObject({
      signatures: ['Signature is Valid.'],
      coverage: ['Total document signed'],
      complaints: '',
    });
    expect(await verified(output, 'pades')).toEqual({ ok: true });
  });

  test.skipIf(!xml)('as XAdES, which satisfies xmlsec1', async () => {
    const output = await signed('xades');
    expect(xml?.judge(readFileSync(output))).toBe('OK');
    expect(await verified(output, 'xades')).toEqual({ ok: true });
  });

  test.each(['pades', 'cades', 'xades'] as const)('as %s with a timestamp', async (format) => {
    const plainBytes = readFileSync(await signed(format)).length;
    const output = await signed(format, { stamp: stampAt(() => nowMs) });
    expect(readFileSync(output).length).toBeGreaterThan(plainBytes + 1000);
    expect(await verified(output, format)).toEqual({ ok: true });
  });
});

describe('the signed file is whole, or not there', () => {
  const left = () => readdirSync(files.path('')).filter((name) => name.startsWith('half'));

  test('a failure half way leaves nothing', async () => {
    async function* failing() {
      yield Buffer.from('half');
      throw new Error('the key went away');
    }
    await expect(writeWhole(files.path('half.p7m'), failing())).rejects.toThrow('the key went away');
    expect(left()).toEqual([]);
  });

  test.each([
    ['grows', Buffer.alloc(content.length + 1)],
    ['shrinks', Buffer.alloc(content.length - 1)],
    ['is replaced by other bytes', Buffer.alloc(content.length)],
  ])('content that %s between its two readings leaves nothing', async (_, other) => {
    const readings = [content, other];
    const open = async function* () {
      yield readings.shift() ?? other;
    };
    const options = { format: 'cades', key, signingTimeMs: nowMs, open } as const;
    await expect(signFile(INPUTS.cades, files.path('half.p7m'), options)).rejects.toThrow(
      expect.objectContaining({ name: 'ContentMismatch' }),
    );
    expect(left()).toEqual([]);
  });

  test.each([
    ['longer', Buffer.alloc(1_000_000)],
    ['shorter', Buffer.alloc(10)],
  ])('a PDF that is %s than it was is not signed', async (_, other) => {
    const open = async function* () {
      yield other;
    };
    const options = { format: 'pades', key, signingTimeMs: nowMs, open } as const;
    await expect(signFile(INPUTS.pades, files.path('half.pdf'), options)).rejects.toThrow(
      'changed while it was being read',
    );
    expect(left()).toEqual([]);
  });

  test('a folder that does not exist is told apart from a file that cannot be signed', async () => {
    const nowhere = files.path('nowhere/a.p7m');
    const options = { format: 'cades', key, signingTimeMs: nowMs } as const;
    await expect(signFile(INPUTS.cades, nowhere, options)).rejects.toThrow(
      expect.objectContaining({
        name: 'OutputUnwritable',
        cause: expect.objectContaining({ code: 'ENOENT' }),
      }),
    );
    await expect(signFile(files.path('missing'), files.path('half.p7m'), options)).rejects.toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    );
    expect(left()).toEqual([]);
  });
});
