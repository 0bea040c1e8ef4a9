import { checkAddress } from '../../net/check-address.ts';
import { FetchFailed } from '../../net/errors.ts';
import type { WebhookEngine } from '../engine.ts';
import type { Refused, WebhookRequest, WebhookRequestRefusal } from '../webhook.ts';
import { isSecret } from './credentials.ts';

// The text that HTTP carries unchanged: printable ASCII, with no space at either end.
const HEADER_TEXT = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
// Servers take about 8 kB of headers in all.
const MAX_TOKEN_CHARACTERS = 4_096;
// The length that browsers and proxies agree on.
const MAX_URL_CHARACTERS = 2_048;

/** Why a webhook cannot be registered, or undefined. */
export async function checkRequest(
  engine: WebhookEngine,
  request: WebhookRequest,
): Promise<Refused<WebhookRequestRefusal> | undefined> {
  return checkToken(request) ?? checkSecret(request) ?? (await checkUrl(engine, request));
}

function checkToken({ authType, token = '' }: WebhookRequest): Refused<'bad-token'> | undefined {
  if (authType === 'NoAuth') return undefined;
  if (HEADER_TEXT.test(token) && token.length <= MAX_TOKEN_CHARACTERS) return undefined;
  return {
    refused: 'bad-token',
    message: `With ${authType} the token must have 1 to ${MAX_TOKEN_CHARACTERS} printable ASCII characters, as it is to be sent.`,
  };
}

function checkSecret({ secret }: WebhookRequest): Refused<'bad-secret'> | undefined {
  if (secret === undefined || secret === null || isSecret(secret)) return undefined;
  return { refused: 'bad-secret', message: 'The secret must be whsec_ and the base64 of 24 to 64 bytes.' };
}

// The URL parser ignores line breaks and tabs. The stored address would not be the one that is called.
const CONTROL = /\p{Cc}/u;

async function checkUrl(
  engine: WebhookEngine,
  { url }: WebhookRequest,
): Promise<Refused<WebhookRequestRefusal> | undefined> {
  if (CONTROL.test(url))
    return {
      refused: 'bad-address',
      message: 'The address has a line break or another control character in it.',
    };
  if (url.length > MAX_URL_CHARACTERS)
    return {
      refused: 'bad-address',
      message: `The address has more than ${MAX_URL_CHARACTERS} characters.`,
    };
  try {
    const allowPrivateAddresses = engine.policy().allowPrivateNetworks;
    await checkAddress(url, { allowPrivateAddresses, resolve: engine.resolve });
    return undefined;
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    const { reason, message } = error;
    const refused = reason === 'private-address' || reason === 'name-not-found' ? reason : 'bad-address';
    return { refused, message };
  }
}
