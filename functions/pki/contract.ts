import * as z from 'zod';

export const AuthenticationGetResponse = z.object({
  nonce: z
    .base64()
    .describe('Sign it with the certificate key and send it to POST /Api/Authentication. Single use.'),
});
