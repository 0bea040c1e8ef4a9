import * as z from 'zod';
import {
  CertificateModel,
  NameModel,
  PkiBrazilCertificateModel,
  PkiItalyCertificateModel,
  ValidationItemModel,
  ValidationResultsModel,
} from '../../../../shared/pki/model/contract.ts';
import { OUTCOMES, REASONS, VERDICTS } from '../../../../shared/signing/verification/reasons.ts';
import { COVERED_KINDS, ICP_BRASIL_STANDINGS } from '../../../../shared/signing/verification/report-parts.ts';
import { PASSED, SIGNATURE_EXAMPLE, SIGNED, TIMESTAMP_EXAMPLE } from './examples.ts';

// Findings and certificates as `npm run verify --json` writes them, under component names that are still free.
export {
  CertificateModel as VerifiedCertificate,
  NameModel as VerifiedName,
  PkiBrazilCertificateModel as VerifiedIcpBrasilFields,
  PkiItalyCertificateModel as VerifiedItalianFields,
  ValidationItemModel as VerificationFinding,
  ValidationResultsModel as VerificationFindings,
};

/** The form of POST /api/verification, for OpenAPI. */
export const VERIFICATION_FORM = {
  type: 'object',
  description: 'The file to verify, and the content where the signature is detached.',
  examples: [{ file: '(bytes of contract.pdf)' }],
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'A PDF, an XML document or a CMS file.' },
    content: {
      type: 'string',
      format: 'binary',
      description: 'What a detached CMS signature is over.',
    },
    covers: {
      type: 'array',
      items: { type: 'string' },
      description: 'Elements of an XML document that must be signed. None: the whole document.',
    },
  },
};

const conclusion = {
  outcome: z.enum(OUTCOMES).describe('`valid` is exactly the verdict `passed`.'),
  verdict: z.enum(VERDICTS).describe('In the indications of EN 319 102-1.'),
  reasons: z.array(z.enum(REASONS)).describe('The sub-indications of EN 319 102-1; none where it passed.'),
};

const moment = z.iso.datetime().nullable();

const signed = {
  intact: z
    .boolean()
    .nullable()
    .describe('Whether the bytes are as signed; null where that could not be checked.'),
  signer: CertificateModel.nullable(),
  icpBrasil: z
    .enum(ICP_BRASIL_STANDINGS)
    .describe('`verified` by a chain to a trusted root of ICP-Brasil, or only `claimed` by the certificate.'),
  certificateStatus: z.enum(['ACTIVE', 'EXPIRED', 'REVOKED', 'UNTRUSTED', 'STALE']).nullable(),
  validationResults: ValidationResultsModel,
};

export const VerifiedTimestamp = z
  .object({
    time: moment,
    authority: CertificateModel.nullable(),
    valid: z.boolean(),
    serialNumber: z.string().nullable().describe('Decimal.'),
    messageImprint: z.base64().nullable().describe('The digest that the authority stamped.'),
    validationResults: ValidationResultsModel,
  })
  .meta({ description: 'A timestamp, and how it was judged.', examples: [TIMESTAMP_EXAMPLE] });

export const VerifiedCountersignature = z.object({ ...conclusion, ...signed, claimedTime: moment }).meta({
  description: 'A signature over another signature.',
  examples: [{ ...PASSED, ...SIGNED, claimedTime: '2026-03-02T12:04:00.000Z' }],
});

export const VerifiedSignature = z
  .object({
    ...conclusion,
    kind: z.enum(['signature', 'document-timestamp', 'countersignature']),
    ...signed,
    place: z.string().nullable(),
    judgedAt: moment,
    claimedTime: moment.describe('What the signer says; nobody vouches for it.'),
    provenTime: moment.describe('The earliest time that a trusted timestamp proves.'),
    timestamps: z.array(VerifiedTimestamp),
    archiveTimestamps: z.array(VerifiedTimestamp),
    countersignatures: z.array(VerifiedCountersignature),
    covers: z.array(z.string()),
    coveredParts: z.array(
      z.object({
        kind: z.enum(COVERED_KINDS),
        path: z.string().nullable(),
        bytes: z.int().nullable(),
        isRoot: z.boolean(),
        withoutSignatures: z.boolean(),
        comments: z.int(),
      }),
    ),
    changes: z.array(z.string()).nullable(),
    changedParts: z.array(
      z.object({ kind: z.string(), allowed: z.boolean(), what: z.string(), field: z.string().optional() }),
    ),
    policy: z.string().nullable(),
    fieldName: z.string().nullable().describe('In a PDF.'),
    digestAlgorithm: z.string().nullable(),
    messageDigest: z
      .base64()
      .nullable()
      .describe('Of the content that was signed; null for XML, which has one for each reference.'),
    signatureValue: z.base64().nullable(),
    isLongTerm: z
      .boolean()
      .describe('Whether its time is proven and the file brings its revocation data along.'),
  })
  .meta({ description: 'One signature of the file, and how it was judged.', examples: [SIGNATURE_EXAMPLE] });

export const VerificationReport = z
  .object({
    file: z.string().nullable(),
    format: z.enum(['PAdES', 'CAdES', 'XAdES']),
    ...conclusion,
    coverage: z.object({
      isComplete: z.boolean(),
      covered: z.array(z.string()),
      missing: z.array(z.string()),
    }),
    validationResults: ValidationResultsModel.nullable(),
    signatures: z.array(VerifiedSignature),
  })
  .meta({
    description: 'The verdict on a file, with every signature in it.',
    examples: [
      {
        file: 'contract.pdf',
        format: 'PAdES',
        ...PASSED,
        coverage: { isComplete: true, covered: ['the whole file'], missing: [] },
        validationResults: null,
        signatures: [SIGNATURE_EXAMPLE],
      },
    ],
  });
