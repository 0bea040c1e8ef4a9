import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { maxFileJsonBytes } from '../../files/limits.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { INSPECTION_CODES } from '../codes.ts';
import { OpenPadesResponse, OpenSignatureRequest } from '../contract.ts';
import { openSignature } from '../domain/inspection-models.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/PadesSignatures/Open',
    summary: 'Read the signatures of a PDF (earlier generation)',
    description: 'Reads the signatures of the file, and validates them where `validate` asks for it.',
    body: jsonBody(OpenSignatureRequest),
    maxBodyBytes: maxFileJsonBytes,
    answers: { 200: OpenPadesResponse },
    refuses: INSPECTION_CODES,
    permission: SIGNATURES,
  },
  async ({ caller, body }) => {
    const { signers, auditPackage, bStamp } = await openSignature(caller, 'PAdES', body, Date.now());
    return { signers, auditPackage, bStamp };
  },
);
