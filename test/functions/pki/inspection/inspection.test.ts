import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import {
  InspectSignatureResponse,
  OpenCadesResponse,
  OpenPadesResponse,
  OpenXmlResponse,
  OpenXmlResponseV2,
} from '../../../../functions/pki/inspection/contract.ts';
import { handler as hashes } from '../../../../functions/pki/inspection/endpoints/get-required-hashes.ts';
import { handler as inspect } from '../../../../functions/pki/inspection/endpoints/inspect-signature.ts';
import { handler as openCades } from '../../../../functions/pki/inspection/endpoints/open-cades-signature.ts';
import { handler as openPades } from '../../../../functions/pki/inspection/endpoints/open-pades-signature.ts';
import { handler as openXml } from '../../../../functions/pki/inspection/endpoints/open-xml-signature.ts';
import { handler as openXmlV2 } from '../../../../functions/pki/inspection/endpoints/open-xml-signature-v2.ts';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { authenticationStage } from '../authentication/stage.ts';
import { base64, bytesOf, CONTENT, inJson, signed, XML } from '../signatures/stage.ts';

const stage = await forFile(authenticationStage());
const ana = stage.holder();
const DETACHED = { signatureType: 'Cms', cmsSignatureOptions: { detached: true } };
const plain = await plainPdf('table');
const pdf = await bytesOf(await signed(ana, { file: inJson(plain) }));
const cms = await bytesOf(await signed(ana, { file: inJson(CONTENT) }));
const p7s = await bytesOf(await signed(ana, { file: inJson(CONTENT), ...DETACHED }));
const xml = await bytesOf(await signed(ana, { file: inJson(XML) }));
const altered = Buffer.from(cms.toString('latin1').replace('Maria', 'Mario'), 'latin1');
const ofElement = { file: inJson(XML), xmlSignatureOptions: { elementToSignId: 'a' } };
const element = await bytesOf(await signed(ana, ofElement));

type Fields = Readonly<Record<string, unknown>>;

async function ask(endpoint: Endpoint, json: unknown, status = 200): Promise<unknown> {
  const method = endpoint === inspect ? 'PUT' : 'POST';
  const answer = await call(endpoint, { method, json, headers: { 'X-API-Key': SANDBOX_KEY } });
  expect(answer.status).toBe(status);
  return answer.json();
}

const inspected = async (file: Buffer, more: Fields = {}) =>
  InspectSignatureResponse.parse(
    await ask(inspect, { file: inJson(file), validate: true, securityContextId: SANDBOX_CONTEXT, ...more }),
  );
const sha256 = { algorithm: 'SHA256', value: createHash('sha256').update(CONTENT).digest('base64') };

describe('an inspection', () => {
  test.each<[string, Buffer, Fields, object]>([
    ['a PDF', pdf, {}, { signatureFieldName: 'Signature1', xmlSignedEntityType: null }],
    ['a CMS', cms, {}, { signatureFieldName: null }],
    ['a detached CMS with its data', p7s, { dataFile: inJson(CONTENT) }, {}],
    ['a detached CMS with the hash of its data', p7s, { dataHashes: [sha256] }, {}],
    ['XML', xml, {}, { xmlSignedEntityType: 'FullXml', xmlSignedElement: null }],
    [
      'an XML element',
      element,
      {},
      {
        xmlSignedEntityType: 'XmlElement',
        xmlSignedElement: {
          ...{ localName: 'nota', namespaceUri: 'urn:x' },
          attributes: [{ localName: 'Id', namespaceUri: null, value: 'a' }],
        },
      },
    ],
  ])('of %s finds its signer valid', async (_, file, more, fields) => {
    const { success, failure, signers } = await inspected(file, more);
    expect([success, failure, signers.length]).toEqual([true, null, 1]);
    expect(signers[0]).toMatchObject({
      ...{ validationResults: { errors: [] }, messageDigest: { algorithm: 'SHA256' }, ...fields },
      certificate: { pkiBrazil: { cpf: '52998224725' } },
    });
  });

  test.each<[string, Buffer, Fields]>([
    [
      'a PDF with another byte',
      Buffer.from(pdf.toString('latin1').replace('MediaBox', 'MediaBoy'), 'latin1'),
      {},
    ],
    ['a CMS with other content', altered, {}],
    ['a CMS with altered content beside its real data', altered, { dataFile: inJson(CONTENT) }],
    ['a CMS with altered content beside the hash of its real data', altered, { dataHashes: [sha256] }],
    ['a detached CMS with other data', p7s, { dataFile: inJson('other') }],
    [
      'a detached CMS with another hash',
      p7s,
      { dataHashes: [{ ...sha256, value: base64(Buffer.alloc(32)) }] },
    ],
    [
      'a CMS with a hash of other data, by an algorithm that its signer does not use',
      cms,
      { dataHashes: [sha256, { algorithm: 'SHA512', value: base64(Buffer.alloc(64)) }] },
    ],
    ['a CMS with other data beside it', cms, { dataFile: inJson('other') }],
    ['XML with another text', Buffer.from(xml.toString().replace('>10<', '>99<')), {}],
  ])('of %s finds errors', async (_, file, more) => {
    const { success, signers } = await inspected(file, more);
    expect(success).toBe(true);
    expect(signers[0]?.validationResults?.errors).not.toEqual([]);
  });

  // An element may be all that was to be signed: who reads the rest of the document must know that nobody signed it.
  test('of an XML element warns of the rest of the document, and of XML that is signed whole does not', async () => {
    const warned = expect.objectContaining({
      type: 'XmlDSigCoreValidationFailed',
      message: expect.stringContaining('nota'),
    });
    const warningsOf = async (file: Buffer) =>
      (await inspected(file)).signers[0]?.validationResults?.warnings;
    expect(await warningsOf(element)).toContainEqual(warned);
    expect(await warningsOf(xml)).not.toContainEqual(warned);
  });

  // Denial of service: each reference would cost a path of the document, for a signature that is not checked.
  test('of XML does not follow the references of a signature that its verifier did not', async () => {
    const elements = Array.from({ length: 3000 }, (_, at) => `<n${at} Id="i${at}"/>`);
    const references = elements.map(
      (_, at) =>
        `<Reference URI="#i${at}"><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>AA==</DigestValue></Reference>`,
    );
    const claim = `<SignedInfo>${references.join('')}</SignedInfo><SignatureValue>AA==</SignatureValue>`;
    const DS = 'http://www.w3.org/2000/09/xmldsig#';
    const hostile = `<a>${elements.join('')}<Signature xmlns="${DS}">${claim}</Signature></a>`;
    const { signers } = await inspected(Buffer.from(hostile));
    expect(signers).toMatchObject([
      { xmlSignedElement: null, validationResults: { errors: [{ type: 'AlgorithmNotAllowed' }, {}] } },
    ]);
  });

  // Lambda answers with 6 MB at most.
  test('of an XML element leaves out an attribute that an answer has no room for', async () => {
    const large = XML.toString().replace('Id="a"', `Id="a" x="${'x'.repeat(3_000_000)}"`);
    const file = await bytesOf(await signed(ana, { ...ofElement, file: inJson(large) }));
    const { signers } = await inspected(file);
    expect(signers[0]).toMatchObject({
      ...{ validationResults: { errors: [] } },
      xmlSignedElement: { localName: 'nota', attributes: [{ localName: 'Id', value: 'a' }] },
    });
  });

  test('by the roots of another context trusts nobody, and without validation judges nobody', async () => {
    const trusted = await inspected(pdf);
    expect(trusted.signers[0]?.validationResults?.errors).toEqual([]);
    for (const validate of [false, null, undefined])
      expect((await inspected(pdf, { validate })).signers).toMatchObject([{ validationResults: null }]);
    const unknown = { file: inJson(pdf), securityContextId: '11111111-2222-4333-8444-555555555555' };
    expect(await ask(inspect, unknown, 422)).toMatchObject({ code: 'SecurityContextNotFound' });
  });

  test('of a detached CMS without its data says which digest it needs, and as an error to the earlier generation', async () => {
    expect(await inspected(p7s)).toMatchObject({
      ...{ success: false, failure: 'DataFileRequired', missingDataHash: 'SHA256', signers: [] },
      hasEncapsulatedContent: false,
    });
    expect(await ask(openCades, { file: { content: base64(p7s) } }, 422)).toMatchObject({
      code: 'MissingDataHash',
    });
    expect(await ask(hashes, { content: base64(p7s) })).toEqual(['SHA256']);
  });

  test('gives the content of a CMS where it is asked for', async () => {
    const given = await inspected(cms, { extractEncapsulatedContent: true });
    expect(given).toMatchObject({
      ...{ hasEncapsulatedContent: true, encapsulatedContentType: 'Data' },
      encapsulatedContent: { content: base64(CONTENT), length: CONTENT.length },
    });
    expect((await inspected(cms)).encapsulatedContent).toBeNull();
  });

  test('gives the content to clients of the earlier generation in the answer and as a link', async () => {
    const open = { file: { content: base64(cms) }, extractEncapsulatedContent: true };
    const { encapsulatedContent } = OpenCadesResponse.parse(await ask(openCades, open));
    expect(encapsulatedContent).toMatchObject({ content: base64(CONTENT), blobToken: expect.any(String) });
    const linked = await fetch(encapsulatedContent?.url ?? '');
    expect(Buffer.from(await linked.arrayBuffer())).toEqual(CONTENT);
  });

  // Lambda answers with 6 MB at most.
  test('gives content that is larger than an answer as a link', async () => {
    const extract = { extractEncapsulatedContent: true };
    const signedOf = async (size: number) =>
      bytesOf(await signed(ana, { file: inJson(Buffer.alloc(size, 'a')), signatureType: 'Cms' }));
    const fits = (await inspected(await signedOf(4_000_000), extract)).encapsulatedContent;
    expect(Buffer.from(fits?.content ?? '', 'base64')).toHaveLength(4_000_000);
    const large = await signedOf(4_000_001);
    const link = { content: null, url: expect.stringMatching(/^http/), blobToken: expect.any(String) };
    expect((await inspected(large, extract)).encapsulatedContent).toMatchObject({
      ...link,
      length: 4_000_001,
    });
    const open = { file: { content: base64(large) }, ...extract };
    expect(OpenCadesResponse.parse(await ask(openCades, open)).encapsulatedContent).toMatchObject(link);
  });

  // Content substitution: the signature is over the data of the request, and not over what would be answered.
  test('gives no content of a CMS that is not the content of the request', async () => {
    const extract = { extractEncapsulatedContent: true };
    const given = { ...extract, dataFile: inJson(CONTENT) };
    const none = { hasEncapsulatedContent: true, encapsulatedContent: null };
    expect(await inspected(altered, given)).toMatchObject(none);
    expect((await inspected(cms, given)).encapsulatedContent).not.toBeNull();
    const open = { file: { content: base64(altered) }, validate: true, securityContextId: SANDBOX_CONTEXT };
    expect(await ask(openCades, { ...open, ...extract, dataHashes: [sha256] })).toMatchObject({
      ...none,
      signers: [{ validationResults: { errors: [{ type: 'MessageDigestMismatch' }] } }],
    });
  });

  test('of a PDF without signatures has no signers', async () => {
    expect(await inspected(plain)).toMatchObject({ success: true, signers: [] });
  });

  test.each<[string, Fields, number, object]>([
    ['what is no signed file', { file: inJson(CONTENT) }, 422, { code: 'InvalidCades' }],
    ['a broken PDF', { file: inJson(pdf.subarray(0, 300)) }, 422, { code: 'InvalidPdf' }],
    ['broken XML', { file: inJson('<a>') }, 422, { code: 'InvalidXml' }],
    [
      'data that is not that of its hash',
      { file: inJson(p7s), dataFile: inJson('other'), dataHashes: [sha256] },
      422,
      { code: 'BadDigest', details: { algorithm: 'SHA256' } },
    ],
    [
      'a CMS with a hash that cannot be compared',
      { file: inJson(cms), dataHashes: [{ algorithm: 'MD5', value: base64(Buffer.alloc(16)) }] },
      422,
      { code: 'BadDigest', details: { algorithm: 'MD5' } },
    ],
    ['no file', { file: null }, 400, {}],
    [
      'a time that nobody certified',
      { file: inJson(pdf), trustUncertifiedSigningTime: true },
      422,
      { details: { option: 'trustUncertifiedSigningTime' } },
    ],
  ])('of %s is refused', async (_, json, status, body) => {
    expect(await ask(inspect, json, status)).toMatchObject(body);
  });

  test.each<[string, Fields]>([
    ['null', { validate: null, dataFile: null, dataHashes: null, ignoreRevocationStatusUnknown: null }],
    ['at its default', { securityContextId: '', dataHashes: [], trustUncertifiedSigningTime: false }],
  ])('takes every optional field %s', async (_, fields) => {
    expect(await ask(inspect, { file: inJson(pdf), ...fields })).toMatchObject({ success: true });
  });
});

describe('the earlier generation opens', () => {
  const request = (file: Buffer) => ({
    ...{ file: { content: base64(file) }, validate: true, securityContextId: SANDBOX_CONTEXT },
    ...{ auditPackage: null, acceptableExplicitPolicies: [], trustUncertifiedSigningTime: false },
    defaultSignaturePolicyId: '78d20b33-014d-440e-ad07-929f05d00cdf',
  });

  test('a PDF, a CMS and XML of two versions', async () => {
    const VALID = [{ validationResults: { errors: [] } }];
    expect(OpenPadesResponse.parse(await ask(openPades, request(pdf))).signers).toMatchObject(VALID);
    expect(OpenCadesResponse.parse(await ask(openCades, request(cms))).signers).toMatchObject(VALID);
    expect(OpenXmlResponse.parse(await ask(openXml, request(xml)))).toMatchObject([{ type: 'FullXml' }]);
    const v2 = OpenXmlResponseV2.parse(await ask(openXmlV2, request(element)));
    expect(v2.signatures).toMatchObject([
      { type: 'XmlElement', signedElement: { localName: 'nota' }, validationResults: { errors: [] } },
    ]);
  });

  test('nothing by the policy of ICP-Brasil certificates in a context that trusts others', async () => {
    const windows = '3881384c-a54d-45c5-bbe9-976b674f5ec7';
    const brazil = { securityContextId: '201856ce-273c-4058-a872-8937bd547d36' };
    vi.stubEnv('SecurityContexts__WindowsServer', stage.rootFile);
    vi.stubEnv('SecurityContexts__PkiBrazil', stage.rootFile);
    const asked = { ...request(pdf), defaultSignaturePolicyId: '3fec800c-366c-49bf-82c5-2e72154e70f6' };
    await ask(openPades, { ...asked, ...brazil });
    expect(await ask(openPades, { ...asked, securityContextId: windows }, 422)).toMatchObject({
      details: { option: 'defaultSignaturePolicyId' },
    });
  });

  test('nothing by policies that are not checked here', async () => {
    const AD_RB = '531d5012-4c0d-4b6f-89e8-ebdcc605d7c2';
    const acceptable = { ...request(pdf), acceptableExplicitPolicies: [AD_RB] };
    expect(await ask(openPades, acceptable, 422)).toMatchObject({
      details: { option: 'acceptableExplicitPolicies' },
    });
    await ask(openPades, { ...request(pdf), defaultSignaturePolicyId: AD_RB }, 400);
    expect(await ask(openPades, request(CONTENT), 422)).toMatchObject({ code: 'InvalidPdf' });
  });
});
