import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holderProfile } from '../../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { explicit, NULL, oid, sequence } from '../../../../shared/der/write.ts';
import { EXTENSION } from '../../../../shared/pki/extensions/extensions.ts';
import { signDetached } from '../../../../shared/signing/cades/sign.ts';
import { CONTENT } from '../../../../shared/signing/cms/oids.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { requestTimestamp } from '../../../../shared/signing/timestamp/client.ts';
import { maskReport } from '../../../../shared/signing/verification/mask.ts';
import { OUTCOMES } from '../../../../shared/signing/verification/reasons.ts';
import { VerificationRefused } from '../../../../shared/signing/verification/refused.ts';
import type { VerificationReport } from '../../../../shared/signing/verification/report.ts';
import { inMemory, verifyFile } from '../../../../shared/signing/verification/verify-file.ts';
import { extension } from '../../../certificates/odd-certificates.ts';
import { below, type Holder, testKey, testPki } from '../../../certificates/pki.ts';
import { runs } from '../../../faults/fuzz.ts';
import { reaching } from '../timestamp/fixtures.ts';
import { DS, ENVELOPED, makeSigned } from '../xades/made-signatures.ts';

const pki = testPki('p256');
const content = Buffer.from('any content');
const signedBy = ({ privateKey, certificate, chain }: Holder): Promise<Buffer> =>
  signDetached({ hash: hashOf('sha256', content) }, localKey(privateKey, certificate, chain), {
    digest: 'sha256',
    signingTimeMs: Date.now(),
  });

const judged = async (holder: Holder, anchors = [pki.root.certificate]) =>
  verifyFile(inMemory(await signedBy(holder), 'a.p7s'), {
    trust: { anchors, revocation: 'skip' },
    atMs: Date.now(),
    content: inMemory(content, 'a'),
  });

describe('whether a certificate is of ICP-Brasil', () => {
  test('is verified by a chain to a trusted root of it, and only claimed without one', async () => {
    const holder = pki.holder({ key: 'p256' });
    const [trusted, untrusted] = await Promise.all([judged(holder), judged(holder, [])]);
    expect(trusted.signatures[0]).toMatchObject({ icpBrasil: 'verified', outcome: 'valid' });
    expect(trusted.signatures[0]?.signer?.issuer?.issuer?.subjectCommonName).toBe(
      pki.root.certificate.subject.attributes.at(-1)?.value,
    );
    // The root of the chain has the name of ICP-Brasil, as anybody's can.
    expect(untrusted.signatures[0]?.icpBrasil).toBe('claimed');
  });

  test('is only claimed by a certificate that its issuer never signed', async () => {
    const thief = { ...pki.intermediate, privateKey: testKey('p256', 'thief') };
    const forged = below(thief, testKey('p256', 'forged'), (keys) => ({
      subject: [['commonName', 'JOSÉ:52998224725']],
      extensions: holderProfile({ ...keys, holder: { person: { cpf: '52998224725' } } }),
    }));
    const [signature] = (await judged(forged)).signatures;
    expect(signature).toMatchObject({ icpBrasil: 'claimed', certificateStatus: 'UNTRUSTED' });
  });

  test('is no for a certificate whose extensions cannot be read', async () => {
    const broken = extension(EXTENSION.subjectAltName, Buffer.from('3003ff', 'hex'));
    const holder = pki.holder({ key: 'p256', change: { extensions: [broken] } });
    const [signature] = (await judged(holder, [])).signatures;
    expect(signature).toMatchObject({
      icpBrasil: 'no',
      signer: { pkiBrazil: { certificateType: 'Unknown' } },
    });
  });
});

test('a masked report shows the middle of a CPF, wherever it stands, and no birth date, RG or e-mail', async () => {
  const subject = [
    ['emailAddress', 'own@example.com'],
    ['commonName', 'JOSÉ DA CONCEIÇÃO TESTE:52998224725'],
  ] as const;
  const report = await judged(pki.holder({ key: 'p256', change: { subject } }));
  expect(JSON.stringify(report)).toMatch(/own@example.*52998224725.*1980-02-15.*1234567.*holder@example/s);
  const masked = maskReport(report);
  const text = JSON.stringify(masked);
  for (const own of ['52998224725', '1980-02-15', '1234567', 'holder@example', 'own@example'])
    expect(text).not.toContain(own);
  expect(masked.signatures[0]?.signer).toMatchObject({
    subjectDisplayName: 'JOSÉ DA CONCEIÇÃO TESTE',
    subjectCommonName: 'JOSÉ DA CONCEIÇÃO TESTE:***.982.247-**',
    pkiBrazil: { cpf: '***.982.247-**', certificateType: 'A1' },
  });
  expect({ ...masked, signatures: [] }).toEqual({ ...report, signatures: [] });
});

describe('a file is refused with a reason', () => {
  const options = { trust: { anchors: [] }, atMs: 0 };
  test.each([
    ['', 'empty'],
    ['just text', 'not-a-signature'],
    [Buffer.alloc(90, 'MII').toString(), 'bare-base64'],
    ['%PDF-1.7 and nothing more', 'unreadable'],
    ['<a', 'unreadable'],
    ['<!DOCTYPE a><a/>', 'unsupported'],
    ['<?xml version="1.1"?><a/>', 'unsupported'],
  ])('%j as %s', async (text, reason) => {
    const refused = await verifyFile(inMemory(Buffer.from(text)), options).catch((error) => error);
    expect(refused).toBeInstanceOf(VerificationRefused);
    expect(refused.reason).toBe(reason);
  });

  test.each([
    ['EnvelopedData', CONTENT.envelopedData, 'encrypted'],
    ['EncryptedData', CONTENT.encryptedData, 'encrypted'],
    ['AuthEnvelopedData', CONTENT.authEnvelopedData, 'encrypted'],
    ['CompressedData', '1.2.840.113549.1.9.16.1.9', 'not-a-signature'],
    ['Data', CONTENT.data, 'not-a-signature'],
    ['SignedData that ends too soon', CONTENT.signedData, 'unreadable'],
  ])('CMS of the type %s', async (_name, type, reason) => {
    const file = inMemory(sequence(oid(type), explicit(0, NULL)));
    await expect(verifyFile(file, options)).rejects.toMatchObject({ name: 'VerificationRefused', reason });
  });

  test('a document with content beside it, as content-not-needed', async () => {
    const file = inMemory(Buffer.from('<a/>'));
    await expect(verifyFile(file, { ...options, content: file })).rejects.toMatchObject({
      reason: 'content-not-needed',
    });
  });
});

test('an enveloping signature covers its content, and nothing once it is pasted into a document', async () => {
  const enveloping = makeSigned({
    ...{ holder: pki.holder(), uri: '#o' },
    content: `<ds:Object xmlns:ds="${DS}" Id="o"><x>100</x></ds:Object>`,
    change: (text) =>
      text.replace(ENVELOPED, '').replace('</ds:Signature>', '<ds:Object Id="o"><x>100</x></ds:Object>$&'),
    around: (text) => text,
  });
  const trust = { anchors: [pki.root.certificate], revocation: 'skip' } as const;
  const read = async (xml: string) => {
    const report = await verifyFile(inMemory(Buffer.from(xml)), { trust, atMs: Date.now() });
    return [report.outcome, report.signatures[0]?.covers, report.coverage.covered];
  };
  const [alone, pasted] = [enveloping.toString(), `<contract>${enveloping}</contract>`];
  expect(await read(alone)).toEqual(['valid', ['the content inside it'], ['/ds:Signature/ds:Object[2]']]);
  expect(await read(pasted)).toEqual(['invalid', ['nothing that could be confirmed'], []]);
});

test('whatever bytes are changed, there is a report or a refusal, and no other failure', async () => {
  const signature = await signedBy(pki.holder({ key: 'p256' }));
  const changes = fc.array(fc.tuple(fc.nat(signature.length - 1), fc.integer({ min: 1, max: 255 })), {
    minLength: 1,
    maxLength: 3,
  });
  const numRuns = runs(300);
  let reports = 0;
  await fc.assert(
    fc.asyncProperty(changes, async (flips) => {
      const changed = Buffer.from(signature);
      for (const [at, by] of flips) changed.writeUInt8(changed.readUInt8(at) ^ by, at);
      const options = { trust: { anchors: [pki.root.certificate] }, atMs: Date.now() };
      const verified = verifyFile(inMemory(changed), { ...options, content: inMemory(content) });
      const result = await verified.catch((error: unknown) => error);
      if (result instanceof VerificationRefused) return;
      reports++;
      expect(OUTCOMES).toContain(maskReport(result as VerificationReport).outcome);
    }),
    { numRuns },
  );
  expect(reports).toBeGreaterThan(numRuns / 6);
});

test('a detached signature without its content is neither intact nor broken', async () => {
  const file = inMemory(await signedBy(pki.holder({ key: 'p256' })));
  const report = await verifyFile(file, { trust: { anchors: [] }, atMs: Date.now() });
  expect(report).toMatchObject({ outcome: 'undetermined', reasons: ['SIGNED_DATA_NOT_FOUND'] });
  expect(report.signatures[0]).toMatchObject({ intact: null, outcome: 'undetermined' });
});

test('a timestamp token as a file is no signature of a document', async () => {
  const { token } = await requestTimestamp('sha256', hashOf('sha256', content), reaching());
  const verified = verifyFile(inMemory(token, 'a.tst'), { trust: { anchors: [] }, atMs: Date.now() });
  await expect(verified).rejects.toMatchObject({
    reason: 'not-a-signature',
    message: expect.stringContaining('timestamp token'),
  });
});

test('a fault of the XML schema says nothing about integrity', async () => {
  const signed = makeSigned({ holder: pki.holder() }).toString();
  const faulty = signed.replace(/<ds:DigestMethod Algorithm="[^"]*"><\/ds:DigestMethod>/, '');
  const { outcome, signatures } = await verifyFile(inMemory(Buffer.from(faulty), 'a.xml'), {
    trust: { anchors: [] },
    atMs: Date.now(),
  });
  expect([outcome, signatures[0]?.intact, signatures[0]?.reasons]).toEqual([
    'invalid',
    null,
    ['FORMAT_FAILURE'],
  ]);
});
