import { createHash, sign } from 'node:crypto';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { handler as nonce } from '../../../../functions/pki/authentication/endpoints/get-authentication.ts';
import {
  SignatureFileModel,
  SignatureStartModel,
  SignedCmsModel,
  SignedPdfModel,
  SignedXmlModel,
} from '../../../../functions/pki/earlier/contract.ts';
import { handler as finalizeCades } from '../../../../functions/pki/earlier/endpoints/finalize-cades-signature.ts';
import { handler as finalizePades } from '../../../../functions/pki/earlier/endpoints/finalize-pades-signature.ts';
import { handler as finalizeXml } from '../../../../functions/pki/earlier/endpoints/finalize-xml-signature.ts';
import { handler as cades } from '../../../../functions/pki/earlier/endpoints/start-cades-signature.ts';
import { handler as cadesV2 } from '../../../../functions/pki/earlier/endpoints/start-cades-signature-v2.ts';
import { handler as cadesV3 } from '../../../../functions/pki/earlier/endpoints/start-cades-signature-v3.ts';
import { handler as fullXml } from '../../../../functions/pki/earlier/endpoints/start-full-xml-signature.ts';
import { handler as pades } from '../../../../functions/pki/earlier/endpoints/start-pades-signature.ts';
import { handler as padesV2 } from '../../../../functions/pki/earlier/endpoints/start-pades-signature-v2.ts';
import { handler as xmlElement } from '../../../../functions/pki/earlier/endpoints/start-xml-element-signature.ts';
import { handler as submitCades } from '../../../../functions/pki/earlier/endpoints/submit-cades-signature.ts';
import { handler as submitCadesV2 } from '../../../../functions/pki/earlier/endpoints/submit-cades-signature-v2.ts';
import { handler as submitPades } from '../../../../functions/pki/earlier/endpoints/submit-pades-signature.ts';
import { handler as submitPadesV2 } from '../../../../functions/pki/earlier/endpoints/submit-pades-signature-v2.ts';
import { handler as submitXml } from '../../../../functions/pki/earlier/endpoints/submit-xml-signature.ts';
import { FileReference } from '../../../../functions/pki/files/contract.ts';
import { receiveFile } from '../../../../functions/pki/files/domain/receive-file.ts';
import { OpenCadesResponse } from '../../../../functions/pki/inspection/contract.ts';
import { handler as openCades } from '../../../../functions/pki/inspection/endpoints/open-cades-signature.ts';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { generalizedTime, octetString, oid, sequence } from '../../../../shared/der/write.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { countedSeries, takeCounted } from '../../../../shared/metrics/count.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { digestAlgorithm } from '../../../../shared/signing/digest.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { verifyXades } from '../../../../shared/signing/xades/verify/verify.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { folder } from '../../../shared/signing/cms/openssl.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { authenticationStage, type Signer } from '../authentication/stage.ts';
import { anotherKey, base64, CONTENT, verifiers, XML } from '../signatures/stage.ts';

const stage = await forFile(authenticationStage());
const by = verifiers(stage);
const ana = stage.holder();
const other = stage.holderWith('rsa2048');
const pdf = await plainPdf('table');
/** As the clients of this generation send their key. */
const BEARER = { Authorization: `Bearer ${SANDBOX_KEY}` };

const POLICY = {
  pades: '78d20b33-014d-440e-ad07-929f05d00cdf',
  cades: 'a4522485-c9e5-46c3-950b-0d6e951e17d1',
  xades: '1beba282-d1b6-4458-8e46-bd8ad6800b54',
};
const AD_RB = '3ddd8001-1672-4eb5-a4a2-6e32b17ddc46';
const AD_RT = {
  pades: '10f0d9a5-a0a9-42e9-9523-e181ce05a25b',
  cades: 'a5332ad1-d105-447c-a4bb-b5d02177e439',
  xades: '5aa2e0af-5269-43b0-8d45-f4ef52921f04',
};
const PADES_T = '6a39aeea-a2d0-4754-bf8c-19da15296ddb';

type Fields = Readonly<Record<string, unknown>>;

async function post(
  endpoint: Endpoint,
  json: unknown,
  token?: string,
  headers: Fields = BEARER,
): Promise<Fields & { readonly http: number }> {
  const answer = await call(endpoint, {
    ...{ method: 'POST', headers: headers as Record<string, string> },
    ...(json !== undefined && { json }),
    ...(token !== undefined && { params: { token } }),
  });
  return { http: answer.status, ...(answer.json() as Fields) };
}

const starting = (endpoint: Endpoint, request: Fields, signer: Pick<Signer, 'certificate'> = ana) =>
  post(endpoint, {
    certificate: base64(signer.certificate.der),
    securityContextId: SANDBOX_CONTEXT,
    ...request,
  });

const signatureOver = ({ toSignData }: Fields, { privateKey } = ana): string =>
  base64(sign('sha256', Buffer.from(String(toSignData), 'base64'), privateKey));

/** A start, as a typed client reads it. */
async function started(endpoint: Endpoint, request: Fields, signer = ana) {
  const { http, ...answer } = await starting(endpoint, request, signer);
  expect(answer).toEqual(SignatureStartModel.parse(answer));
  expect([http, answer.toSignHash]).toEqual([
    200,
    createHash('sha256')
      .update(Buffer.from(String(answer.toSignData), 'base64'))
      .digest('base64'),
  ]);
  return SignatureStartModel.parse(answer);
}

/** Both steps. */
async function signing(endpoint: Endpoint, submit: Endpoint, request: Fields, signer = ana) {
  const start = await started(endpoint, request, signer);
  const { http, ...answer } = await post(submit, { signature: signatureOver(start, signer) }, start.token);
  expect(http).toBe(200);
  return answer;
}

const bytes = (text: unknown): Buffer => Buffer.from(String(text), 'base64');
const digest = { algorithm: 'SHA256', value: createHash('sha256').update(CONTENT).digest('base64') };

describe('PAdES of the earlier generation', () => {
  const request = { signaturePolicyId: POLICY.pades, pdfToSign: base64(pdf) };

  test('signs a PDF with its reason, field and certification, and finalizes with the same file', async () => {
    const start = await started(pades, {
      ...request,
      ...{ callbackArgument: 'job 7', reason: 'Acordo', customSignatureFieldName: 'Comprador' },
      ...{
        certificationLevel: 'CertifiedFormFilling',
        bypassMarksIfSigned: true,
        measurementUnits: 'PdfPoints',
      },
    });
    expect(await post(finalizePades, undefined, start.token)).toMatchObject({
      code: 'ClientSignatureNotSet',
    });
    const done = await post(submitPades, { signature: signatureOver(start) }, start.token);
    const answer = SignedPdfModel.parse(done);
    expect(answer).toMatchObject({
      callbackArgument: 'job 7',
      certificate: { pkiBrazil: { cpf: '52998224725' } },
    });
    const signed = bytes(answer.signedPdf);
    const report = await verifyPdf(signed, by.context);
    expect(report).toMatchObject({ valid: true, signatures: [{ field: 'Comprador', allowedChanges: 2 }] });
    expect(by.pdfsig(signed)).toEqual(['Signature is Valid.']);
    // A client that loses the answer asks again.
    for (let asked = 0; asked < 2; asked++)
      expect(await post(finalizePades, undefined, start.token)).toEqual(done);
  });

  test('answers the file of version 2 inside, or as an upload with a link', async () => {
    const v2 = {
      signaturePolicyId: POLICY.pades,
      pdfToSign: { content: base64(pdf), mimeType: 'application/pdf' },
    };
    const inside = SignatureFileModel.parse(await signing(padesV2, submitPadesV2, v2));
    expect(by.pdfsig(bytes(inside.signatureFile.content))).toEqual(['Signature is Valid.']);
    expect(inside.signatureFile).toMatchObject({ mimeType: 'application/pdf', blobToken: null, url: null });

    const start = await started(padesV2, v2);
    const forced = { signature: signatureOver(start), forceBlobResult: true };
    const { signatureFile } = SignatureFileModel.parse(await post(submitPadesV2, forced, start.token));
    expect(signatureFile).toMatchObject({ content: null, url: expect.stringMatching(/^http/) });
    const caller = { application: 'sandbox', keyId: '', permissions: [], registered: {} };
    const reference = FileReference.parse({ blobToken: signatureFile.blobToken });
    const read = await receiveFile(caller, reference, Date.now());
    expect(by.pdfsig(read.bytes)).toEqual(['Signature is Valid.']);
  });
});

describe('CAdES of the earlier generation', () => {
  const request = { signaturePolicyId: POLICY.cades, contentToSign: base64(CONTENT) };

  test.each<[string, Endpoint, Fields, boolean]>([
    ['attached', cades, request, true],
    ['detached', cades, { ...request, encapsulateContent: false }, false],
    ['by hash', cadesV2, { signaturePolicyId: POLICY.cades, dataHashes: [digest] }, false],
    [
      'of a file',
      cadesV3,
      { signaturePolicyId: POLICY.cades, fileToSign: { content: base64(CONTENT) } },
      true,
    ],
  ])('signs content %s', async (_, endpoint, asked, holdsContent) => {
    const { cms } = SignedCmsModel.parse(await signing(endpoint, submitCades, asked));
    const content = holdsContent ? undefined : CONTENT;
    const report = await verifyCades(bytes(cms), { ...by.context, ...(content && { content }) });
    expect(report).toMatchObject({ valid: true });
    expect(bytes(cms).includes(CONTENT)).toBe(holdsContent);
    expect(by.openssl(bytes(cms), content)).toBe(true);
  });

  test.each<[string, Endpoint, (cms: string) => Fields, boolean]>([
    ['attached', cades, (cmsToCoSign) => ({ cmsToCoSign }), true],
    [
      'detached, with its content',
      cades,
      (cmsToCoSign) => ({ cmsToCoSign, contentToSign: base64(CONTENT) }),
      false,
    ],
    ['detached, by its hash', cadesV2, (cmsToCoSign) => ({ cmsToCoSign, dataHashes: [digest] }), false],
    [
      'detached, of files',
      cadesV3,
      (content) => ({ cmsToCoSign: { content }, fileToSign: { content: base64(CONTENT) } }),
      false,
    ],
  ])('adds a signature to a CMS %s', async (_, endpoint, more, encapsulateContent) => {
    const first = SignedCmsModel.parse(
      await signing(cades, submitCades, { ...request, encapsulateContent }, other),
    );
    const asked = { signaturePolicyId: POLICY.cades, ...more(first.cms) };
    const answer = SignatureFileModel.parse(await signing(endpoint, submitCadesV2, asked));
    const both = bytes(answer.signatureFile.content);
    const content = encapsulateContent ? undefined : CONTENT;
    const report = await verifyCades(both, { ...by.context, ...(content && { content }) });
    expect(report).toMatchObject({ valid: true, signers: [{}, {}] });
    expect(by.openssl(both, content)).toBe(true);
  });

  test('is finalized by its own operation, and by no other', async () => {
    const start = await started(cades, request);
    await post(submitCades, { signature: signatureOver(start) }, start.token);
    expect(await post(finalizePades, undefined, start.token)).toMatchObject({ code: 'InvalidToken' });
    expect(await post(finalizeCades, undefined, start.token)).toMatchObject({ http: 200 });
  });
});

// Lambda answers with 6 MB at most: the first version has no place for a link.
describe('a file of the earlier generation that is larger than an answer', () => {
  const LIMIT_BYTES = 4_000_000;
  const TOO_LARGE = { http: 413, details: { limitBytes: String(LIMIT_BYTES) } };
  const requestOf = (size: number, more: Fields = {}) => ({
    ...{ signaturePolicyId: POLICY.cades, contentToSign: base64(Buffer.alloc(size, 'a')), ...more },
  });

  test('is refused at its start, but for a signature apart from it', async () => {
    expect(await starting(cades, requestOf(LIMIT_BYTES + 1))).toMatchObject(TOO_LARGE);
    await started(cades, requestOf(LIMIT_BYTES + 1, { encapsulateContent: false }));
    const large = base64(Buffer.alloc(LIMIT_BYTES + 1, ' '));
    const policy = { signaturePolicyId: POLICY.pades };
    expect(await starting(pades, { ...policy, pdfToSign: large })).toMatchObject(TOO_LARGE);
    expect(await starting(fullXml, { ...policy, xml: large })).toMatchObject(TOO_LARGE);
  });

  test('is refused by the first version where its signature makes it so, and a link by the second', async () => {
    const start = await started(cades, requestOf(LIMIT_BYTES));
    const json = { signature: signatureOver(start) };
    const refused = await post(submitCades, json, start.token);
    expect(refused).toMatchObject(TOO_LARGE);
    const linked = SignatureFileModel.parse(await post(submitCadesV2, json, start.token));
    expect(linked.signatureFile).toMatchObject({ content: null, url: expect.stringMatching(/^http/) });
    expect(await post(finalizeCades, undefined, start.token)).toMatchObject(TOO_LARGE);
    expect(await post(submitCadesV2, {}, start.token)).toMatchObject({
      ...{ http: 200, signatureFile: { content: null, url: expect.stringMatching(/^http/) } },
    });

    const around = Number((refused.details as Fields).actualBytes) - LIMIT_BYTES;
    const { cms } = await signing(cades, submitCades, requestOf(LIMIT_BYTES - around));
    expect(bytes(cms)).toHaveLength(LIMIT_BYTES);
  });
});

describe('XML of the earlier generation', () => {
  const request = { signaturePolicyId: POLICY.xades, xml: base64(XML) };

  test.each<[string, Endpoint, Fields, string, string[]]>([
    ['as a whole', fullXml, request, 'URI=""', []],
    ['by an element', xmlElement, { ...request, elementToSignId: 'a' }, 'URI="#a"', ['nota']],
    [
      'by an identifier of another name',
      xmlElement,
      {
        ...{ signaturePolicyId: POLICY.xades, elementToSignId: 'a' },
        xml: base64('<lote><nota chave="a"/></lote>'),
        idResolutionTable: { globalIdAttributes: [{ localName: 'chave' }] },
      },
      'URI="#a"',
      [],
    ],
  ])('is signed %s', async (_, endpoint, asked, uri, idElements) => {
    const { signedXml } = SignedXmlModel.parse(await signing(endpoint, submitXml, asked));
    const signed = bytes(signedXml);
    expect(signed.toString()).toContain(uri);
    const ids = 'idResolutionTable' in asked ? { idAttributes: ['chave'] } : {};
    const report = await verifyXades(signed, { ...by.context, ...ids });
    expect(report).toMatchObject({ signatures: [{ intact: true, valid: true }] });
    if (!('idResolutionTable' in asked)) expect(by.xmlsec(signed, idElements)).toBe('OK');
  });

  test('is finalized with the same file, and counted once', async () => {
    takeCounted();
    const start = await started(fullXml, request);
    const done = await post(submitXml, { signature: signatureOver(start) }, start.token);
    expect(await post(finalizeXml, undefined, start.token)).toEqual(done);
    expect(countedSeries().filter(({ name }) => name === 'Signatures')).toMatchObject([
      { dimensions: { Service: 'pki', Format: 'Xades', Custody: 'caller' }, value: 1 },
    ]);
  });
});

describe('a signature policy', () => {
  const kept = folder();
  afterAll(() => kept.remove());
  const file = kept.file(
    'PA.der',
    sequence(
      digestAlgorithm('sha256'),
      sequence(oid('2.16.76.1.7.1.1.2.3'), generalizedTime(0), sequence()),
      octetString(Buffer.alloc(32, 7)),
    ),
  );
  const request = (signaturePolicyId: unknown) => ({ signaturePolicyId, contentToSign: base64(CONTENT) });

  test.each<[string, unknown, object]>([
    ['left out', undefined, { code: 'SignaturePolicyRequired' }],
    ['null', null, { code: 'SignaturePolicyRequired' }],
    ['empty', '', { code: 'SignaturePolicyRequired' }],
    ['that nobody knows', '11111111-2222-4333-8444-555555555555', { code: 'EntityNotFound' }],
    [
      'of ICP-Brasil whose file nobody gave',
      AD_RB,
      {
        code: 'EntityUnusable',
        details: { policy: 'CAdES AD-RB', reason: expect.stringContaining('SignaturePolicies:Files') },
      },
    ],
    ['of another format', POLICY.pades, { code: 'EntityUnusable' }],
    [
      'with a timestamp that nobody gives here',
      AD_RT.cades,
      {
        code: 'EntityUnusable',
        details: { reason: expect.stringContaining('Signatures:TimestampAuthorities') },
      },
    ],
    [
      'with references to all revocation data',
      '30d881e7-924a-4a14-b5cc-d5a1717d92f6',
      { code: 'EntityUnusable', details: { policy: 'CAdES AD-RC' } },
    ],
  ])('%s is refused', async (_, id, refusal) => {
    expect(await starting(cades, request(id))).toMatchObject({ http: 422, ...refusal });
  });

  test('of ICP-Brasil is named in the signature where the operator gave its file', async () => {
    vi.stubEnv('SignaturePolicies__Files', `${AD_RB.toUpperCase()}=${file}`);
    const { cms } = SignedCmsModel.parse(await signing(cades, submitCades, request(AD_RB)));
    const { signers } = await verifyCades(bytes(cms), by.context);
    expect(signers).toMatchObject([{ valid: true, policy: { oid: '2.16.76.1.7.1.1.2.3' } }]);
  });

  describe('that asks for a timestamp', () => {
    const useAuthority = (url: string) => {
      vi.stubEnv('Signatures__TimestampAuthorities', url);
      const ids = [...Object.values(AD_RT)];
      vi.stubEnv('SignaturePolicies__Files', ids.map((id) => `${id}=${file}`).join());
      onTestFinished(() => {
        for (const name of ['Signatures__TimestampAuthorities', 'SignaturePolicies__Files'])
          vi.stubEnv(name, undefined);
      });
    };
    const POLICY_AND_TIME = { policy: { oid: '2.16.76.1.7.1.1.2.3' }, provenTimeMs: expect.any(Number) };

    test.each<[string, string, object]>([
      ['PAdES-T', PADES_T, { policy: undefined, provenTimeMs: expect.any(Number) }],
      ['PAdES AD-RT', AD_RT.pades, POLICY_AND_TIME],
    ])('has one in the signature of a PDF (%s)', async (_, signaturePolicyId, expected) => {
      useAuthority(stage.timestampUrl);
      const asked = { signaturePolicyId, pdfToSign: base64(pdf) };
      const signed = bytes((await signing(pades, submitPades, asked)).signedPdf);
      const { signatures } = await verifyPdf(signed, by.context);
      expect(signatures).toMatchObject([{ valid: true, timestamps: [{ valid: true }], ...expected }]);
      // Poppler does not know the SubFilter of ICP-Brasil's policies.
      if (signaturePolicyId === PADES_T) expect(by.pdfsig(signed)).toEqual(['Signature is Valid.']);
    });

    test('has one in CMS and in XML', async () => {
      useAuthority(stage.timestampUrl);
      const cms = bytes((await signing(cades, submitCades, request(AD_RT.cades))).cms);
      const expected = [{ valid: true, timestamps: [{ valid: true }], ...POLICY_AND_TIME }];
      expect((await verifyCades(cms, by.context)).signers).toMatchObject(expected);
      expect(by.openssl(cms)).toBe(true);
      // Clients make a CMS of each timestamp, and read its fields without asking.
      const file = { content: base64(cms) };
      const opened = OpenCadesResponse.parse(await post(openCades, { file }));
      expect(opened.signers[0]?.timestamps).toMatchObject([
        {
          ...{ hasEncapsulatedContent: true, encapsulatedContentType: 'TstInfo', encapsulatedContent: null },
          ...{ signers: [], auditPackage: null, bStamp: null, messageImprint: { algorithm: 'SHA256' } },
        },
      ]);
      const asked = { signaturePolicyId: AD_RT.xades, xml: base64(XML) };
      const xml = bytes((await signing(fullXml, submitXml, asked)).signedXml);
      expect((await verifyXades(xml, by.context)).signatures).toMatchObject(expected);
      expect(by.xmlsec(xml)).toBe('OK');
    });

    test('spends no token where the authority does not answer', async () => {
      useAuthority(`${stage.timestampUrl}/nobody`);
      const start = await started(pades, { signaturePolicyId: PADES_T, pdfToSign: base64(pdf) });
      const json = { signature: signatureOver(start) };
      expect(await post(submitPades, json, start.token)).toMatchObject({ code: 'TimestampingUnavailable' });
      useAuthority(stage.timestampUrl);
      expect(await post(submitPades, json, start.token)).toMatchObject({ http: 200 });
    });
  });

  test('of ICP-Brasil certificates is not used by a context that trusts others', async () => {
    const windows = '3881384c-a54d-45c5-bbe9-976b674f5ec7';
    const brazil = { securityContextId: '201856ce-273c-4058-a872-8937bd547d36' };
    vi.stubEnv('SecurityContexts__WindowsServer', stage.rootFile);
    vi.stubEnv('SecurityContexts__PkiBrazil', stage.rootFile);
    const asked = { signaturePolicyId: '3fec800c-366c-49bf-82c5-2e72154e70f6', pdfToSign: base64(pdf) };
    await started(pades, { ...asked, ...brazil });
    await started(pades, { ...asked, signaturePolicyId: POLICY.pades, securityContextId: windows });
    for (const securityContextId of [windows, SANDBOX_CONTEXT])
      expect(await starting(pades, { ...asked, securityContextId })).toMatchObject({
        ...{ http: 422, code: 'EntityUnusable' },
        details: { policy: 'PAdES basic with ICP-Brasil certificates' },
      });
  });

  test('of PDF by invoices or of XML without XAdES is not made here', async () => {
    const id = 'a3c24251-d43a-4ba4-b25d-ee8e2ab24f06';
    expect(await starting(fullXml, { signaturePolicyId: id, xml: base64(XML) })).toMatchObject({
      ...{ code: 'EntityUnusable', details: { policy: 'NF-e' } },
    });
  });
});

describe('a start of the earlier generation', () => {
  const request = { signaturePolicyId: POLICY.pades, pdfToSign: base64(pdf) };
  const OPTIONAL = [
    ...['callbackArgument', 'ignoreRevocationStatusUnknown', 'visualRepresentation', 'pdfMarks'],
    ...['pageOptimization', 'customSignatureFieldName', 'certificationLevel', 'reason', 'measurementUnits'],
  ];
  const all = (value: unknown) => Object.fromEntries(OPTIONAL.map((name) => [name, value]));

  test.each<[string, Fields]>([
    ['null', all(null)],
    [
      'at its default',
      {
        ...all(null),
        ...{ callbackArgument: '', reason: '', customSignatureFieldName: '', pdfMarks: [] },
        ...{
          certificationLevel: 'NotCertified',
          bypassMarksIfSigned: false,
          measurementUnits: 'Centimeters',
        },
      },
    ],
  ])('takes every optional field as %s', async (_, fields) => {
    await started(pades, { ...request, ...fields });
  });

  test.each<[string, Endpoint, Fields, number, object]>([
    [
      'without a certificate',
      pades,
      { ...request, certificate: null },
      400,
      { detail: expect.stringContaining('certificate is required') },
    ],
    ['without a PDF', pades, { ...request, pdfToSign: null }, 400, {}],
    ['with another level', pades, { ...request, certificationLevel: 'Some' }, 400, {}],
    [
      'of what is no PDF',
      pades,
      { ...request, pdfToSign: base64(CONTENT) },
      422,
      { code: 'InvalidPdf', details: { reason: 'not-a-pdf' } },
    ],
    ['of nothing', cades, { signaturePolicyId: POLICY.cades }, 400, {}],
    [
      'of a CMS that is none',
      cades,
      { signaturePolicyId: POLICY.cades, cmsToCoSign: base64(CONTENT) },
      422,
      { code: 'InvalidCades' },
    ],
    [
      'of digests without SHA256',
      cadesV2,
      { signaturePolicyId: POLICY.cades, dataHashes: [{ algorithm: 'MD5', hexValue: '00' }] },
      422,
      { code: 'MissingDataHash' },
    ],
    [
      'of content that is not that of its digests',
      cadesV3,
      {
        signaturePolicyId: POLICY.cades,
        ...{ fileToSign: { content: base64('other') }, dataHashes: [digest] },
      },
      422,
      { code: 'BadDigest' },
    ],
    [
      'of an element without its id',
      xmlElement,
      { signaturePolicyId: POLICY.xades, xml: base64(XML) },
      400,
      {},
    ],
    [
      'of XML that is none',
      fullXml,
      { signaturePolicyId: POLICY.xades, xml: base64('<a>') },
      422,
      { code: 'InvalidXml' },
    ],
    [
      'with a name for the signature',
      fullXml,
      { signaturePolicyId: POLICY.xades, xml: base64(XML), signatureElementId: 's' },
      422,
      { details: { option: 'signatureElementId' } },
    ],
  ])('is refused %s', async (_, endpoint, asked, http, body) => {
    expect(await starting(endpoint, asked)).toMatchObject({ http, ...body });
  });

  test('by a certificate that may not sign is a ValidationError with its results', async () => {
    const expired = stage.holderWith('rsa2048', { notAfterMs: Date.now() - 60_000 });
    const answer = await starting(pades, request, expired);
    expect(answer).toMatchObject({
      ...{ http: 422, code: 'ValidationError' },
      validationResults: { errors: [{ type: 'CertificateExpired' }], warnings: [] },
    });
  });

  test('is of one application, and its token takes one signature of its certificate', async () => {
    const start = await started(pades, request);
    const json = { signature: signatureOver(start) };
    const foreign = await anotherKey();
    expect(await post(submitPades, json, start.token, foreign)).toMatchObject({ code: 'InvalidToken' });
    const wrong = { signature: signatureOver(start, other) };
    expect(await post(submitPades, wrong, start.token)).toMatchObject({ code: 'InvalidSignature' });
    expect(await post(submitPadesV2, {}, start.token)).toMatchObject({ code: 'ClientSignatureNotSet' });
    const answers = await Promise.all([1, 2].map(() => post(submitPades, json, start.token)));
    expect(answers.map(({ http }) => http).toSorted()).toEqual([200, 422]);
    expect(await post(submitPades, json, start.token)).toMatchObject({
      ...{ code: 'ClientSignatureAlreadySet', details: { reason: expect.stringContaining('Finalize') } },
    });
  });

  test('whose signature is killed at any write is submitted again, or finalized', async () => {
    for (let write = 1; ; write++) {
      const start = await started(pades, request);
      const json = { signature: signatureOver(start) };
      const wasKilled = await killedAt(write, 'after', () => post(submitPades, json, start.token));
      const again = await post(submitPades, json, start.token);
      const done = again.http === 200 ? again : await post(finalizePades, undefined, start.token);
      expect(by.pdfsig(bytes(done.signedPdf))).toEqual(['Signature is Valid.']);
      if (!wasKilled) break;
    }
  });
});

describe('a key as a bearer token', () => {
  test.each<[string, Fields, number]>([
    ['is taken', BEARER, 200],
    ['is taken in any case', { authorization: `bearer ${SANDBOX_KEY}` }, 200],
    ['that is wrong is refused', { Authorization: `${BEARER.Authorization}x` }, 401],
    ['of another scheme is refused', { Authorization: `Basic ${SANDBOX_KEY}` }, 401],
    ['does not stand in for a wrong key', { ...BEARER, 'X-API-Key': 'sandbox|wrong' }, 401],
  ])('%s', async (_, headers, status) => {
    const answer = await call(nonce, { headers: headers as Record<string, string> });
    expect(answer.status).toBe(status);
  });

  test('is counted where it is guessed', async () => {
    const guess = () =>
      call(nonce, { headers: { Authorization: 'Bearer sandbox|guess' }, address: '198.51.100.77' });
    const answers = [];
    for (let tried = 0; tried < 62; tried++) answers.push((await guess()).status);
    expect(answers.slice(0, 60).every((status) => status === 401)).toBe(true);
    expect(answers.at(-1)).toBe(429);
  });
});
