import * as z from 'zod';

// The script of the approver's page alone speaks this: it is no part of the contract document.

/** Enough for a certificate of any authority. */
export const MAX_SIGNATURE_BODY_BYTES = 65_536;

const SECOND_FACTOR_REFUSALS = [
  'not-enrolled',
  'code-required',
  'approval.second-factor-invalid-code',
  'approval.second-factor-locked-out',
] as const;

export const SignatureRequest = z.object({
  certificate: z.string().describe('DER in base64.'),
  code: z.string().max(64).optional().describe('Of the second factor.'),
});

const ShownRefusal = z.object({ outcome: z.literal('refused'), code: z.string() });

const SecondFactorRefusal = z.object({ outcome: z.enum(SECOND_FACTOR_REFUSALS) });

export const PreparedSignature = z.union([
  z.object({
    outcome: z.literal('prepared'),
    attemptId: z.string(),
    toSignData: z.string(),
    toSignHash: z.string(),
    digestAlgorithm: z.literal('SHA256'),
  }),
  ShownRefusal,
  SecondFactorRefusal,
]);

export const SignatureValue = z.object({ signature: z.string().describe('Base64.') });

export const CompletedSignature = z.union([
  z.object({
    outcome: z.literal('signed'),
    released: z.boolean(),
    approved: z.int(),
    required: z.int(),
  }),
  ShownRefusal,
  SecondFactorRefusal,
]);

export const EndedSignature = z.object({ outcome: z.literal('ended') });
