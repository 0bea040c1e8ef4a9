import { afterAll, describe, expect, test } from 'vitest';
import { signXades } from '../../../../../shared/signing/xades/sign.ts';
import { partIds, signatureTemplate } from '../../../../../shared/signing/xades/template.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { ENVELOPED } from '../made-signatures.ts';
import { judge, keyOf, pki } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const atMs = Date.now();
const outside = xmlsec(pki);
afterAll(() => outside.remove());

const second = pki.holder({ keyName: 'second', commonName: 'SECOND SIGNER' });
const verify = (document: Buffer | string) => verifyXades(Buffer.from(document), { judge, atMs });
const signed = (
  await signXades(Buffer.from('<a><b Id="b">1</b></a>'), keyOf(), { signingTimeMs: atMs, leaveRoom: true })
).toString();
const value = partIds(/<ds:Signature [^>]*Id="([^"]*)"/.exec(signed)?.[1] ?? '').value;

const templateOver = (uri: string): string =>
  signatureTemplate({
    ...{ id: 'counter', ...second, digest: 'sha256', signingTimeMs: atMs, mimeType: 'text/xml' },
    ...{ uri, without: 'nothing', canonicalization: 'exclusive' },
  });

const inProperties = (text: string): string =>
  signed.replace(
    '</xades:QualifyingProperties>',
    `<xades:UnsignedProperties><xades:UnsignedSignatureProperties><xades:CounterSignature>${text}</xades:CounterSignature></xades:UnsignedSignatureProperties></xades:UnsignedProperties>$&`,
  );
const NAMES = ['SignatureValue', 'b'];
const signedBy = (template: string): Buffer => outside.sign(template, second.privateKey, NAMES, 'counter');

const REFUSED =
  'The signature stands as a countersignature and does not sign the value of the signature that it stands in.';

describe.skipIf(!hasXmlsec)('a countersignature', () => {
  test('is reported as one, and covers nothing of the document', async () => {
    const document = signedBy(inProperties(templateOver(`#${value}`)));
    const report = await verify(document);
    expect(report.signatures.map(({ results }) => results.errors)).toEqual([[], []]);
    expect(report).toMatchObject({
      valid: true,
      coverage: { isComplete: true, covered: ['/'] },
      signatures: [
        { countersigns: undefined },
        { countersigns: '/a/ds:Signature', covers: [{ kind: 'signature' }] },
      ],
    });
    expect(outside.judge(document, { idElements: NAMES, signatureId: 'counter' })).toBe('OK');
    // Alone, it would make nothing of the document good.
    const alone = document.toString().replace('<b Id="b">1</b>', '<b Id="b">2</b>');
    expect(await verify(alone)).toMatchObject({
      coverage: { covered: [] },
      signatures: [{ intact: false }, { valid: true }],
    });
  });

  test('that signs something else of the document is refused', async () => {
    const report = await verify(signedBy(inProperties(templateOver('#b'))));
    expect(report).toMatchObject({
      valid: false,
      coverage: { covered: ['/'] },
      signatures: [{ valid: true }, { intact: true, valid: false, countersigns: undefined }],
    });
    expect(report.signatures[1]?.results.errors.map(({ message }) => message)).toEqual([REFUSED]);
  });

  test('of one signature is refused in another', async () => {
    const first = signed.replaceAll(/signature-[0-9a-f-]{36}/g, 'first');
    const two = signed.replace('</a>', `${/<ds:Signature .*<\/ds:Signature>/s.exec(first)?.[0]}</a>`);
    const moved = two.replace(
      '</xades:QualifyingProperties>',
      `<xades:UnsignedProperties><xades:UnsignedSignatureProperties><xades:CounterSignature>${templateOver('#first-value')}</xades:CounterSignature></xades:UnsignedSignatureProperties></xades:UnsignedProperties>$&`,
    );
    const { signatures } = await verify(signedBy(moved));
    expect(signatures[1]).toMatchObject({ path: expect.stringContaining('CounterSignature'), valid: false });
    expect(signatures[1]?.results.errors.map(({ message }) => message)).toEqual([REFUSED]);
  });

  test('beside what it signs is reported as one too, and does not cover the rest', async () => {
    const beside = signed.replace('</a>', `${templateOver(`#${value}`)}</a>`);
    expect(await verify(signedBy(beside))).toMatchObject({
      valid: true,
      signatures: [{}, { countersigns: '/a/ds:Signature[1]' }],
    });
  });

  test('in no signature is refused', async () => {
    const stray = signed.replace(
      '</a>',
      `<x:CounterSignature xmlns:x="http://uri.etsi.org/01903/v1.3.2#">${templateOver(`#${value}`)}</x:CounterSignature></a>`,
    );
    const { signatures } = await verify(signedBy(stray.replace(ENVELOPED, '')));
    expect(signatures[1]?.results.errors.map(({ message }) => message)).toEqual([REFUSED]);
  });
});
