import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DocumentModel } from '../../../../functions/pki/documents/contract.ts';
import { handler as prepare } from '../../../../functions/pki/signatures/endpoints/prepare-signature.ts';
import { SANDBOX_CONTEXT } from '../../../../functions/sandbox/sandbox-data.ts';
import { countedSeries, takeCounted } from '../../../../shared/metrics/count.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { verifyXades } from '../../../../shared/signing/xades/verify/verify.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { ask, authenticationStage } from '../authentication/stage.ts';
import {
  bytesOf,
  CONTENT,
  finishing,
  inJson,
  preparing,
  signatureOver,
  signed,
  verifiers,
  XML,
} from './stage.ts';

const stage = await forFile(authenticationStage());
const by = verifiers(stage);
const ana = stage.holder();
const other = stage.holderWith('rsa2048');
const pdf = await plainPdf('table');

const digest = (algorithm: string, content = CONTENT) => {
  const hash = createHash(algorithm.replace('SHA', 'sha')).update(content).digest();
  return { algorithm, value: hash.toString('base64'), hexValue: hash.toString('hex') };
};

describe('a signature by API', () => {
  test('makes a PDF a PAdES, and answers its document as a typed client reads it', async () => {
    const document = await signed(ana, { file: inJson(pdf, 'contrato.pdf') });
    const { status, ...model } = document;
    const read = DocumentModel.parse(model);
    expect([status, read]).toEqual([200, model]);
    expect(read).toMatchObject({
      ...{ signatureType: 'Pdf', markedFile: null, metadata: {} },
      key: expect.stringMatching(/^[2-9A-HJ-NP-Z]{16}$/),
      formattedKey: expect.stringMatching(/^(\w{4}-){3}\w{4}$/),
      originalFile: { name: 'contrato.pdf', length: pdf.length, mimeType: 'application/pdf' },
      signedFile: { name: 'contrato.pdf', mimeType: 'application/pdf' },
      signers: [{ certificate: { subjectIdentifier: '52998224725' } }],
    });
    expect(read.signedFile.url).toMatch(/^https?:\/\//);
    expect(read.signedFile.location).toBe(read.signedFile.url);
    const bytes = await bytesOf(document);
    expect(await verifyPdf(bytes, by.context)).toMatchObject({ valid: true, signatures: [{}] });
    expect(by.pdfsig(bytes)).toEqual(['Signature is Valid.']);
    expect(read.signedFile.length).toBe(bytes.length);
  });

  test('adds a second signature to a signed PDF', async () => {
    const first = await bytesOf(await signed(other, { file: inJson(pdf) }));
    const bytes = await bytesOf(await signed(ana, { file: inJson(first), signatureType: 'Pdf' }));
    expect(await verifyPdf(bytes, by.context)).toMatchObject({ valid: true, signatures: [{}, {}] });
    expect(by.pdfsig(bytes)).toEqual(['Signature is Valid.', 'Signature is Valid.']);
  });

  test('is counted by its format, once', async () => {
    takeCounted();
    const started = await preparing(ana, { file: inJson(pdf) });
    const value = signatureOver(started, ana);
    for (let time = 0; time < 2; time++) await finishing(started.state, value);
    expect(countedSeries().filter(({ name }) => name === 'Signatures')).toMatchObject([
      { dimensions: { Service: 'pki', Format: 'Pades', Custody: 'caller' }, value: 1 },
    ]);
  });

  test.each<[string, object, boolean]>([
    ['attached', { file: inJson(CONTENT, 'nota.txt') }, true],
    ['detached', { file: inJson(CONTENT, 'nota.txt'), cmsSignatureOptions: { detached: true } }, false],
    ['by hash', { cmsSignatureOptions: { dataHashes: [digest('SHA1'), digest('SHA256')] } }, false],
    [
      'by hash in hexadecimal',
      { file: null, cmsSignatureOptions: { dataHashes: [{ ...digest('SHA256'), value: null }] } },
      false,
    ],
  ])('makes a CMS %s', async (_, request, holdsContent) => {
    const document = await signed(ana, { ...request, signatureType: 'Cms' });
    const bytes = await bytesOf(document);
    expect(bytes.includes(CONTENT)).toBe(holdsContent);
    const content = holdsContent ? undefined : CONTENT;
    expect(await verifyCades(bytes, { ...by.context, ...(content && { content }) })).toMatchObject({
      valid: true,
    });
    expect(by.openssl(bytes, content)).toBe(true);
    const { signedFile, originalFile } = DocumentModel.parse(document);
    const name = 'file' in request && request.file ? `nota.txt.${holdsContent ? 'p7m' : 'p7s'}` : null;
    expect([signedFile.name, originalFile?.name ?? null]).toEqual([name, name && 'nota.txt']);
  });

  test.each<[string, object, object]>([
    ['attached', {}, {}],
    ['detached, by its data', { detached: true }, { dataFile: inJson(CONTENT) }],
    ['detached, by its hash', { detached: true }, { dataHashes: [digest('SHA256')] }],
  ])('adds a signature to a CMS %s', async (_, first, second) => {
    const cms = await bytesOf(
      await signed(other, { file: inJson(CONTENT), signatureType: 'Cms', cmsSignatureOptions: first }),
    );
    const request = { file: inJson(cms), signatureType: 'Cms', cmsSignatureOptions: second };
    const bytes = await bytesOf(await signed(ana, request));
    const content = 'detached' in first ? CONTENT : undefined;
    const report = await verifyCades(bytes, { ...by.context, ...(content && { content }) });
    expect(report).toMatchObject({ valid: true, signers: [{}, {}] });
    expect(by.openssl(bytes, content)).toBe(true);
  });

  test.each<[string, object, RegExp, string[]]>([
    ['whole', {}, /<\/ds:Signature><\/lote>$/, []],
    ['by its type', { type: 'FullXml', elementToSignId: '' }, /<\/ds:Signature><\/lote>$/, []],
    [
      'by an element',
      { type: 'XmlElement', elementToSignId: 'a' },
      /<\/ds:Signature><\/nota><\/lote>$/,
      ['nota'],
    ],
    [
      'by an element, with the signature elsewhere',
      {
        elementToSignId: '#a',
        signatureElementLocation: {
          xPath: '/n:lote',
          namespaces: [{ prefix: 'n', uri: 'urn:x' }],
          insertionOption: 'AppendChild',
        },
      },
      /<\/nota><ds:Signature .*<\/ds:Signature><\/lote>$/s,
      ['nota'],
    ],
    [
      'by an element, with the signature before it',
      {
        elementToSignId: 'a',
        signatureElementLocation: {
          xPath: '//n:nota',
          namespaces: [{ prefix: 'n', uri: 'urn:x' }],
          insertionOption: 'PrependSibling',
        },
      },
      /<\/ds:Signature><nota .*<\/nota><\/lote>$/s,
      ['nota'],
    ],
  ])('signs XML %s', async (_, xmlSignatureOptions, ending, idElements) => {
    const document = await signed(ana, { file: inJson(XML, 'nota.xml'), xmlSignatureOptions });
    const bytes = await bytesOf(document);
    expect(document).toMatchObject({ signatureType: 'Xml', signedFile: { name: 'nota.xml' } });
    expect(bytes.toString()).toMatch(ending);
    expect(await verifyXades(bytes, by.context)).toMatchObject({
      signatures: [{ intact: true, valid: true }],
    });
    expect(by.xmlsec(bytes, idElements)).toBe('OK');
  });
});

describe('as results, and not as errors, are answered', () => {
  test('a certificate that may not sign', async () => {
    const expired = stage.holderWith('rsa2048', { notAfterMs: Date.now() - 60_000 });
    const answer = await preparing(expired, { file: inJson(CONTENT) });
    expect(answer).toMatchObject({
      ...{ status: 200, success: false, failure: 'CertificateValidationFailed' },
      ...{ state: null, toSign: null, toSignHash: null },
      certificate: { pkiBrazil: { cpf: '52998224725' } },
      validationResults: { errors: [{ type: 'CertificateExpired' }] },
    });
  });

  test('a PDF that was certified against further signatures, and one that is broken', async () => {
    const key = localKey(other.privateKey, other.certificate, []);
    const certified = await signPades(pdf, key, { signingTimeMs: Date.now(), certify: 1 });
    for (const [file, failure] of [
      [certified, 'PdfAlreadySigned'],
      [pdf.subarray(0, 400), 'CorruptedPdf'],
      [CONTENT, 'CorruptedPdf'],
    ] as const)
      expect(await preparing(ana, { file: inJson(file), signatureType: 'Pdf' })).toMatchObject({
        ...{ status: 200, success: false, failure, state: null },
        ...{ certificate: null, validationResults: null },
      });
  });
});

describe('the options of a signature by API', () => {
  const OPTIONAL = ['documentKey', 'signatureType', 'pdfSignatureOptions', 'cmsSignatureOptions'];
  const nulls = Object.fromEntries([...OPTIONAL, 'xmlSignatureOptions'].map((name) => [name, null]));

  test.each<[string, object]>([
    ['absent', {}],
    ['null', nulls],
    [
      'at the defaults of a typed client',
      {
        documentKey: '',
        pdfSignatureOptions: {
          visualRepresentation: null,
          measurementUnits: 'Centimeters',
          convertToPdfA: false,
        },
        xmlSignatureOptions: null,
      },
    ],
    ['empty for CMS', { cmsSignatureOptions: {} }],
    [
      'at the defaults for CMS',
      { cmsSignatureOptions: { detached: false, dataFile: null, dataHashes: [] }, xmlSignatureOptions: {} },
    ],
  ])('may be %s, and a PDF is signed as a PDF', async (_, options) => {
    const document = await signed(ana, { file: inJson(pdf), ...options });
    expect(document).toMatchObject({ status: 200, signatureType: 'Pdf' });
  });

  const LOOK = {
    position: { pageNumber: 1, manual: { left: 2, bottom: 2, width: 7, height: 3 } },
    text: { text: 'Visto' },
  };

  test('for an element of XML make it XML, whatever type the file declares', async () => {
    const file = { ...inJson(XML), mimeType: 'text/plain' };
    const document = await signed(ana, { file, xmlSignatureOptions: { elementToSignId: 'a' } });
    expect(document).toMatchObject({ status: 200, signatureType: 'Xml' });
  });

  test.each<[string, object, number, object]>([
    ['without a file', {}, 400, { detail: 'file is required' }],
    ['without a certificate', { certificate: null }, 400, {}],
    ['with an empty certificate', { certificate: {} }, 400, { detail: 'certificate.content is required' }],
    [
      'with a certificate by id',
      { certificate: { id: 'x' } },
      422,
      { details: { option: 'certificate.id' } },
    ],
    ['with no certificate', { certificate: { content: 'MIIB' } }, 422, { code: 'PKCertificateMalformed' }],
    ['with another type', { signatureType: 'Docx' }, 400, {}],
    [
      'with PDF/A',
      { pdfSignatureOptions: { convertToPdfA: true } },
      422,
      { code: 'OptionNotSupported', details: { option: 'convertToPdfA' } },
    ],
    ['in an unknown context', { securityContextId: stage.rootFile }, 400, {}],
    [
      'in a context without roots',
      { securityContextId: '11111111-2222-4333-8444-555555555555' },
      422,
      { code: 'SecurityContextNotFound' },
    ],
    [
      'by hash without SHA256',
      { file: null, cmsSignatureOptions: { dataHashes: [digest('SHA1')] } },
      422,
      { code: 'MissingDataHash', details: { given: 'SHA1' } },
    ],
    [
      'by a hash that is none',
      { file: null, cmsSignatureOptions: { dataHashes: [{ algorithm: 'SHA256', hexValue: 'ab' }] } },
      422,
      { code: 'BadDigest' },
    ],
    [
      'of a file that is not its data',
      { file: inJson('other'), cmsSignatureOptions: { dataHashes: [digest('SHA256')] } },
      422,
      { code: 'BadDigest' },
    ],
    [
      'of data that is not that of its hash',
      { file: null, cmsSignatureOptions: { dataFile: inJson('other'), dataHashes: [digest('SHA256')] } },
      422,
      { code: 'BadDigest', details: { algorithm: 'SHA256' } },
    ],
    [
      'of data beside another hash of another algorithm',
      {
        file: null,
        cmsSignatureOptions: {
          dataFile: inJson(CONTENT),
          dataHashes: [digest('SHA256'), { ...digest('SHA256'), algorithm: 'SHA512' }],
        },
      },
      422,
      { code: 'BadDigest', details: { algorithm: 'SHA512' } },
    ],
    [
      'of data beside a hash that is not compared',
      {
        file: null,
        cmsSignatureOptions: { dataFile: inJson(CONTENT), dataHashes: [digest('SHA256'), digest('MD5')] },
      },
      422,
      { code: 'BadDigest', details: { algorithm: 'MD5' } },
    ],
    [
      'by two hashes that contradict each other',
      {
        file: null,
        cmsSignatureOptions: {
          dataHashes: [digest('SHA256'), { algorithm: 'SHA256', hexValue: '00'.repeat(32) }],
        },
      },
      422,
      { code: 'BadDigest', details: { algorithm: 'SHA256' } },
    ],
    [
      'of XML by an element that is not there',
      { file: inJson(XML), xmlSignatureOptions: { elementToSignId: 'b' } },
      422,
      { code: 'InvalidXml', details: { reason: 'element-not-found' } },
    ],
    [
      'of XML by a type without its element',
      { file: inJson(XML), xmlSignatureOptions: { type: 'XmlElement' } },
      400,
      {},
    ],
    [
      'of XML by an element, as a CMS',
      { file: inJson(XML), signatureType: 'Cms', xmlSignatureOptions: { elementToSignId: 'a' } },
      422,
      { code: 'OptionNotSupported', details: { option: 'xmlSignatureOptions' } },
    ],
    [
      'of a PDF apart from its signature, as a PDF',
      { signatureType: 'Pdf', cmsSignatureOptions: { detached: true } },
      422,
      { code: 'OptionNotSupported', details: { option: 'cmsSignatureOptions' } },
    ],
    ...(['Cms', 'Xml'] as const).map((signatureType): [string, object, number, object] => [
      `with a look, as ${signatureType}`,
      { file: inJson(XML), signatureType, pdfSignatureOptions: { visualRepresentation: LOOK } },
      422,
      { code: 'OptionNotSupported', details: { option: 'pdfSignatureOptions.visualRepresentation' } },
    ]),
    [
      'of XML by an element, where a document type keeps it from being signed as XML',
      { file: inJson(`<!DOCTYPE lote>${XML}`), xmlSignatureOptions: { elementToSignId: 'a' } },
      422,
      { code: 'InvalidXml' },
    ],
    [
      'of XML beside its root',
      {
        file: inJson(XML),
        xmlSignatureOptions: { signatureElementLocation: { xPath: '/*', insertionOption: 'AppendSibling' } },
      },
      422,
      { code: 'InvalidXml', details: { reason: 'outside-root' } },
    ],
    [
      'of XML that is none',
      { file: inJson('<a>'), signatureType: 'Xml' },
      422,
      { code: 'InvalidXml', details: { reason: 'malformed' } },
    ],
    [
      'with a key that was not given out',
      { file: inJson(CONTENT), documentKey: 'ABCD-EFGH-JKLM-NPQR' },
      422,
      { code: 'EntityNotFound' },
    ],
  ])('are refused %s', async (_, options, status, body) => {
    const base = {
      certificate: { content: ana.certificate.der.toString('base64') },
      securityContextId: SANDBOX_CONTEXT,
      ...(status === 422 && !('file' in options) && { file: inJson(pdf) }),
    };
    expect(await ask(prepare, { ...base, ...options })).toMatchObject({ status, ...body });
  });

  test('a detached CMS is not signed without its data', async () => {
    const request = { file: inJson(CONTENT), signatureType: 'Cms', cmsSignatureOptions: { detached: true } };
    const cms = await bytesOf(await signed(other, request));
    const again = { file: inJson(cms), signatureType: 'Cms' };
    expect(await preparing(ana, again)).toMatchObject({ status: 422, code: 'MissingDataHash' });
    const wrong = { ...again, cmsSignatureOptions: { dataFile: inJson('other') } };
    expect(await preparing(ana, wrong)).toMatchObject({ status: 422, code: 'BadDigest' });
  });
});
