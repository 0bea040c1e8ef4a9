import { describe, expect, test } from 'vitest';
import { writePem } from '../../../../../shared/pki/pem.ts';
import { hashOf } from '../../../../../shared/signing/digest.ts';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { folder, hasOpenssl, openssl } from '../../cms/openssl.ts';
import { BATCH, judge, judgeWithoutAuthority, keyOf, pki, stampAt } from '../parties.ts';

const DAY_MS = 86_400_000;
const stampedAtMs = Math.floor(Date.now() / 1000) * 1000;
const key = keyOf();
const stamp = stampAt(() => stampedAtMs);
const sign = (more: Partial<SignXadesOptions> = {}): Promise<Buffer> =>
  signXades(BATCH, key, { signingTimeMs: stampedAtMs, stamp, ...more });

describe('a timestamp in a XAdES signature', () => {
  test('proves a time at which the certificate is then judged', async () => {
    const later = key.certificate.notAfterMs + DAY_MS;
    const report = await verifyXades(await sign(), { judge, atMs: later });
    expect(report).toMatchObject({
      valid: true,
      signatures: [{ provenTimeMs: stampedAtMs, judgedAtMs: stampedAtMs, verdict: { status: 'ACTIVE' } }],
    });
    const without = await verifyXades(await sign({ stamp: undefined }), { judge, atMs: later });
    expect(without).toMatchObject({
      valid: false,
      signatures: [{ judgedAtMs: later, verdict: { status: 'EXPIRED' } }],
    });
  });

  test.runIf(hasOpenssl)(
    'is one that openssl verifies over the canonical form of the signature value',
    async () => {
      const files = folder();
      for (const canonicalization of ['exclusive', 'inclusive'] as const) {
        const text = (await sign({ canonicalization })).toString();
        const [, token = ''] = /<xades:EncapsulatedTimeStamp>([^<]*)</.exec(text) ?? [];
        const [, id, value] = /<ds:SignatureValue Id="([^"]*)">([^<]*)</.exec(text) ?? [];
        const canonical = `<ds:SignatureValue xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Id="${id}">${value}</ds:SignatureValue>`;
        const judged = openssl(
          ...['ts', '-verify', '-token_in', '-in', files.file('token', Buffer.from(token, 'base64'))],
          ...['-data', files.file('value', canonical)],
          ...['-CAfile', files.file('root.pem', writePem('CERTIFICATE', pki.root.certificate.der))],
          ...['-untrusted', files.file('sub.pem', writePem('CERTIFICATE', pki.intermediate.certificate.der))],
        );
        expect(judged).toMatchObject({ ok: true });
      }
      files.remove();
    },
  );

  test('over something else fails the signature and proves nothing', async () => {
    const elsewhere = () => stamp('sha256', hashOf('sha256', Buffer.from('something else')));
    const report = await verifyXades(await sign({ stamp: elsewhere }), { judge, atMs: stampedAtMs });
    expect(report).toMatchObject({ valid: false, signatures: [{ intact: true, provenTimeMs: undefined }] });
    expect(report.signatures[0]?.results.errors.map(({ type }) => type)).toEqual([
      'InvalidSignatureTimestamp',
    ]);
  });

  test('may be over the plain canonical form, which is meant when none is named', async () => {
    const signed = (
      await signXades(Buffer.from('<a xmlns="u:a"/>'), key, { signingTimeMs: stampedAtMs })
    ).toString();
    const value = /<ds:SignatureValue.*?<\/ds:SignatureValue>/.exec(signed)?.[0] ?? '';
    const canonical = value.replace(' Id', ' xmlns="u:a" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Id');
    const token = await stamp('sha256', hashOf('sha256', Buffer.from(canonical)));
    const property = `<xades:UnsignedProperties><xades:UnsignedSignatureProperties><xades:SignatureTimeStamp><xades:EncapsulatedTimeStamp>${token.toString('base64')}</xades:EncapsulatedTimeStamp></xades:SignatureTimeStamp></xades:UnsignedSignatureProperties></xades:UnsignedProperties>`;
    const stamped = signed.replace('</xades:QualifyingProperties>', `${property}$&`);
    expect(await verifyXades(Buffer.from(stamped), { judge, atMs: stampedAtMs })).toMatchObject({
      valid: true,
      signatures: [{ provenTimeMs: stampedAtMs }],
    });
  });

  test('of another signature of the same signer is over something else', async () => {
    const token = /<xades:EncapsulatedTimeStamp>.*?<\/xades:EncapsulatedTimeStamp>/s;
    const [one, two] = [await sign(), await sign({ element: { id: 'n1' } })].map(String);
    const swapped = one?.replace(token, token.exec(two ?? '')?.[0] ?? '') ?? '';
    expect(swapped).not.toBe(one);
    expect(await verifyXades(Buffer.from(swapped), { judge, atMs: stampedAtMs })).toMatchObject({
      valid: false,
    });
  });

  test('that cannot be read fails the signature', async () => {
    const report = await verifyXades(await sign({ stamp: async () => Buffer.from('no token') }), {
      judge,
      atMs: stampedAtMs,
    });
    expect(report.signatures[0]?.results.errors.map(({ type }) => type)).toEqual([
      'InvalidSignatureTimestamp',
    ]);
  });

  test('of an authority that is not trusted is ignored, and reported', async () => {
    const report = await verifyXades(await sign(), { atMs: stampedAtMs, judge: judgeWithoutAuthority });
    expect(report).toMatchObject({ valid: true, signatures: [{ provenTimeMs: undefined }] });
    expect(report.signatures[0]?.results.warnings.map(({ type }) => type)).toContain(
      'SignatureTimestampIgnored',
    );
  });
});
