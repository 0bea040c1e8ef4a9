import { multipartBody } from '../../../shared/http/body/multipart.ts';
import { json } from '../../../shared/http/response/answer.ts';
import { BATCH_FORM, BatchAccepted } from '../contract.ts';
import { signBatch } from '../domain/signing/sign-batch.ts';
import { readForm } from '../http/signature-form.ts';
import { session } from '../service.ts';
import { settings } from '../settings.ts';

export const handler = session.endpoint(
  {
    route: 'POST /v1/signatures/batch',
    summary: 'Sign several PDFs under a session',
    description:
      'Each document succeeds or fails by itself: read `results`, not the status code. A batch counts as one call for limits.',
    tag: 'signatures',
    body: multipartBody({
      maxFiles: () => settings['Signing:MaxBatchItems'],
      maxFileBytes: () => settings['Signing:MaxDocumentBytes'],
      schema: BATCH_FORM,
    }),
    answers: { 202: BatchAccepted },
    refuses: [
      'INVALID_DOCUMENT',
      'SESSION_EXPIRED',
      'CERT_NOT_FOUND',
      'CERT_NOT_ACTIVE',
      'CERT_DATA_UNAVAILABLE',
      'CERT_INCOMPLETE_IDENTITY',
      'PIN_NOT_AVAILABLE',
      'WORKSTATION_OFFLINE',
      'SIGN_TIMEOUT',
    ],
    streams: true,
  },
  async ({ body, caller, correlationId, startedAtMs, deadlineAtMs: hostDeadlineAtMs }) => {
    const request = {
      parts: readForm(body, 'files', settings['Signing:MaxBatchItems']),
      correlationId,
      startedAtMs,
      hostDeadlineAtMs,
    };
    return json(await signBatch(caller, request, () => Date.now()), { status: 202 });
  },
);
