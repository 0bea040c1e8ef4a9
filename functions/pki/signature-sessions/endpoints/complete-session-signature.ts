import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CompleteSignatureRequest } from '../../signatures/contract.ts';
import { DocumentParams } from '../contract/documents.ts';
import { CompleteSignatureResponse } from '../contract/signatures.ts';
import { completeSignature } from '../domain/complete-signature.ts';
import {
  BY_TOKEN,
  COMPLETE_CODES,
  SIGNATURE_SESSIONS,
  SIGNER_CODES,
  signatureSession,
  tokenIn,
} from '../service.ts';

// A signature value. The token is looked at after the body: a stranger may send it.
const MAX_BODY_BYTES = 16_384;

export const handler = signatureSession.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/documents/{documentId}/signature/completion',
    summary: 'Complete the signature of a document',
    description:
      'Takes the signature value of the private key. The last document completes the session. For the person: needs X-Signature-Session-Token.',
    params: DocumentParams,
    body: jsonBody(CompleteSignatureRequest),
    maxBodyBytes: () => MAX_BODY_BYTES,
    answers: { 200: CompleteSignatureResponse },
    refuses: [...SIGNER_CODES, ...COMPLETE_CODES],
    credentials: BY_TOKEN,
    permission: SIGNATURE_SESSIONS,
  },
  ({ caller, params, body, headers }) =>
    completeSignature(caller, { ...params, ...body, token: tokenIn(headers) }, Date.now()),
);
