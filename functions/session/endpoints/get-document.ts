import { fileOf } from '../../../shared/http/declaration.ts';
import { file } from '../../../shared/http/response/answer.ts';
import { SignatureParams } from '../contract.ts';
import { fetchDocument } from '../domain/signing/fetch-document.ts';
import { session } from '../service.ts';

/** Any accepted key may fetch a document whose id it knows. */
export const handler = session.endpoint(
  {
    route: 'GET /v1/signatures/{signatureId}/document',
    summary: 'Fetch a signed PDF',
    description:
      'Answers the signed file. DOCUMENT_NOT_READY means that it is still being signed: ask again.',
    tag: 'signatures',
    params: SignatureParams,
    answers: { 200: fileOf('application/pdf') },
    refuses: ['DOCUMENT_NOT_READY', 'DOCUMENT_UNAVAILABLE', 'DOCUMENT_NOT_FOUND', 'SIGNER_ERROR'],
    streams: true,
  },
  async ({ params: { signatureId }, deadlineAtMs }) => {
    const document = await fetchDocument(signatureId, { atMs: deadlineAtMs, now: () => Date.now() });
    return file(document, 'application/pdf', { name: `${signatureId}.pdf` });
  },
);
