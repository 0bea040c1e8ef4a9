import { expect, test } from 'vitest';
import type * as z from 'zod';
import { AllocateDocumentKeyRequest } from '../../../functions/pki/documents/contract.ts';
import { handler as allocate } from '../../../functions/pki/documents/endpoints/allocate-document-key.ts';
import * as earlier from '../../../functions/pki/earlier/contract.ts';
import { handler as cades } from '../../../functions/pki/earlier/endpoints/start-cades-signature.ts';
import { handler as cadesV2 } from '../../../functions/pki/earlier/endpoints/start-cades-signature-v2.ts';
import { handler as cadesV3 } from '../../../functions/pki/earlier/endpoints/start-cades-signature-v3.ts';
import { handler as fullXml } from '../../../functions/pki/earlier/endpoints/start-full-xml-signature.ts';
import { handler as pades } from '../../../functions/pki/earlier/endpoints/start-pades-signature.ts';
import { handler as padesV2 } from '../../../functions/pki/earlier/endpoints/start-pades-signature-v2.ts';
import { handler as xmlElement } from '../../../functions/pki/earlier/endpoints/start-xml-element-signature.ts';
import * as inspection from '../../../functions/pki/inspection/contract.ts';
import { handler as inspect } from '../../../functions/pki/inspection/endpoints/inspect-signature.ts';
import { handler as openCades } from '../../../functions/pki/inspection/endpoints/open-cades-signature.ts';
import { handler as openPades } from '../../../functions/pki/inspection/endpoints/open-pades-signature.ts';
import { handler as openXml } from '../../../functions/pki/inspection/endpoints/open-xml-signature-v2.ts';
import { PrepareSignatureRequest } from '../../../functions/pki/signatures/contract.ts';
import { handler as prepare } from '../../../functions/pki/signatures/endpoints/prepare-signature.ts';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../requests/http-event.ts';
import { forFile } from '../../runner/for-file.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';
import { authenticationStage } from './authentication/stage.ts';
import { base64, bytesOf, CONTENT, inJson, signed, XML } from './signatures/stage.ts';

// Typed clients send every field of their model. So each optional field of a request may be absent, null, or what a
// model has by default; a value of another kind is refused and never dropped.

const stage = await forFile(authenticationStage());
const ana = stage.holder();
const plain = await plainPdf('table');
const [pdf, cms, xml] = await Promise.all(
  [plain, CONTENT, XML].map(async (bytes) => bytesOf(await signed(ana, { file: inJson(bytes) }))),
);

const certificate = base64(ana.certificate.der);
const byPolicy = (signaturePolicyId: string) => ({ certificate, signaturePolicyId });
const PADES = byPolicy('78d20b33-014d-440e-ad07-929f05d00cdf');
const CADES = byPolicy('a4522485-c9e5-46c3-950b-0d6e951e17d1');
const XADES = byPolicy('1beba282-d1b6-4458-8e46-bd8ad6800b54');
const FILE = inJson(CONTENT);
const opened = (bytes: Buffer | undefined) => ({ file: inJson(bytes ?? '') });

const ROWS: Record<string, [Endpoint, z.ZodObject, object]> = {
  'POST /api/signature': [
    prepare,
    PrepareSignatureRequest,
    { file: FILE, certificate: { content: certificate } },
  ],
  'POST /Api/PadesSignatures': [
    pades,
    earlier.PadesSignaturePostRequest,
    { ...PADES, pdfToSign: base64(plain) },
  ],
  'POST /Api/v2/PadesSignatures': [
    padesV2,
    earlier.PadesSignaturePostRequestV2,
    { ...PADES, pdfToSign: inJson(plain) },
  ],
  'POST /Api/CadesSignatures': [
    cades,
    earlier.CadesSignaturePostRequest,
    { ...CADES, contentToSign: base64(CONTENT) },
  ],
  'POST /Api/v2/CadesSignatures': [
    cadesV2,
    earlier.CadesSignaturePostRequestV2,
    { ...CADES, contentToSign: base64(CONTENT) },
  ],
  'POST /Api/v3/CadesSignatures': [
    cadesV3,
    earlier.CadesSignaturePostRequestV3,
    { ...CADES, fileToSign: { content: base64(CONTENT) } },
  ],
  'POST …/FullXmlSignature': [fullXml, earlier.FullXmlSignaturePostRequest, { ...XADES, xml: base64(XML) }],
  'POST …/XmlElementSignature': [
    xmlElement,
    earlier.XmlElementSignaturePostRequest,
    { ...XADES, xml: base64(XML), elementToSignId: 'a' },
  ],
  'PUT /api/signature-inspection': [inspect, inspection.InspectSignatureRequest, opened(pdf)],
  'POST /Api/PadesSignatures/Open': [openPades, inspection.OpenSignatureRequest, opened(pdf)],
  'POST /Api/CadesSignatures/Open': [openCades, inspection.OpenSignatureRequest, opened(cms)],
  'POST /Api/v2/XmlSignatures/Open': [openXml, inspection.OpenSignatureRequest, opened(xml)],
  'POST /api/document-keys': [allocate, AllocateDocumentKeyRequest, {}],
};

/** What a model has in a field that nobody set, beside null. */
const DEFAULTS: Readonly<Record<string, readonly unknown[]>> = {
  securityContextId: ['', SANDBOX_CONTEXT],
  callbackArgument: [''],
  ignoreRevocationStatusUnknown: [false],
  documentKey: [''],
  pdfSignatureOptions: [
    { measurementUnits: 'Centimeters', visualRepresentation: null, convertToPdfA: false },
  ],
  cmsSignatureOptions: [{}, { detached: false, dataFile: null, dataHashes: [] }],
  reason: [''],
  certificationLevel: ['NotCertified'],
  dataHashes: [[]],
  idResolutionTable: [{ includeXmlIdAttribute: null, elementIdAttributes: [], globalIdAttributes: [] }],
  validate: [false],
  extractEncapsulatedContent: [false],
  defaultSignaturePolicyId: [''],
  provisionalMetadata: [{}],
};
// No field is a list of lists.
const WRONG = [[1]];

test.each(Object.entries(ROWS))('%s takes its optional fields as clients send them', async (route, row) => {
  const [endpoint, { shape }, request] = row;
  const method = route.startsWith('PUT') ? 'PUT' : 'POST';
  const statusWith = async (more: object) => {
    const json = { ...request, ...more };
    return (await call(endpoint, { method, json, headers: { 'X-API-Key': SANDBOX_KEY } })).status;
  };
  const optional = Object.keys(shape).filter(
    (field) => (shape[field] as z.ZodType).safeParse(null).success && !Object.hasOwn(request, field),
  );
  expect(optional.length).toBeGreaterThan(0);
  expect(await statusWith(Object.fromEntries(optional.map((field) => [field, null])))).toBe(200);
  for (const field of optional) {
    for (const value of [undefined, ...(DEFAULTS[field] ?? [])])
      expect([field, value, await statusWith({ [field]: value })]).toEqual([field, value, 200]);
    expect([field, await statusWith({ [field]: WRONG })]).toEqual([field, 400]);
  }
});
