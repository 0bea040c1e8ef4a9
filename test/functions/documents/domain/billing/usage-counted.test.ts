import { expect, test } from 'vitest';
import { monthOf, storageOf, usageOf } from '../../../../../functions/documents/domain/billing/usage.ts';
import { handler as createDocuments } from '../../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as deleteDocument } from '../../../../../functions/documents/endpoints/documents/delete-document.ts';
import { handler as createUpload } from '../../../../../functions/documents/endpoints/uploads/create-upload-from-bytes.ts';
import type { Endpoint } from '../../../../../shared/http/endpoint.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { asApplication, sign } from '../../endpoints/signing/calls.ts';
import { approver, signedBytes, signer } from '../../endpoints/signing/pending-document.ts';
import { signingStage } from '../../endpoints/signing/stage.ts';

const CPF = '52998224725';

const stage = await forFile(signingStage());

async function ask<T>(endpoint: Endpoint, json: unknown): Promise<T> {
  const answer = await call(endpoint, { json, headers: { 'X-API-Key': stage.key } });
  expect(answer.status).toBe(200);
  return answer.json() as T;
}

const used = async () => ({
  ...(await usageOf(stage.orgId, monthOf(Date.now()))),
  bytes: await storageOf(stage.orgId),
});

test('documents, signatures, approvals and bytes are counted as they come, and bytes freed as they go', async () => {
  const pdf = await plainPdf('table');
  const { id: uploadId } = await ask<{ id: string }>(createUpload, { bytes: pdf.toString('base64') });
  expect(await used()).toEqual({ Document: 0, Signature: 0, ElectronicSignature: 0, Approval: 0, bytes: 0 });

  const flowActions = [signer(CPF), approver('rui@example.com')];
  const [made] = await ask<{ documentId: string }[]>(createDocuments, {
    files: [{ id: uploadId }],
    flowActions,
  });
  const document = { id: made?.documentId ?? '' };
  expect(await used()).toEqual({
    Document: 1,
    Signature: 0,
    ElectronicSignature: 0,
    Approval: 0,
    bytes: pdf.length,
  });

  expect((await sign(stage.key, document, stage.holder(CPF))).status).toBe(200);
  const bytes = pdf.length + (await signedBytes(document)).length;
  expect(await used()).toEqual({ Document: 1, Signature: 1, ElectronicSignature: 0, Approval: 0, bytes });

  await asApplication(stage.key)('approve', document, { emailAddress: 'rui@example.com' });
  expect(await used()).toEqual({ Document: 1, Signature: 1, ElectronicSignature: 0, Approval: 1, bytes });

  await call(deleteDocument, { method: 'DELETE', params: document, headers: { 'X-API-Key': stage.key } });
  expect(await used()).toEqual({ Document: 1, Signature: 1, ElectronicSignature: 0, Approval: 1, bytes: 0 });
});
