import * as z from 'zod';
import { BASE64 } from '../examples.ts';

// A certificate file has about 4 KB; one with a long chain some more.
const MAX_FILE_BASE64 = 65_536;
const MAX_SESSION = 2_048;
const DAY_SECONDS = 86_400;
// The longest that the national rules allow a provider to grant to a company.
const MAX_LIFETIME_SECONDS = 30 * DAY_SECONDS;

const KeptSealRequest = z.object({
  pkcs12: z.base64().min(1).max(MAX_FILE_BASE64).describe('A file with one certificate and its key.'),
  password: z.string().max(200).describe('Of the file. It is not kept.'),
});

const CloudSealRequest = z.object({
  session: z
    .string()
    .min(1)
    .max(MAX_SESSION)
    .describe('A SignatureSession of the hub, which the holder of a cloud certificate has authorized.'),
  lifetimeInSeconds: z
    .int()
    .min(60)
    .max(MAX_LIFETIME_SECONDS)
    .describe('How long the session lasts from now. After it the seal has to be set again.'),
});

export const SealRequest = z.union([KeptSealRequest, CloudSealRequest]).meta({
  description: 'The certificate that seals: a PKCS#12 file, or one in the cloud by a session of the hub.',
  examples: [{ pkcs12: BASE64, password: 'the password of the file' }],
});

export const SealModel = z
  .object({ subject: z.string(), issuer: z.string(), validUntil: z.iso.datetime() })
  .meta({
    description: 'The certificate that seals the documents of an organization.',
    examples: [
      {
        subject: 'CN=SANDBOX HOLDER 11222333000181',
        issuer: 'CN=AC SINETE SANDBOX',
        validUntil: '2027-01-01T00:00:00.000Z',
      },
    ],
  });
