import { describe, expect, test, vi } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { handler } from '../../../../../functions/documents/endpoints/documents/create-started-document.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { ownStores } from '../../../own-stores.ts';
import { ownOrganization } from '../../own-organization.ts';
import { APPROVER, anUpload, SIGNER } from '../../sample-documents.ts';
import { recordedEventsOf, registerSilentWebhook } from '../../stage/recorded-events.ts';
import { storedUploads } from '../../stage/stored-uploads.ts';
import { asApplication, certificateOf, type StartResponse, signatureBy } from '../signing/calls.ts';
import { signingStage } from '../signing/stage.ts';

const CPF = '52998224725';

await forFile(ownStores());
const stage = await forFile(signingStage());
const pdf = await plainPdf('table');

type Made = {
  readonly document: { readonly documentId: string; readonly attachments: readonly unknown[] } | null;
  readonly signature: StartResponse;
};

const requestOf = (more: object = {}, file: object = {}) => ({
  file: { bytes: pdf.toString('base64'), displayName: 'Contract', name: 'contract.pdf', ...file },
  flowActions: [SIGNER],
  signature: { certificate: certificateOf(stage.holder(CPF)) },
  ...more,
});

const post = (key: string, json: object) => call(handler, { headers: { 'X-API-Key': key }, json });
const countOf = async (organizationId: string) =>
  (await documentList({ organizationId }).slice({ offset: 0, limit: 1 })).total;

describe('POST /api/documents/started', () => {
  test('creates a document as the separate calls do, and the answer completes its signature', async () => {
    const { orgId, key } = await ownOrganization();
    await registerSilentWebhook(orgId);
    const attachments = [{ id: await anUpload(orgId) }];
    const answer = await post(key, requestOf({ attachments, tags: ['contract'], description: 'One call' }));
    expect(answer.status).toBe(200);
    const { document, signature } = answer.json() as Made;
    expect(document).toEqual({
      uploadId: expect.any(String),
      documentId: expect.any(String),
      attachments: [{ uploadId: attachments[0]?.id, attachmentId: expect.any(String) }],
    });
    const id = document?.documentId ?? '';
    expect(await documentItems.get(id)).toMatchObject({
      state: 'Pending',
      name: 'Contract',
      format: 'PAdES',
      description: 'One call',
      original: { name: 'contract.pdf', contentType: 'application/pdf', size: pdf.length },
    });
    const value = await signatureBy(stage.holder(CPF), signature);
    const completed = await asApplication(key)(
      'complete',
      { id },
      { token: signature.token, signature: value },
    );
    expect(completed.json()).toMatchObject({ success: true });
    expect((await recordedEventsOf(orgId)).map(({ type }) => type)).toEqual([
      'DocumentsCreated',
      'DocumentSigned',
    ]);
    expect((await storedUploads()).every((state) => state === 'Taken')).toBe(true);
  });

  test('signs XML and other files in their formats', async () => {
    const { key } = await ownOrganization();
    for (const [content, format] of [
      ['<a>1</a>', 'XAdES'],
      ['text', 'CAdES'],
    ] as const) {
      const bytes = Buffer.from(content).toString('base64');
      const { document, signature } = (await post(key, requestOf({}, { bytes, name: 'a' }))).json() as Made;
      const id = document?.documentId ?? '';
      expect((await documentItems.get(id))?.format).toBe(format);
      const value = await signatureBy(stage.holder(CPF), signature);
      const proof = { token: signature.token, signature: value };
      expect((await asApplication(key)('complete', { id }, proof)).json()).toMatchObject({ success: true });
    }
  });

  test('a certificate that may not sign creates nothing, and is told why', async () => {
    const { orgId, key } = await ownOrganization();
    const certificate = stage.root.der.toString('base64');
    const answer = await post(key, requestOf({ signature: { certificate } }));
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { document: null, signature: { success: false, token: null, validationResults: { isValid: false } } },
    ]);
    expect(await countOf(orgId)).toBe(0);
  });

  test.each([
    ['an empty file', {}, { bytes: '' }, 422, 'UploadEmpty'],
    ['a file that cannot be signed', {}, { bytes: btoa('%PDF-1.7 nothing') }, 422, 'DocumentNotSignable'],
    ['a folder that is not there', { folderId: crypto.randomUUID() }, {}, 404, 'FolderNotFound'],
    ['a date that has passed', { expirationDate: '2020-01-01' }, {}, 422, 'InvalidExpirationDate'],
    ['no certificate', { signature: { certificate: 'MIIB' } }, {}, 422, 'CertificateNotFound'],
    [
      'another person',
      { flowActions: [{ type: 'Signer', user: { name: 'Eva', identifier: '47363361886' } }] },
      {},
      422,
      'CpfNotExpected',
    ],
    ['a flow that begins with an approval', { flowActions: [APPROVER] }, {}, 422, 'CpfNotExpected'],
    ['an envelope', { isEnvelope: true }, {}, 422, 'OptionNotSupported'],
    ['no file', { file: undefined }, {}, 400, 'InvalidRequest'],
  ])('%s is refused as by the separate calls, and creates nothing', async (_, more, file, status, code) => {
    const { orgId, key } = await ownOrganization();
    const answer = await post(key, requestOf(more, file));
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([status, code]);
    expect(await countOf(orgId)).toBe(0);
  });

  test('a file over Uploads:MaxBytes is 413 with both sizes', async () => {
    vi.stubEnv('Uploads__MaxBytes', '100');
    const { key } = await ownOrganization();
    const answer = await post(key, requestOf());
    vi.stubEnv('Uploads__MaxBytes', undefined);
    expect([answer.status, answer.json()]).toMatchObject([
      413,
      { code: 'InvalidRequest', details: { limitBytes: '100', actualBytes: String(pdf.length) } },
    ]);
  });
});
