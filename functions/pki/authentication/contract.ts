import * as z from 'zod';
import { CertificateModel, ValidationResultsModel } from '../contract.ts';

const WISH = {
  securityContextId: z.guid().nullish().describe('By whose roots and rules the certificate is judged.'),
  ignoreRevocationStatusUnknown: z
    .boolean()
    .nullish()
    .describe('A revocation status that nobody tells is a warning then, and no failure.'),
};

const OFFER = {
  certificate: z.string().min(1).max(100_000).describe('DER as base64.'),
  signature: z
    .base64()
    .min(1)
    .max(4_096)
    .describe('RSA PKCS#1 v1.5 with SHA-256, or ECDSA in DER with SHA-256, base64.'),
};

const Secret = z.string().min(1).max(200);

const DigestAlgorithm = z.enum(['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512', 'SHA3_256']);

export const DigestAlgorithmAndValueModel = z.object({
  algorithm: DigestAlgorithm,
  value: z.base64(),
  hexValue: z.string(),
});

export const SignatureParametersModel = z.object({
  signatureAlgorithm: z
    .object({
      algorithm: z.enum(['MD5WithRSA', 'SHA1WithRSA', 'SHA256WithRSA', 'SHA384WithRSA', 'SHA512WithRSA']),
      oid: z.string(),
      digestAlgorithm: DigestAlgorithm,
      digestAlgorithmOid: z.string(),
    })
    .describe('For an RSA key. An EC key signs the same bytes by ECDSA, with the same digest.'),
  data: z.base64().describe('The bytes to sign, for keys that hash themselves.'),
  hash: z.base64(),
  digestInfo: z.base64().describe('What RSA pads, for keys that do nothing else.'),
});

export const PrepareAuthenticationRequest = z.object({
  ...WISH,
  securityContextId: WISH.securityContextId.describe('By whose roots to judge. Left out: ICP-Brasil.'),
});

export const PrepareAuthenticationResponse = z.object({
  state: z.string().describe('Completes this authentication, once. Keep it with the visit it belongs to.'),
  toSignHash: DigestAlgorithmAndValueModel,
  toSign: SignatureParametersModel,
});

export const CompleteAuthenticationRequest = z.object({ state: Secret, ...OFFER });

export const CompleteAuthenticationResponse = z.object({
  success: z.boolean(),
  failure: z.enum(['CertificateFailedValidation', 'StaleSession']).nullable(),
  certificate: CertificateModel.nullable().describe('Null when the time was over.'),
  validationResults: ValidationResultsModel.nullable().describe('Null when the time was over.'),
});

export const AuthenticationsPostRequest = z.object(WISH);

export const AuthenticationsPostResponse = z.object({
  token: z.string().describe('Names this authentication in the two operations that follow.'),
  toSignData: z.base64().describe('The bytes to sign.'),
  toSignHash: z.base64().describe('Their hash, for keys that sign one.'),
  digestAlgorithmOid: z.string(),
});

export const TokenParams = z.object({ token: Secret });

export const AuthenticationsPostSignedBytesRequest = z.object(OFFER);

const JUDGED = {
  certificate: CertificateModel,
  validationResults: ValidationResultsModel.describe(
    'With nothing in `errors`, the holder is authenticated.',
  ),
};

export const AuthenticationsPostSignedBytesResponse = z.object(JUDGED);

export const AuthenticationGetResponse = z.object({
  nonce: z
    .base64()
    .describe('Sign it with the certificate key and send it to POST /Api/Authentication. Single use.'),
});

export const AuthenticationPostRequest = z.object({
  nonce: z.base64().min(1).max(200).describe('As GET /Api/Authentication gave it.'),
  ...OFFER,
  ...WISH,
});

export const AuthenticationPostResponse = z.object(JUDGED);
