import type { Caller } from '../../../shared/access/caller.ts';
import { apiKey } from '../../../shared/http/api-key.ts';
import type { Authenticator } from '../../../shared/http/authentication.ts';
import { service } from '../../../shared/http/service.ts';
import { pki } from '../service.ts';
import type { Visitor } from './domain/visit.ts';

/** What an application must have been granted. */
export const SIGNATURE_SESSIONS = 'signature-sessions';

const TOKEN_HEADER = 'x-signature-session-token';
const keys = apiKey('pki');

// A browser has a session's token and no key. Whether the token is good, the session says: here nothing is known yet.
const TOKEN_HOLDER: Caller = {
  application: '',
  keyId: '',
  permissions: [SIGNATURE_SESSIONS],
  registered: {},
};

const keyOrToken: Authenticator = {
  scheme: keys.scheme,
  identify: async (call) => {
    if (call.headers['x-api-key'] !== undefined) return keys.identify(call);
    return call.headers[TOKEN_HEADER] === undefined ? undefined : TOKEN_HOLDER;
  },
};

/**
 * The service as the operations of one session see it: who comes with the session's token needs no key, and a key
 * that comes along is looked at all the same.
 */
export const signatureSession = service({ ...pki, authenticate: keyOrToken });

const TOKEN = {
  header: 'X-Signature-Session-Token',
  description: 'The token of the session, as its creation answered it.',
} as const;

/** For operations of the application and of the person. */
export const BY_KEY_OR_TOKEN = [['key'], [TOKEN]] as const;
/** For what the person alone does. A key that comes along is looked at as well. */
export const BY_TOKEN = [[TOKEN], ['key', TOKEN]] as const;

type Came = { readonly caller: Caller; readonly headers: Readonly<Record<string, string>> };

/** @example const session = await visitedSession(params.sessionId, visitorOf(input), Date.now()); */
export const visitorOf = ({ caller, headers }: Came): Visitor => ({
  application: caller.application,
  token: headers[TOKEN_HEADER],
});

/** The codes of every operation on a session. */
export const VISIT_CODES = [
  'SignatureSessionNotFound',
  'BadSignatureSessionToken',
  'ExpiredSignatureSessionToken',
] as const;

/** And of those that only the person does. */
export const SIGNER_CODES = [
  ...VISIT_CODES,
  'SignatureSessionTokenRequired',
  'BadSignatureSessionOperation',
  'BackgroundProcessing',
] as const;
