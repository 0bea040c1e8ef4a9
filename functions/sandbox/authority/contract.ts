import * as z from 'zod';

export const PkiFileParams = z.object({ file: z.string().min(1).max(100) });

/** A request about twenty certificates has some two thousand bytes, and one for a timestamp a hundred. */
export const MAX_PKI_REQUEST_BYTES = 65_536;

export const OcspParams = z.object({
  request: z
    .string()
    .max(MAX_PKI_REQUEST_BYTES)
    .transform((base64) => Buffer.from(base64, 'base64')),
});

export const OCSP_RESPONSE = 'application/ocsp-response';
export const TIMESTAMP_REPLY = 'application/timestamp-reply';
