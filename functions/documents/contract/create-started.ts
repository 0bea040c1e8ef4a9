import * as z from 'zod';
import { takesNeutral } from '../../../shared/http/unknown-fields.ts';
import { CREATION_FIELDS, CreatedDocument, limitPeople, NEUTRAL_OPTIONS } from './create-document.ts';
import { BASE64, DIGEST, DOCUMENT_ID, SIGNER_REQUEST, TICKET, UPLOAD_ID, VALID } from './examples.ts';
import { line, MediaType, orNull } from './fields.ts';
import { SignatureStarted, StartSignature } from './signing/signing.ts';

export const CreateStarted = takesNeutral(
  z
    .object({
      file: z.object({
        bytes: z.base64().describe('The file, base64.'),
        displayName: orNull(line(255)),
        name: orNull(line(255)),
        contentType: orNull(MediaType),
      }),
      // A new flow has no ids yet.
      signature: StartSignature.omit({ flowActionId: true }),
      ...CREATION_FIELDS,
    })
    .superRefine(limitPeople)
    .meta({
      description: 'A file, the flow of its document, and the certificate that is to sign it.',
      examples: [
        {
          file: { bytes: 'JVBERi0xLjcK', displayName: 'contract', name: 'contract.pdf' },
          flowActions: [SIGNER_REQUEST],
          signature: { certificate: BASE64 },
        },
      ],
    }),
  NEUTRAL_OPTIONS,
);
export type CreateStarted = z.output<typeof CreateStarted>;

export const CreatedStarted = z
  .object({
    document: CreatedDocument.nullable().describe(
      'Null when the signature is not started: nothing is created.',
    ),
    signature: SignatureStarted,
  })
  .meta({
    description: 'The new document, and what the private key must sign, or why the certificate may not.',
    examples: [
      {
        document: { uploadId: UPLOAD_ID, documentId: DOCUMENT_ID, attachments: [] },
        signature: {
          success: true,
          token: TICKET,
          toSignHash: DIGEST,
          toSignData: 'MYGVMBgGCSqGSIb3DQEJAw==',
          digestAlgorithm: 'SHA256',
          validationResults: VALID,
        },
      },
    ],
  });
