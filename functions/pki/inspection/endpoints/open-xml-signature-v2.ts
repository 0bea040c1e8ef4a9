import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { maxFileJsonBytes } from '../../files/limits.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { INSPECTION_CODES } from '../codes.ts';
import { OpenSignatureRequest, OpenXmlResponseV2 } from '../contract.ts';
import { openXmlSignature } from '../domain/open-xml.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/v2/XmlSignatures/Open',
    summary: 'Read the signatures of XML (earlier generation)',
    description: 'Reads the signatures of the file, and validates them where `validate` asks for it.',
    body: jsonBody(OpenSignatureRequest),
    maxBodyBytes: maxFileJsonBytes,
    answers: { 200: OpenXmlResponseV2 },
    refuses: INSPECTION_CODES,
    permission: SIGNATURES,
  },
  ({ caller, body }) => openXmlSignature(caller, body, Date.now()),
);
