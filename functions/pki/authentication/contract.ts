import * as z from 'zod';
import { CertificateModel, ValidationResultsModel } from '../contract.ts';
import {
  CERTIFICATE,
  CONTEXT_ID,
  DIGEST,
  HASH,
  JUDGED_CERTIFICATE,
  PARAMETERS,
  SIGNATURE,
  TO_SIGN,
  TOKEN,
} from '../examples.ts';

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

export const DigestAlgorithmAndValueModel = z
  .object({
    algorithm: DigestAlgorithm,
    value: z.base64(),
    hexValue: z.string(),
  })
  .meta({ description: 'A digest with its algorithm.', examples: [DIGEST] });

export const SignatureParametersModel = z
  .object({
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
  })
  .meta({
    description: 'What a private key signs, for keys of different abilities.',
    examples: [PARAMETERS],
  });

export const PrepareAuthenticationRequest = z
  .object({
    ...WISH,
    securityContextId: WISH.securityContextId.describe('By whose roots to judge. Left out: ICP-Brasil.'),
  })
  .meta({
    description: 'How the certificate will be judged.',
    examples: [{ securityContextId: CONTEXT_ID }],
  });

export const PrepareAuthenticationResponse = z
  .object({
    state: z.string().describe('Completes this authentication, once. Keep it with the visit it belongs to.'),
    toSignHash: DigestAlgorithmAndValueModel,
    toSign: SignatureParametersModel,
  })
  .meta({
    description: 'What the private key must sign.',
    examples: [{ state: TOKEN, toSignHash: DIGEST, toSign: PARAMETERS }],
  });

export const CompleteAuthenticationRequest = z.object({ state: Secret, ...OFFER }).meta({
  description: 'The state of the preparation, the certificate and its signature.',
  examples: [{ state: TOKEN, certificate: CERTIFICATE, signature: SIGNATURE }],
});

export const CompleteAuthenticationResponse = z
  .object({
    success: z.boolean(),
    failure: z.enum(['CertificateFailedValidation', 'StaleSession']).nullable(),
    certificate: CertificateModel.nullable().describe('Null when the time was over.'),
    validationResults: ValidationResultsModel.nullable().describe('Null when the time was over.'),
  })
  .meta({
    description: 'Whether the holder is authenticated, and by which certificate.',
    examples: [{ success: true, failure: null, ...JUDGED_CERTIFICATE }],
  });

export const AuthenticationsPostRequest = z.object(WISH).meta({
  description: 'How the certificate will be judged.',
  examples: [{ securityContextId: CONTEXT_ID }],
});

export const AuthenticationsPostResponse = z
  .object({
    token: z.string().describe('Names this authentication in the two operations that follow.'),
    toSignData: z.base64().describe('The bytes to sign.'),
    toSignHash: z.base64().describe('Their hash, for keys that sign one.'),
    digestAlgorithmOid: z.string(),
  })
  .meta({
    description: 'A token, and the bytes to sign.',
    examples: [
      { token: TOKEN, toSignData: TO_SIGN, toSignHash: HASH, digestAlgorithmOid: '2.16.840.1.101.3.4.2.1' },
    ],
  });

export const TokenParams = z.object({
  token: Secret.meta({ description: 'As POST /Api/Authentications answered it.', examples: [TOKEN] }),
});

export const AuthenticationsPostSignedBytesRequest = z.object(OFFER).meta({
  description: 'The certificate and its signature.',
  examples: [{ certificate: CERTIFICATE, signature: SIGNATURE }],
});

const JUDGED = {
  certificate: CertificateModel,
  validationResults: ValidationResultsModel,
};

export const AuthenticationsPostSignedBytesResponse = z.object(JUDGED).meta({
  description: 'The certificate, and how it was judged. With no errors, the holder is authenticated.',
  examples: [JUDGED_CERTIFICATE],
});

export const AuthenticationGetResponse = z
  .object({
    nonce: z
      .base64()
      .describe('Sign it with the certificate key and send it to POST /Api/Authentication. Single use.'),
  })
  .meta({ description: 'A nonce to sign.', examples: [{ nonce: TO_SIGN }] });

export const AuthenticationPostRequest = z
  .object({
    nonce: z.base64().min(1).max(200).describe('As GET /Api/Authentication gave it.'),
    ...OFFER,
    ...WISH,
  })
  .meta({
    description: 'The nonce, the certificate and its signature.',
    examples: [
      { nonce: TO_SIGN, certificate: CERTIFICATE, signature: SIGNATURE, securityContextId: CONTEXT_ID },
    ],
  });

export const AuthenticationPostResponse = z.object(JUDGED).meta({
  description: 'The certificate, and how it was judged. With no errors, the holder is authenticated.',
  examples: [JUDGED_CERTIFICATE],
});
