import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { SignatureKind } from '../../../../shared/signing/format.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { signFile } from '../../../../shared/signing/sign-file.ts';
import { verifySignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { signXades } from '../../../../shared/signing/xades/sign.ts';
import { holderKey } from '../cms/fixtures.ts';
import { folder } from '../cms/openssl.ts';
import { plainPdf } from '../pades/documents.ts';
import { stamp } from '../pades/parties.ts';
import { BATCH } from '../xades/parties.ts';

const files = folder();
afterAll(() => files.remove());

const nowMs = Date.now();
const key = holderKey();
const other = holderKey({ keyName: 'other' });
const KINDS = ['pades', 'cades', 'xades'] as const;
const path = (format: SignatureKind) => files.path(`signed-${format}`);

files.file('pades', await plainPdf('table'));
files.file('cades', Buffer.alloc(5_000, 'pay Maria 100 '));
files.file('xades', BATCH);
for (const format of KINDS)
  await signFile(files.path(format), path(format), { format, key, signingTimeMs: nowMs });

const verify = (file: string, format: SignatureKind, signer = key.certificate) =>
  verifySignedFile(file, { format, atMs: nowMs, signer });

/** The signed file with one of its bytes changed, where this text stands. */
function changed(format: SignatureKind, text: string): string {
  const bytes = readFileSync(path(format));
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return files.file('changed', bytes);
}

describe.each([
  ['pades', 'MediaBox'],
  ['cades', 'Maria'],
  ['xades', 'dois'],
] as const)('the verification of a job, as %s', (format, text) => {
  test('passes a signature that no root is known for, and no revocation server', async () => {
    expect(await verify(path(format), format)).toEqual({ ok: true });
    expect(await verifySignedFile(path(format), { format, atMs: nowMs })).toEqual({ ok: true });
  });

  test('judges bytes in memory as it judges a file', async () => {
    const judged = (file: string) =>
      verifySignedFile(readFileSync(file), { format, atMs: nowMs, signer: key.certificate });
    expect(await judged(path(format))).toEqual({ ok: true });
    expect(await judged(changed(format, text))).toMatchObject({ ok: false });
  });

  test('fails a file with one changed byte', async () => {
    const result = await verify(changed(format, text), format);
    expect(result).toEqual({ ok: false, reasons: expect.arrayContaining([expect.any(String)]) });
  });

  test('fails a signature of another certificate than the one that should have signed', async () => {
    expect(await verify(path(format), format, other.certificate)).toEqual({
      ok: false,
      reasons: ["The file holds no signature of the signer's certificate."],
    });
  });

  test('fails the unsigned original', async () => {
    const result = await verify(files.path(format), format);
    expect(result).toMatchObject({ ok: false });
  });

  test('fails a file that is cut short', async () => {
    const cut = files.file('cut', readFileSync(path(format)).subarray(0, -200));
    expect(await verify(cut, format)).toMatchObject({ ok: false });
  });

  test('passes an expired certificate: its validation is a step of its own', async () => {
    const output = files.path('late');
    const signingTimeMs = key.certificate.notAfterMs + 1000;
    await signFile(files.path(format), output, { format, key, signingTimeMs });
    expect(await verifySignedFile(output, { format, atMs: signingTimeMs })).toEqual({ ok: true });
  });
});

test('a file of another format fails, with the reason', async () => {
  for (const format of KINDS)
    for (const another of KINDS.filter((each) => each !== format))
      expect(await verify(path(format), another)).toMatchObject({ ok: false, reasons: [expect.any(String)] });
});

test('a PDF to which something was appended fails, and one that got proof passes', async () => {
  const form = await plainPdf('table', { form: true });
  const once = await signPades(form, key, { signingTimeMs: nowMs });
  const later = files.file('later.pdf', await signPades(once, other, { signingTimeMs: nowMs }));
  expect(await verify(later, 'pades')).toEqual({
    ok: false,
    reasons: ['The signature does not cover the whole document.'],
  });
  expect(await verify(later, 'pades', other.certificate)).toEqual({ ok: true });
  expect(await verifySignedFile(later, { format: 'pades', atMs: nowMs })).toEqual({ ok: true });
  const archived = await signPades(form, key, { signingTimeMs: nowMs, archive: stamp });
  expect(await verify(files.file('archived.pdf', archived), 'pades')).toEqual({ ok: true });
  const trailing = Buffer.concat([once, Buffer.from('\n%appended\n')]);
  expect(await verify(files.file('trailing.pdf', trailing), 'pades')).toMatchObject({ ok: false });
});

test('an XML document that is signed in part fails', async () => {
  const part = await signXades(BATCH, key, { signingTimeMs: nowMs, element: { id: 'n1' } });
  expect(await verify(files.file('part.xml', part), 'xades')).toEqual({
    ok: false,
    reasons: ['The signature does not cover the whole document.'],
  });
});

test('an earlier signature that is broken does not fail the one of the job', async () => {
  const once = await signPades(await plainPdf('table'), other, { signingTimeMs: nowMs });
  const contents = once.lastIndexOf('/Contents<') + 1000;
  once.write(once.toString('latin1', contents, contents + 1) === '0' ? '1' : '0', contents, 'latin1');
  const twice = files.file('twice.pdf', await signPades(once, key, { signingTimeMs: nowMs }));
  expect(await verify(twice, 'pades', other.certificate)).toMatchObject({ ok: false });
  expect(await verify(twice, 'pades')).toEqual({ ok: true });
});

test('a file that is not there is an error of the disk, and no verdict', async () => {
  for (const format of KINDS)
    await expect(verify(files.path('nothing'), format)).rejects.toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    );
});

describe('a file that several people sign', () => {
  const people = ['52998224725', '47363361886'] as const;
  const [first, second] = people.map((cpf) =>
    holderKey({ keyName: cpf, fields: { person: { cpf, birthDate: '01021980' } } }),
  );

  test('passes when everybody who must has signed, one after another', async () => {
    if (!first || !second) throw new Error('There are two.');
    const once = await signPades(await plainPdf('table'), first, { signingTimeMs: nowMs });
    const both = await signPades(once, second, { signingTimeMs: nowMs });
    const options = { format: 'pades', atMs: nowMs, cpfs: people } as const;
    expect(await verifySignedFile(files.file('both.pdf', both), options)).toEqual({ ok: true });
    expect(await verifySignedFile(files.file('once.pdf', once), options)).toEqual({
      ok: false,
      reasons: ['The file holds no valid signature of CPF ***.633.618-**.'],
    });
    const unsigned = Buffer.concat([both, Buffer.from('\n%appended\n')]);
    expect(await verifySignedFile(files.file('more.pdf', unsigned), options)).toMatchObject({ ok: false });
  });

  test('fails when a signature of one of them is broken, though the last one is whole', async () => {
    if (!first || !second) throw new Error('There are two.');
    const once = await signPades(await plainPdf('table'), first, { signingTimeMs: nowMs });
    // The version of the PDF: no reader minds, and the signature covers it.
    once.write('4', '%PDF-1.'.length, 'latin1');
    const both = files.file('broken.pdf', await signPades(once, second, { signingTimeMs: nowMs }));
    const options = { format: 'pades', atMs: nowMs } as const;
    expect(await verifySignedFile(both, { ...options, cpfs: people })).toMatchObject({ ok: false });
    expect(await verifySignedFile(both, { ...options, cpfs: [people[1]] })).toEqual({ ok: true });
  });
});
