import { apiKey } from '../../shared/http/authentication/api-key.ts';
import type { Authenticator } from '../../shared/http/authentication/authenticator.ts';
import type { Call } from '../../shared/http/call.ts';

const keys = apiKey('pki');
const HEADER = 'x-api-key';
const BEARER = /^Bearer +(\S.*)$/i;

const bearerIn = ({ headers }: Call): string | undefined => BEARER.exec(headers.authorization ?? '')?.[1];

/** Keys in X-API-Key, or as a bearer token, which is how clients of the earlier generation send them. */
export const keyOrBearer = {
  ...keys,
  schemes: { ...keys.schemes, bearer: { type: 'http', scheme: 'bearer' } },
  // Key guessing: the limit for refused keys counts both.
  carriesKey: (call: Call) => call.headers[HEADER] !== undefined || bearerIn(call) !== undefined,
  identify(call: Call) {
    const bearer = call.headers[HEADER] === undefined ? bearerIn(call) : undefined;
    return keys.identify(
      bearer === undefined ? call : { ...call, headers: { ...call.headers, [HEADER]: bearer } },
    );
  },
} satisfies Authenticator;
