import type { Caller } from '../../../shared/access/caller.ts';
import type { Authenticator } from '../../../shared/http/authentication/authenticator.ts';
import type { Call } from '../../../shared/http/call.ts';
import { service } from '../../../shared/http/service.ts';
import { keyOrBearer } from '../authenticate.ts';
import { pki } from '../service.ts';
import { SessionParams } from './contract/documents.ts';

/** The permission of the application. */
export const SIGNATURE_SESSIONS = 'signature-sessions';

const TOKEN_HEADER = 'x-signature-session-token';

// A browser has the session's token and no key. The token is checked when the session is read.
const TOKEN_HOLDER: Caller = {
  application: '',
  keyId: '',
  permissions: [SIGNATURE_SESSIONS],
  registered: {},
};

// Beside the session's token a bearer token is no key: a proxy in front of the browser may have added its own.
const isByToken = ({ headers }: Call): boolean =>
  headers[TOKEN_HEADER] !== undefined && headers['x-api-key'] === undefined;

const keyOrToken: Authenticator = {
  ...keyOrBearer,
  carriesKey: (call) => !isByToken(call) && keyOrBearer.carriesKey(call),
  identify: async (call) => (isByToken(call) ? TOKEN_HOLDER : keyOrBearer.identify(call)),
};

/** The service for operations on one session: its token replaces the key. A key in X-API-Key is checked as well. */
export const signatureSession = service({ ...pki, authenticate: keyOrToken });

const TOKEN = {
  header: 'X-Signature-Session-Token',
  description: 'The token of the session, as its creation answered it.',
} as const;

/** Operations of the application and of the signer. */
export const BY_KEY_OR_TOKEN = [['key'], [TOKEN]] as const;
/** Operations of the signer alone. */
export const BY_TOKEN = [[TOKEN], ['key', TOKEN]] as const;

/** The token that came with a request. @example findSession(caller, { ...params, token: tokenIn(headers) }, Date.now()) */
export const tokenIn = (headers: Readonly<Record<string, string>>): string | undefined =>
  headers[TOKEN_HEADER];

/** Error codes of every operation on a session. */
export const VISIT_CODES = [
  'SignatureSessionNotFound',
  'BadSignatureSessionToken',
  'ExpiredSignatureSessionToken',
] as const;

/** Error codes of the operations of the signer alone. */
export const SIGNER_CODES = [
  ...VISIT_CODES,
  'SignatureSessionTokenRequired',
  'BadSignatureSessionOperation',
  'BackgroundProcessing',
] as const;

/** Error codes of a document that is given to a session. */
export const NEW_DOCUMENT_CODES = [
  'OptionNotSupported',
  'EmptyDocument',
  'InvalidToken',
  'FileDownloadFailed',
  'InvalidVisualRepresentation',
  'PadesPositionNotFilled',
  'FontSizeZero',
  'BadDigest',
  'EntityNotFound',
  'EntityAlreadyExists',
  'DocumentNotSignable',
] as const;

/** Error codes of the start of a signature. */
export const START_CODES = [
  'DocumentNotFound',
  'SecurityContextNotFound',
  'PKCertificateMalformed',
  'CertificateMismatch',
  'CertificateRequirementNotMet',
  'DocumentNotSignable',
  'UnsupportedSignatureAlgorithm',
] as const;

/** Error codes of its completion. */
export const COMPLETE_CODES = [
  'DocumentNotFound',
  'SecurityContextNotFound',
  'InvalidToken',
  'InvalidSignature',
  'CertificateMismatch',
  'CertificateRequirementNotMet',
] as const;

// The token is looked at after the body: a stranger may send it.
const MAX_WAY_BODY_BYTES = 16_384;

/** What the page asks for a certificate in the cloud or at a workstation. */
export const WAY = {
  params: SessionParams,
  maxBodyBytes: () => MAX_WAY_BODY_BYTES,
  credentials: BY_TOKEN,
  permission: SIGNATURE_SESSIONS,
  rate: 'ways',
  undocumented: true,
} as const;
