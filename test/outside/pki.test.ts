import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Json, openService, type Service } from './support/contract.ts';
import { returnUrlOf } from './support/engine.ts';
import { showFace } from './support/face.ts';
import { file, form, pdf } from './support/files.ts';
import { type Holder, holder } from './support/holders.ts';
import { sharedEngine } from './support/shared-engine.ts';

const CPF = '52998224725';
// By whose roots certificates are judged: the sandbox's. And policies that need no file of an operator.
const securityContextId = '803517ad-3bbc-4169-b085-60053a8f6dbf';
const POLICIES = {
  pades: '78d20b33-014d-440e-ad07-929f05d00cdf',
  cades: 'a4522485-c9e5-46c3-950b-0d6e951e17d1',
  xades: '1beba282-d1b6-4458-8e46-bd8ad6800b54',
};
const { url, folder, applications } = sharedEngine();
const [first, second] = applications;

let pki: Service;
let maria: Holder;
beforeAll(async () => {
  pki = await openService(url, 'pki', first?.keys.pki ?? '');
  maria = await holder(folder, CPF, '1234');
});

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const signatureOf = (data: string) => maria.sign(Buffer.from(data, 'base64'));
const get = async (location: string) => Buffer.from(await (await fetch(location)).arrayBuffer());

describe('the PKI core', () => {
  test('is healthy', async () => {
    expect((await pki.call('getHealth', { key: null })).json).toEqual({ status: 'ok' });
    await pki.call('getOpenapi', { key: null });
    expect((await pki.call('getSystemInfo', { key: null })).json.productVersion).toMatch(/^\d+\.\d+/);
  });

  describe('logs in', () => {
    test('the holder of a certificate', async () => {
      const { state, toSign } = (await pki.call('prepareAuthentication', { body: { securityContextId } }))
        .json;
      const body = { state, certificate: maria.certificate, signature: signatureOf(toSign.data) };
      const { success, certificate } = (await pki.call('completeAuthentication', { body })).json;
      expect([success, certificate.pkiBrazil.cpf]).toEqual([true, CPF]);
      const again = await pki.call('completeAuthentication', { body, expect: 422 });
      expect(again.json.code).toBe('NonceAlreadyUsed');
    });

    test('by the operations of the earlier generation', async () => {
      const { nonce } = (await pki.call('getAuthentication')).json;
      const proof = { certificate: maria.certificate, signature: signatureOf(nonce) };
      const body = { nonce, ...proof, securityContextId };
      expect((await pki.call('authenticate', { body })).json.validationResults.errors).toEqual([]);

      const started = (await pki.call('startAuthentication', { body: { securityContextId } })).json;
      const path = { token: started.token };
      const submitted = { certificate: maria.certificate, signature: signatureOf(started.toSignData) };
      await pki.call('submitSignedBytes', { path, body: submitted });
      const { validationResults } = (await pki.call('finalizeAuthentication', { path })).json;
      expect(validationResults.errors).toEqual([]);
    });
  });

  describe('signs by API', () => {
    let document: Json;

    test('a file in two calls, whose document it keeps', async () => {
      const body = {
        file: { name: 'contract.pdf', mimeType: 'application/pdf', content: base64(pdf('two calls')) },
        certificate: { content: maria.certificate },
        securityContextId,
      };
      const { success, state, toSign } = (await pki.call('prepareSignature', { body })).json;
      expect(success).toBe(true);
      const signature = signatureOf(toSign.data);
      document = (await pki.call('finishSignature', { body: { state, signature } })).json;
      const signed = await get(document.signedFile.location);
      expect(signed.includes('/ByteRange')).toBe(true);

      const inspected = await pki.call('inspectSignature', {
        body: { file: { content: base64(signed) }, validate: true, securityContextId },
      });
      expect(inspected.json.signers[0].validationResults.errors).toEqual([]);
    });

    test('shows the document to its application and to no other', async () => {
      const path = { id: document.id };
      expect((await pki.call('getDocument', { path })).json.key).toBe(document.key);
      expect((await pki.call('getDocumentSigners', { path })).json).toHaveLength(1);
      const byKey = await pki.call('getDocumentByKey', { path: { key: document.key } });
      expect(byKey.json.found).toBe(true);
      await pki.call('getDocument', { path, key: second?.keys.pki ?? '', expect: 422 });
    });

    const start = () => ({ certificate: maria.certificate, securityContextId });
    // Of each start: where its signature goes, and what must be in the file.
    const EARLIER = [
      [
        'startPadesSignature',
        () => ({ signaturePolicyId: POLICIES.pades, pdfToSign: base64(pdf('a')) }),
        'submitPadesSignature',
      ],
      [
        'startPadesSignatureV2',
        () => ({ signaturePolicyId: POLICIES.pades, pdfToSign: { content: base64(pdf('b')) } }),
        'submitPadesSignatureV2',
      ],
      [
        'startCadesSignature',
        () => ({ signaturePolicyId: POLICIES.cades, contentToSign: base64('c') }),
        'submitCadesSignature',
      ],
      [
        'startCadesSignatureV2',
        () => ({ signaturePolicyId: POLICIES.cades, contentToSign: base64('d') }),
        'submitCadesSignatureV2',
      ],
      [
        'startCadesSignatureV3',
        () => ({ signaturePolicyId: POLICIES.cades, fileToSign: { content: base64('e') } }),
        'submitCadesSignatureV2',
      ],
      [
        'startFullXmlSignature',
        () => ({ signaturePolicyId: POLICIES.xades, xml: base64('<a/>') }),
        'submitXmlSignature',
      ],
      [
        'startXmlElementSignature',
        () => ({
          signaturePolicyId: POLICIES.xades,
          xml: base64('<r><a Id="b"/></r>'),
          elementToSignId: 'b',
        }),
        'submitXmlSignature',
      ],
    ] as const;
    const FINALIZE: Record<string, string> = {
      submitPadesSignature: 'finalizePadesSignature',
      submitCadesSignature: 'finalizeCadesSignature',
      submitXmlSignature: 'finalizeXmlSignature',
    };

    test.each(EARLIER)('by %s of the earlier generation', async (operation, request, submit) => {
      const { token, toSignData } = (await pki.call(operation, { body: { ...start(), ...request() } })).json;
      const path = { token };
      const answered = await pki.call(submit, { path, body: { signature: signatureOf(toSignData) } });
      const { signedPdf, cms, signedXml, signatureFile } = answered.json;
      const content: string = signedPdf ?? cms ?? signedXml ?? signatureFile.content;
      const [open, signers] = submit.includes('Pades')
        ? ['openPadesSignature', 'signers']
        : submit.includes('Cades')
          ? ['openCadesSignature', 'signers']
          : ['openXmlSignatureV2', 'signatures'];
      const body = { file: { content }, validate: true, securityContextId };
      const opened = (await pki.call(open, { body })).json;
      expect(opened[signers][0].validationResults.errors).toEqual([]);
      const finalize = FINALIZE[submit];
      if (finalize) await pki.call(finalize, { path });
      if (open === 'openXmlSignatureV2') await pki.call('openXmlSignature', { body });
      if (open === 'openCadesSignature') await pki.call('getRequiredHashes', { body: { content } });
    });
  });

  describe('works on files', () => {
    test('uploads in one part and in several', async () => {
      const plain = await pki.call('uploadPlain', {
        body: form({ file: file(pdf('plain'), 'plain.pdf', 'application/pdf') }),
      });
      expect(plain.json.length).toBe(pdf('plain').length);

      const { blobToken: token } = (await pki.call('beginMultipartUpload')).json;
      const bytes = pdf('in parts');
      const part = await pki.call('uploadPart', { path: { token, partNumber: 0 }, body: bytes });
      const completeMD5 = createHash('md5').update(bytes).digest('base64');
      const body = { partETags: [part.headers.get('etag')], completeMD5 };
      await pki.call('completeMultipartUpload', { path: { token }, body });
      const marked = await pki.call('addPdfMarks', {
        body: {
          file: { blobToken: token },
          marks: [
            {
              container: { left: 1.5, right: 1.5, bottom: 1, height: 2 },
              elements: [{ elementType: 'Text', textSections: [{ text: 'Minuta' }] }],
            },
          ],
          measurementUnits: 'Centimeters',
        },
      });
      expect(Buffer.from(marked.json.file.content, 'base64').length).toBeGreaterThan(bytes.length);
    });

    test('puts a timestamp over a PDF', async () => {
      const { file: stamped } = (
        await pki.call('stampPdf', { body: { file: { content: base64(pdf('stamped')) } } })
      ).json;
      expect(Buffer.from(stamped.content, 'base64').includes('ETSI.RFC3161')).toBe(true);
    });

    test('gives places for signatures', async () => {
      const query = { pageNumber: 1 };
      expect((await pki.call('getFootnotePreset', { query })).json.pageNumber).toBe(1);
      expect((await pki.call('getFootnoteBottomUpPreset', { query })).json.pageNumber).toBe(1);
      expect((await pki.call('getNewPagePreset')).json.pageNumber).toBe(0);
    });

    test('gives out keys of documents to be', async () => {
      const contract = randomUUID();
      const provisionalMetadata = { Contract: [contract] };
      const { key } = (await pki.call('allocateDocumentKey', { body: { provisionalMetadata } })).json;
      await pki.call('allocateDocumentKeys', { body: { count: 2, provisionalMetadata } });
      expect((await pki.call('getDocumentKey', { path: { key } })).json).toMatchObject({
        found: true,
        hasDocument: false,
      });
      const query = { metadataName: 'Contract', metadataValue: contract.toUpperCase() };
      expect((await pki.call('getUnusedDocumentKeys', { query })).json).toHaveLength(3);
    });
  });

  describe('has a session of signatures', () => {
    const open = async (body: object = {}) =>
      (
        await pki.call('createSignatureSession', {
          body: { returnUrl: returnUrlOf(url), securityContextId, ...body },
        })
      ).json;
    const asPerson = ({ sessionId, token }: Json) => ({
      path: { sessionId },
      key: null,
      headers: { 'x-signature-session-token': token },
    });

    test('in which a person signs every document', async () => {
      const documents = [
        { file: { name: 'a.txt', mimeType: 'text/plain', content: base64('I owe you') } },
        { file: { name: 'b.pdf', mimeType: 'application/pdf', content: base64(pdf('b')) } },
      ];
      const session = await open({ documents });
      const person = asPerson(session);
      const { sessionId } = session;
      for (const { documentId } of session.documents) {
        const options = { ...person, path: { sessionId, documentId } };
        const original = await pki.call('getSignatureSessionContent', options);
        expect(original.bytes.length).toBeGreaterThan(5);
        const started = await pki.call('startSessionSignature', {
          ...options,
          body: { certificate: maria.certificate },
        });
        const { state, toSign } = started.json;
        const body = { state, signature: signatureOf(toSign.data) };
        expect((await pki.call('completeSessionSignature', { ...options, body })).json.success).toBe(true);
      }
      const path = { sessionId };
      await expect
        .poll(async () => (await pki.call('awaitSignatureSessionProgress', { path })).json.completed)
        .toBe(true);
      expect((await pki.call('awaitSignatureSession', { path })).json.status).toBe('Completed');
      const documentId = session.documents[1].documentId;
      const signed = await pki.call('getSignatureSessionContent', { path: { sessionId, documentId } });
      expect(signed.bytes.includes('/ByteRange')).toBe(true);
    });

    test('to which documents are added, and which a person cancels', async () => {
      const session = await open();
      const path = { sessionId: session.sessionId };
      const body = { file: { name: 'c.txt', mimeType: 'text/plain', content: base64('added') } };
      await pki.call('addSignatureSessionDocument', { path, body });
      const canceled = await pki.call('cancelSignatureSession', asPerson(session));
      expect(canceled.json.status).toBe('UserCancelled');
      expect((await pki.call('getSignatureSession', { path })).json.status).toBe('UserCancelled');
      await pki.call('getSignatureSession', { path, key: second?.keys.pki ?? '', expect: 422 });
    });
  });

  describe('sees a person before the camera', () => {
    const returnUrl = returnUrlOf(url);

    test.each([
      ['liveness', 'startLiveness', 'completeLiveness'],
      ['enrollment', 'startEnrollment', 'completeEnrollment'],
    ])('in a session of %s', async (kind, start, complete) => {
      const body = { returnUrl, subjectIdentifier: `${randomUUID()}@outside.example` };
      const { sessionId, sessionUrl } = (await pki.call(start, { body })).json;
      const ticket = await showFace(sessionUrl, returnUrl);
      const status = await pki.call('getBioSession', { path: { kind, sessionId } });
      expect(status.json.success).toBe(true);
      expect((await pki.call(complete, { body: { ticket } })).json).toMatchObject({
        sessionId,
        success: true,
      });
      await pki.call(complete, { body: { ticket }, expect: 422 });
    });
  });

  test('was asked for every operation of its contract', () => {
    expect(pki.unplayed()).toEqual([]);
  });
});
