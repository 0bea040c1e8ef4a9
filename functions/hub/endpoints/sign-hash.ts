import { jsonBody } from '../../../shared/http/body/reader.ts';
import { Signature, SignHashRequest } from '../contract.ts';
import { PROVIDER_CODES } from '../domain/provider-refusal.ts';
import { signHash } from '../domain/sign-hash.ts';
import { hub } from '../service.ts';

/** The holder may have to confirm at the provider: clients allow two minutes. */
export const handler = hub.endpoint(
  {
    route: 'POST /api/sessions/sign-hash',
    summary: 'Sign a hash with the key of a session',
    description:
      'The provider signs with the key that it holds. The answer is the signature as a bare JSON string in base64.',
    tag: 'signing',
    body: jsonBody(SignHashRequest),
    answers: { 200: Signature },
    refuses: ['DigestAlgorithmNameOrOidIsRequired', 'InvalidDigestAlgorithm', ...PROVIDER_CODES],
    streams: true,
  },
  async ({ body, caller }) => signHash(caller, body, () => Date.now()),
);
