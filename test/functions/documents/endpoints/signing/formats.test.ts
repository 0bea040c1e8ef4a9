import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { concludeDocument } from '../../../../../functions/documents/domain/ending/conclude-document.ts';
import { files } from '../../../../../shared/files/files.ts';
import { writePem } from '../../../../../shared/pki/pem.ts';
import { createJudge } from '../../../../../shared/pki/verdict/verdict.ts';
import { verifyCades } from '../../../../../shared/signing/cades/verify.ts';
import type { SigningKey } from '../../../../../shared/signing/key.ts';
import { verifyPdf } from '../../../../../shared/signing/pades/verify/verify-pdf.ts';
import { signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { folder, hasOpenssl, openssl } from '../../../../shared/signing/cms/openssl.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { missingTools, openJudges } from '../../../../shared/signing/pades/judges.ts';
import { hasXmlsec, xmlsec } from '../../../../shared/signing/xades/xmlsec.ts';
import { sign } from './calls.ts';
import { current, pendingDocument, signedBytes, signer } from './pending-document.ts';
import { signingStage } from './stage.ts';

const [FIRST, SECOND] = ['52998224725', '47363361886'] as const;
const XML = Buffer.from('<?xml version="1.0"?><nota xmlns="urn:x"><valor>10</valor></nota>');
const hasPdfJudges = missingTools().length === 0;

const stage = await forFile(signingStage());

const context = () => ({
  judge: createJudge({ anchors: [stage.root], revocation: 'skip' }),
  atMs: Date.now(),
});

const waiting = (bytes: Uint8Array, more: object = {}) =>
  pendingDocument({ organizationId: stage.orgId, bytes, flow: [signer(FIRST), signer(SECOND)], ...more });

/** Signs with each key in turn, concludes, and answers the signed file. */
async function signedBy(document: { readonly id: string }, ...keys: SigningKey[]): Promise<Buffer> {
  for (const key of keys) {
    const answer = await sign(stage.key, document, key);
    expect({ status: answer.status, ...(answer.json() as object) }).toMatchObject({
      status: 200,
      success: true,
      validationResults: { isValid: true },
    });
  }
  const { state, signed } = await current(document);
  expect({ state, revision: signed?.revision }).toEqual({ state: 'FlowConcluded', revision: keys.length });
  expect(await concludeDocument(document.id, Date.now())).toBe('concluded');
  const bytes = await signedBytes(document);
  expect(signed?.size).toBe(bytes.length);
  return bytes;
}

// In another order than in the flow: they are in one step.
const both = (): SigningKey[] => [stage.holder(SECOND), stage.holder(FIRST)];

describe('a PDF', () => {
  test.each(['table', 'streams'] as const)(
    'signed by two holders of one step carries two signatures that every judge finds valid (%s)',
    async (kind) => {
      const original = await plainPdf(kind);
      const signed = await signedBy(await waiting(original), ...both());
      expect(signed.subarray(0, original.length).equals(original)).toBe(true);
      const { valid, signatures } = await verifyPdf(signed, context());
      expect({ valid, changed: signatures.map(({ unmodified }) => unmodified) }).toEqual({
        valid: true,
        changed: [true, true],
      });
      expect(signatures[0]?.claims.name).toBe(`SANDBOX HOLDER ${SECOND}`);
      if (!hasPdfJudges) return;
      const judges = openJudges(stage.root, '-no-ocsp');
      expect(judges.judge(signed)).toEqual({
        signatures: ['Signature is Valid.', 'Signature is Valid.'],
        certificates: ['Certificate is Trusted.', 'Certificate is Trusted.'],
        coverage: ['Not total document signed', 'Total document signed'],
        complaints: '',
      });
      judges.close();
    },
  );

  test('shows a signature where its action or its signer places it, with a name, a masked CPF and the time in Brasília', async () => {
    const mark = { page: 1, x: 60, y: 60, width: 240, height: 50 };
    const flow = [signer(FIRST, { prePositionedMarks: [mark] }), signer(SECOND)];
    const document = await waiting(await plainPdf('table', { blank: true }), { flow });
    await sign(stage.key, document, stage.holder(FIRST));
    const signaturePosition = { ...mark, y: 300 };
    await sign(stage.key, document, stage.holder(SECOND), { signaturePosition });
    const signed = await signedBytes(document);
    expect(await verifyPdf(signed, context())).toMatchObject({ valid: true });
    if (!hasPdfJudges) return;
    const judges = openJudges(stage.root, '-no-ocsp');
    const [left = 0, top = 0, right = 0, bottom = 0] = judges.inkBox(signed);
    const text = judges.text(signed);
    judges.close();
    for (const cpf of [FIRST, SECOND]) {
      expect(text).toContain(`SANDBOX HOLDER ***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`);
      expect(text).not.toContain(cpf);
    }
    expect(text.match(/\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d -03:00/g)).toHaveLength(2);
    // The page is 842 points high, and a picture of it counts from the top.
    expect([left, right].map(Math.round)).toEqual([60, 300]);
    expect([842 - top, 842 - bottom].map(Math.round)).toEqual([350, 60]);
  });

  test('shows a signature at every mark, from the upper left too, and no signer disturbs the others', async () => {
    const at = (topLeftY: number, more: object = {}) => ({
      ...{ type: 'SignatureVisualRepresentation', uploadId: null, pageNumber: 1 },
      ...{ topLeftX: 60, topLeftY, width: 240, height: 50, ...more },
    });
    const marks = [at(20), at(100), at(180, { type: 'SignatureInitials', width: 60 })];
    const stamp = at(500, { type: 'AuthenticationStamp' });
    const flow = [
      signer(FIRST, { prePositionedMarks: marks, signatureInitialsMode: 'Required' }),
      signer(SECOND, { prePositionedMarks: [at(300), stamp], step: 2 }),
    ];
    const document = await waiting(await plainPdf('table', { blank: true }), { flow });
    await sign(stage.key, document, stage.holder(FIRST));
    const { type: _, uploadId: __, pageNumber: page, ...upperLeft } = at(400);
    const signaturePosition = { page, ...upperLeft };
    await sign(stage.key, document, stage.holder(SECOND), { signaturePosition });
    expect(await concludeDocument(document.id, Date.now())).toBe('concluded');
    const signed = await signedBytes(document);
    const { valid, signatures } = await verifyPdf(signed, context());
    expect([valid, signatures.map(({ unmodified }) => unmodified)]).toEqual([true, [true, true]]);
    if (!hasPdfJudges) return;
    const judges = openJudges(stage.root, '-no-ocsp');
    const [left = 0, top = 0, , bottom = 0] = judges.inkBox(signed);
    const text = judges.text(signed);
    expect(judges.judge(signed)).toMatchObject({
      // One for each place: three of the first signer, two of the second.
      signatures: Array(5).fill('Signature is Valid.'),
      complaints: '',
    });
    judges.close();
    expect([left, top, bottom].map(Math.round)).toEqual([60, 20, 550]);
    expect(text.match(/SANDBOX HOLDER/g)).toHaveLength(3);
    expect(text).toMatch(/\bSH\b/);
    expect(text.replaceAll('-', '')).toContain(document.code);
  });

  test.each(['p256', 'p384'] as const)('is signed with a %s key', async (kind) => {
    const flow = [signer(FIRST)];
    const key = stage.holderWith(kind, FIRST);
    const signed = await signedBy(await waiting(await plainPdf('table'), { flow }), key);
    expect(await verifyPdf(signed, context())).toMatchObject({ valid: true });
  });

  test('with a timestamp authority configured carries a timestamp of the signature', async () => {
    vi.stubEnv('Signatures__TimestampAuthorities', stage.timestampUrl);
    const document = await waiting(await plainPdf('table'), { flow: [signer(FIRST)] });
    const signed = await signedBy(document, stage.holder(FIRST));
    vi.stubEnv('Signatures__TimestampAuthorities', undefined);
    const { valid, signatures } = await verifyPdf(signed, context());
    expect(valid).toBe(true);
    expect(signatures[0]?.provenTimeMs).toBeGreaterThan(Date.now() - 60_000);
  });

  test('is signed as CAdES where that is asked for, and stands whole inside the signature', async () => {
    const bytes = await plainPdf('table');
    const document = await waiting(bytes, { flow: [signer(FIRST)], forceCades: true });
    expect(document.format).toBe('CAdES');
    const signed = await signedBy(document, stage.holder(FIRST));
    expect(signed.includes(bytes)).toBe(true);
    expect(await verifyCades(signed, context())).toMatchObject({ valid: true, attached: true });
  });
});

describe('a file of any other kind', () => {
  test('becomes a CAdES signature that holds it, and a second holder signs beside the first', async () => {
    const bytes = randomBytes(200_000);
    const signed = await signedBy(await waiting(bytes, { name: 'dados.bin' }), ...both());
    const { valid, signers } = await verifyCades(signed, { ...context(), content: bytes });
    expect({ valid, count: signers.length }).toEqual({ valid: true, count: 2 });
    if (!hasOpenssl) return;
    const at = folder();
    const root = at.file('root.pem', writePem('CERTIFICATE', stage.root.der));
    const out = at.path('content');
    const { ok, says } = openssl(
      ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', at.file('signed.p7s', signed)],
      ...['-CAfile', root, '-purpose', 'any', '-out', out],
    );
    expect({ ok, says }).toEqual({ ok: true, says: expect.stringContaining('successful') });
    expect(readFileSync(out).equals(bytes)).toBe(true);
    at.remove();
  });

  test('is dated by a timestamp authority too', async () => {
    vi.stubEnv('Signatures__TimestampAuthorities', stage.timestampUrl);
    const signed = await signedBy(await waiting(randomBytes(100)), ...both());
    vi.stubEnv('Signatures__TimestampAuthorities', undefined);
    const { signers } = await verifyCades(signed, context());
    expect(signers.map(({ provenTimeMs }) => typeof provenTimeMs)).toEqual(['number', 'number']);
  });
});

describe('an XML document', () => {
  test('signed by two holders carries both signatures, and neither breaks the other', async () => {
    const document = await waiting(XML, { name: 'nota.xml', contentType: 'application/xml' });
    expect(document.format).toBe('XAdES');
    const signed = await signedBy(document, stage.holder(SECOND), stage.holderWith('p256', FIRST));
    const { valid, signatures } = await verifyXades(signed, context());
    expect({ valid, count: signatures.length }).toEqual({ valid: true, count: 2 });
    if (!hasXmlsec) return;
    const { root, intermediate } = stage;
    const outside = xmlsec({ root: { certificate: root }, intermediate: { certificate: intermediate } });
    for (const { id = '' } of signatures) expect(outside.judge(signed, { signatureId: id })).toBe('OK');
    outside.remove();
  });

  test('that one holder alone signs is signed so that every verifier reads it', async () => {
    const flow = [signer(FIRST)];
    const document = await waiting(XML, { contentType: 'text/xml', flow });
    const text = (await signedBy(document, stage.holder(FIRST))).toString();
    expect(text).not.toContain('xmldsig-filter2');
    expect(await verifyXades(Buffer.from(text), context())).toMatchObject({ valid: true });
  });
});

describe('an XML document is not concluded', () => {
  test('when its file holds a good signature of the recorded certificate over a part alone', async () => {
    const document = await waiting(XML, { contentType: 'text/xml', flow: [signer(FIRST)] });
    const key = stage.holder(FIRST);
    await sign(stage.key, document, key);
    const part = Buffer.from('<nota><valor>99</valor><aside Id="a"/></nota>');
    const options = { signingTimeMs: Date.now(), element: { id: 'a' } };
    const { signed } = await current(document);
    await files('documents').put(signed?.key ?? '', await signXades(part, key, options), {
      contentType: 'text/xml',
    });
    await expect(concludeDocument(document.id, Date.now())).rejects.toThrow(/no intact signature/);
  });

  test('when something unsigned was put into its signature', async () => {
    const document = await waiting(XML, { contentType: 'text/xml', flow: [signer(FIRST)] });
    await sign(stage.key, document, stage.holder(FIRST));
    const { signed } = await current(document);
    const text = (await signedBytes(document)).toString();
    // A certificate of its chain makes room: the file may not be larger than recorded.
    const changed = text
      .replace(/(<\/ds:X509Certificate>)<ds:X509Certificate>[^<]*<\/ds:X509Certificate>/, '$1')
      .replace('</ds:Signature>', '<ds:Object><valor>99</valor></ds:Object>$&');
    await files('documents').put(signed?.key ?? '', Buffer.from(changed), { contentType: 'text/xml' });
    await expect(concludeDocument(document.id, Date.now())).rejects.toThrow(/no intact signature/);
  });
});

describe('a file that its format cannot take', () => {
  test.each([
    ['a broken PDF', Buffer.from('%PDF-1.7\nnothing more'), 'application/pdf', 'broken'],
    ['an XML document cut short', Buffer.from('<nota><valor>'), 'application/xml', 'malformed'],
  ])('is refused with the reason: %s', async (_, bytes, contentType, reason) => {
    const document = await waiting(bytes, { contentType });
    const { status, json } = await sign(stage.key, document, stage.holder(FIRST));
    expect(status).toBe(422);
    expect(json()).toMatchObject({
      code: 'DocumentNotSignable',
      details: { reason, explanation: expect.any(String) },
    });
  });

  test('a place that is not on the page is refused with the reason', async () => {
    const signaturePosition = { page: 7, x: 1, y: 1, width: 100, height: 40 };
    const document = await waiting(await plainPdf('table'));
    const { json } = await sign(stage.key, document, stage.holder(FIRST), { signaturePosition });
    expect(json()).toMatchObject({ code: 'DocumentNotSignable', details: { reason: 'no-such-page' } });
  });
});
