import * as z from 'zod';
import { DigestAlgorithmAndValueModel, SignatureParametersModel } from '../../authentication/contract.ts';
import { CertificateModel, ValidationResultsModel } from '../../contract.ts';
import { CERTIFICATE, DIGEST, JUDGED_CERTIFICATE, PARAMETERS, TOKEN, VALID } from '../../examples.ts';
import { SignatureSessionModel } from './sessions.ts';

export const StartSignatureRequest = z
  .object({
    certificate: z.string().min(1).max(100_000).describe('DER as base64.'),
  })
  .meta({ description: 'The certificate that is to sign.', examples: [{ certificate: CERTIFICATE }] });

const Failure = z
  .enum(['CertificateFailedValidation'])
  .nullable()
  .describe('The certificate may not sign: `validationResults` says why.');

export const StartSignatureResponse = z
  .object({
    success: z.boolean(),
    failure: Failure,
    state: z.string().nullable().describe('Completes this signature.'),
    toSignHash: DigestAlgorithmAndValueModel.nullable(),
    toSign: SignatureParametersModel.nullable(),
    validationResults: ValidationResultsModel,
  })
  .meta({
    description: 'What the private key must sign, or why the certificate may not.',
    examples: [
      {
        success: true,
        failure: null,
        state: TOKEN,
        toSignHash: DIGEST,
        toSign: PARAMETERS,
        validationResults: VALID,
      },
    ],
  });

export const CompleteSignatureResponse = z
  .object({
    success: z.boolean(),
    failure: Failure,
    status: SignatureSessionModel.shape.status.describe(
      'Of the session: Processing once every document is signed.',
    ),
    certificate: CertificateModel,
    validationResults: ValidationResultsModel,
  })
  .meta({
    description: 'Whether the document is signed now, and the status of the session.',
    examples: [{ success: true, failure: null, status: 'Processing', ...JUDGED_CERTIFICATE }],
  });
