import { describe, expect, it } from 'vitest';
import { hashOf } from '../../../../shared/signing/digest.ts';
import { type SignXadesOptions, signXades } from '../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../shared/signing/xades/verify/verify.ts';
import { BATCH, judge, keyOf, pki, stampAt } from './parties.ts';

const DAY_MS = 86_400_000;
const stampedAtMs = Math.floor(Date.now() / 1000) * 1000;
const key = keyOf();
const stamp = stampAt(() => stampedAtMs);
const sign = (more: Partial<SignXadesOptions> = {}): Promise<Buffer> =>
  signXades(BATCH, key, { signingTimeMs: stampedAtMs, stamp, ...more });

describe('a timestamp in a XAdES signature', () => {
  it('proves a time at which the certificate is then judged', async () => {
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

  it('over something else fails the signature and proves nothing', async () => {
    const elsewhere = () => stamp('sha256', hashOf('sha256', Buffer.from('something else')));
    const report = await verifyXades(await sign({ stamp: elsewhere }), { judge, atMs: stampedAtMs });
    expect(report).toMatchObject({ valid: false, signatures: [{ intact: true, provenTimeMs: undefined }] });
    expect(report.signatures[0]?.results.errors.map(({ type }) => type)).toEqual([
      'InvalidSignatureTimestamp',
    ]);
  });

  it('of another signature of the same signer is over something else', async () => {
    const token = /<xades:EncapsulatedTimeStamp>.*?<\/xades:EncapsulatedTimeStamp>/s;
    const [one, two] = [await sign(), await sign({ element: { id: 'n1' } })].map(String);
    const swapped = one?.replace(token, token.exec(two ?? '')?.[0] ?? '') ?? '';
    expect(swapped).not.toBe(one);
    expect(await verifyXades(Buffer.from(swapped), { judge, atMs: stampedAtMs })).toMatchObject({
      valid: false,
    });
  });

  it('that cannot be read fails the signature', async () => {
    const report = await verifyXades(await sign({ stamp: async () => Buffer.from('no token') }), {
      judge,
      atMs: stampedAtMs,
    });
    expect(report.signatures[0]?.results.errors.map(({ type }) => type)).toEqual([
      'InvalidSignatureTimestamp',
    ]);
  });

  it('of an authority that is not trusted is left aside, and told', async () => {
    const authority = pki.timestampAuthority().certificate.subject.text;
    const report = await verifyXades(await sign(), {
      atMs: stampedAtMs,
      judge: async (certificate, ...rest) => {
        const verdict = await judge(certificate, ...rest);
        return certificate.subject.text === authority ? { ...verdict, status: 'UNTRUSTED' } : verdict;
      },
    });
    expect(report).toMatchObject({ valid: true, signatures: [{ provenTimeMs: undefined }] });
    expect(report.signatures[0]?.results.warnings.map(({ type }) => type)).toContain(
      'SignatureTimestampIgnored',
    );
  });
});
