import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { maxFileJsonBytes } from '../../files/limits.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { INSPECTION_CODES } from '../codes.ts';
import { OpenCadesResponse, OpenSignatureRequest } from '../contract.ts';
import { openSignature } from '../domain/inspection-models.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/CadesSignatures/Open',
    summary: 'Read the signatures of a CMS (earlier generation)',
    description:
      'Reads the signatures of the file, and validates them where `validate` asks for it. A detached CMS needs `dataHashes`.',
    body: jsonBody(OpenSignatureRequest),
    maxBodyBytes: maxFileJsonBytes,
    answers: { 200: OpenCadesResponse },
    refuses: [...INSPECTION_CODES, 'MissingDataHash'],
    permission: SIGNATURES,
  },
  ({ caller, body }) => openSignature(caller, 'CAdES', body, Date.now()),
);
