import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { DocumentParams } from '../contract/documents.ts';
import { StartSignatureRequest, StartSignatureResponse } from '../contract/signatures.ts';
import { startSignature } from '../domain/start-signature.ts';
import {
  BY_TOKEN,
  SIGNATURE_SESSIONS,
  SIGNER_CODES,
  START_CODES,
  signatureSession,
  tokenIn,
} from '../service.ts';

// The longest certificate. The token is looked at after the body: a stranger may send it.
const MAX_BODY_BYTES = 131_072;
const MAX_VALUES = 1_000;

export const handler = signatureSession.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/documents/{documentId}/signature',
    summary: 'Start the signature of a document',
    description:
      'Checks the certificate and answers what its private key must sign. For the person: needs X-Signature-Session-Token.',
    params: DocumentParams,
    body: jsonBody(StartSignatureRequest, { maxValues: MAX_VALUES }),
    maxBodyBytes: () => MAX_BODY_BYTES,
    answers: { 200: StartSignatureResponse },
    refuses: [...SIGNER_CODES, ...START_CODES],
    credentials: BY_TOKEN,
    permission: SIGNATURE_SESSIONS,
  },
  ({ caller, params, body, headers }) =>
    startSignature(caller, { ...params, ...body, token: tokenIn(headers) }, Date.now()),
);
