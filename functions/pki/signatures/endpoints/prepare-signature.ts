import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { maxFileJsonBytes } from '../../files/limits.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { PrepareSignatureRequest, PrepareSignatureResponse } from '../contract.ts';
import { prepareSignature } from '../domain/prepare-signature.ts';
import { UNSIGNABLE_CODES } from '../domain/refusals.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/signature',
    summary: 'Start a signature with a key that is elsewhere',
    description:
      'Answers what the private key of the certificate must sign: sign `toSignHash.value`, `toSign.hash` or `toSign.digestInfo`, and send the signature with `state` to /api/signature/completion. A certificate that may not sign, and a PDF that cannot be signed, are answers with `success` false.',
    body: jsonBody(PrepareSignatureRequest),
    maxBodyBytes: maxFileJsonBytes,
    answers: { 200: PrepareSignatureResponse },
    refuses: [
      'OptionNotSupported',
      'SecurityContextNotFound',
      'PKCertificateMalformed',
      'EmptyDocument',
      'InvalidToken',
      'EntityNotFound',
      'EntityAlreadyExists',
      ...UNSIGNABLE_CODES,
    ],
    permission: SIGNATURES,
  },
  ({ caller, body }) => prepareSignature(caller, body, Date.now()),
);
