import * as z from 'zod';
import { takesNeutral } from '../../../../shared/http/unknown-fields.ts';
import { DOCUMENT_STATUSES } from '../documents.ts';
import { AGENT, CODE, DIGEST, DOCUMENT_ID, UPDATED, UPLOAD_ID, VALID } from '../examples.ts';
import { AuthorModel, MediaType, orNull } from '../fields.ts';
import { EvidencesModel } from './electronic.ts';
import { ValidationResultsModel } from './signing.ts';

const SignerTimestamp = z.object({
  displayName: z.string().nullable(),
  genTime: z.iso.datetime().nullable(),
  validityStart: z.iso.datetime().nullable(),
  validityEnd: z.iso.datetime().nullable(),
});

const SIGNER = {
  subjectName: 'Ana Souza',
  emailAddress: 'ana@sandbox.example',
  issuerName: 'AC SINETE SANDBOX',
  identifier: '52998224725',
  companyName: null,
  companyIdentifier: null,
  isElectronic: false,
  signatureType: null,
  isTimestamp: false,
  isSeal: false,
  signingTime: UPDATED,
  certificateThumbprint: DIGEST,
  validityStart: '2026-01-01T00:00:00.000Z',
  validityEnd: '2027-01-01T00:00:00.000Z',
  evidences: null,
  attributeCertificates: [],
  signatureTimestamps: [],
  archiveTimestamps: [],
  outcome: 'valid',
  validationResults: VALID,
};

/** Who made one signature of a file, and whether it is valid. */
export const SignerModel = z
  .object({
    subjectName: z.string().nullable().describe('The holder of the certificate; null where it has none.'),
    emailAddress: z.string().nullable(),
    issuerName: z.string().nullable(),
    identifier: z.string().nullable().describe('The CPF; masked where the code is the credential.'),
    companyName: z.string().nullable(),
    companyIdentifier: z.string().nullable(),
    isElectronic: z.boolean().describe('Without a certificate: `evidences` says what is known of it.'),
    signatureType: z
      .literal('Simple')
      .nullable()
      .describe(
        'Of an electronic signature: its kind by Lei 14.063/2020, art. 4. Null where a certificate signed.',
      ),
    isTimestamp: z.boolean().describe('A timestamp over the document, and nobody’s signature.'),
    isSeal: z
      .boolean()
      .describe(
        'The seal of an organization over electronic signatures, and no signature of one of the people.',
      ),
    signingTime: z.iso.datetime().nullable().describe('Proven by a timestamp, or else as the signer says.'),
    certificateThumbprint: z.base64().nullable().describe('SHA-256.'),
    validityStart: z.iso.datetime().nullable(),
    validityEnd: z.iso.datetime().nullable(),
    evidences: EvidencesModel.nullable(),
    attributeCertificates: z.array(z.null()),
    signatureTimestamps: z.array(SignerTimestamp),
    archiveTimestamps: z.array(SignerTimestamp),
    outcome: z.string().describe('As in the report of POST /api/verification.'),
    validationResults: ValidationResultsModel,
  })
  .meta({ description: 'Who made one signature, and whether it is valid.', examples: [SIGNER] });

export const Signers = z
  .array(SignerModel)
  .meta({ description: 'The signatures of a file, in their order.', examples: [[SIGNER]] });

export const SignaturesInfo = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    filename: z.string(),
    mimeType: z.string(),
    createdBy: AuthorModel.nullable().describe('Null where the code is the credential.'),
    status: z.enum(DOCUMENT_STATUSES),
    isConcluded: z.boolean(),
    isFile: z.literal(true),
    isEnvelope: z.boolean(),
    creationDate: z.iso.datetime(),
    updateDate: z.iso.datetime(),
    type: z.null(),
    signatureType: z.literal('None'),
    securityContext: z.null(),
    signers: Signers,
  })
  .meta({
    description: 'A document, and the verdict on each signature of its file.',
    examples: [
      {
        ...{
          id: DOCUMENT_ID,
          key: CODE,
          name: 'contract',
          filename: 'contract.pdf',
          mimeType: 'application/pdf',
        },
        ...{ createdBy: AGENT, status: 'Concluded', isConcluded: true, isFile: true, isEnvelope: false },
        ...{ creationDate: '2026-03-02T12:00:00.000Z', updateDate: UPDATED, type: null },
        ...{ signatureType: 'None', securityContext: null, signers: [SIGNER] },
      },
    ],
  });

export const CodeKeyParams = z.object({
  key: z
    .string()
    .min(1)
    .max(200)
    .meta({
      description: 'The code on the evidence page of a document, in any case, with or without hyphens.',
      examples: [CODE],
    }),
});

export const ValidateSignatures = takesNeutral(
  z
    .object({
      fileId: z.uuid().describe('Of an upload. It is not used up by this.'),
      mimeType: orNull(MediaType).describe('The bytes decide what the file is.'),
    })
    .meta({
      description: 'The upload whose signatures are validated.',
      examples: [{ fileId: UPLOAD_ID, mimeType: 'application/pdf' }],
    }),
  { signatureType: ['None'] },
);
