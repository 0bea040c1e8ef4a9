import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { FileModel } from '../../files/contract.ts';
import { maxFileJsonBytes } from '../../files/limits.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { INSPECTION_CODES } from '../codes.ts';
import { RequiredHashesResponse } from '../contract.ts';
import { requiredHashes } from '../domain/inspection-models.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/CadesSignatures/RequiredHashes',
    summary: 'List the digests that a CMS needs of its data (earlier generation)',
    description: 'Takes the CMS. Send these digests of its data as `dataHashes`.',
    body: jsonBody(FileModel),
    maxBodyBytes: maxFileJsonBytes,
    answers: { 200: RequiredHashesResponse },
    refuses: INSPECTION_CODES,
    permission: SIGNATURES,
  },
  ({ caller, body }) => requiredHashes(caller, body, Date.now()),
);
