import { multipartBody } from '../../../shared/http/body/multipart.ts';
import { jsonBody, oneOf } from '../../../shared/http/body/reader.ts';
import { Accepted, DOCUMENT_FORM, SignDocument } from '../contract.ts';
import { signDocument } from '../domain/signing/sign-document.ts';
import { maxEncodedBytes, readDocument } from '../http/signature-form.ts';
import { session } from '../service.ts';
import { settings } from '../settings.ts';

/** 202 once the document is at the signature service: accepted, not yet signed. The fetch gives the outcome. */
export const handler = session.endpoint(
  {
    route: 'POST /v1/signatures',
    summary: 'Sign a PDF under a session',
    description:
      'Takes JSON with the PDF in base64, or a form; `uploadId` in either names a PDF that was put by a link. 202 means accepted, not signed: fetch the document for the outcome.',
    tag: 'signatures',
    body: oneOf(
      jsonBody(SignDocument),
      multipartBody({
        maxFiles: () => 1,
        maxFileBytes: () => settings['Signing:MaxDocumentBytes'],
        schema: DOCUMENT_FORM,
      }),
    ),
    maxBodyBytes: () => maxEncodedBytes(settings['Signing:MaxDocumentBytes']),
    answers: { 202: Accepted },
    refuses: [
      'INVALID_DOCUMENT',
      'UNSUPPORTED_DOCUMENT',
      'DOCUMENT_TOO_LARGE',
      'UPLOAD_NOT_FOUND',
      'UPLOAD_INCOMPLETE',
      'UPLOAD_ALREADY_USED',
      'SESSION_EXPIRED',
      'CERT_NOT_FOUND',
      'CERT_NOT_ACTIVE',
      'CERT_DATA_UNAVAILABLE',
      'CERT_INCOMPLETE_IDENTITY',
      'PIN_NOT_AVAILABLE',
      'WORKSTATION_OFFLINE',
      'SIGNER_REJECTED',
      'SIGNER_ERROR',
      'SIGN_TIMEOUT',
    ],
    once: true,
    streams: true,
  },
  async ({ body, caller, once, correlationId, startedAtMs, deadlineAtMs: hostDeadlineAtMs }) => {
    const given = await readDocument(body);
    const request = { ...given, correlationId, startedAtMs, hostDeadlineAtMs };
    return once(given, () => signDocument(caller, request, () => Date.now()));
  },
);
