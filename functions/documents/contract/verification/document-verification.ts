import * as z from 'zod';
import { DOCUMENT_STATUSES } from '../documents.ts';
import { CODE } from '../examples.ts';
import { BrandingModel } from '../organization/branding.ts';
import { SignerModel } from '../signing/signers.ts';
import { VerificationReport } from './verification.ts';

export const CodeParams = z.object({
  code: z
    .string()
    .min(1)
    .max(60)
    .meta({
      description: 'The code on the evidence page of a document, in any case, with or without hyphens.',
      examples: [CODE],
    }),
});

export const DocumentVerification = z
  .object({
    code: z.string(),
    name: z.string(),
    organizationName: z.string().nullable(),
    branding: BrandingModel.nullable(),
    status: z.enum(DOCUMENT_STATUSES),
    creationDate: z.iso.datetime(),
    requiredSignatures: z.int(),
    completedSignatures: z.int(),
    hasSignedFile: z.boolean().describe('Whether the signed file can be downloaded by the code.'),
    electronicSigners: z
      .array(
        SignerModel.pick({
          subjectName: true,
          identifier: true,
          signatureType: true,
          signingTime: true,
          outcome: true,
          validationResults: true,
        }),
      )
      .describe(
        'Who signed without a certificate, judged by the recorded evidences and the seal of the file. They are no signatures of the report.',
      ),
    report: VerificationReport.nullable().describe(
      'On the signed file as it is now; null before the first signature, after a refusal, cancellation or expiry, and for a file over `Verification:MaxFileBytes`.',
    ),
  })
  .meta({
    description: 'The state of a document and the verdict on its signatures, by its code.',
    examples: [
      {
        code: '7FQ2M-9XKD4-TB3WR-8HJ5C',
        name: 'contract',
        organizationName: 'Sandbox Organization',
        branding: { displayName: 'Sandbox Organization', logoUrl: null, color: null },
        status: 'Pending',
        creationDate: '2026-03-02T12:00:00.000Z',
        requiredSignatures: 2,
        completedSignatures: 0,
        hasSignedFile: false,
        electronicSigners: [],
        report: null,
      },
    ],
  });
