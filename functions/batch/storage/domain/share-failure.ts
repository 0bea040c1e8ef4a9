import { ShareUnusable } from './share.ts';

type Failure = Error & {
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
};

const NETWORK = /^(E(?!RR_|NOSPC|ACCES|PERM|NOENT|MFILE|DQUOT)[A-Z_]+|ERR_STREAM_PREMATURE_CLOSE)$/;
const CERTIFICATE = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;
const NOT_TLS = /^(EPROTO|ERR_SSL_)/;

const CLOCK = new Set(['RequestTimeTooSkewed', 'RequestExpired', 'ExpiredToken']);
const KEY = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidSecurity', 'NotSignedUp']);
const REGION = new Set(['AuthorizationHeaderMalformed', 'PermanentRedirect', 'InvalidRegion']);

/**
 * Why a share did not do what it was asked, in one sentence that says what to do. Undefined for an error that is not of
 * a share.
 * @example explainShareFailure('acme', error) // 'The share acme has no such bucket. Correct --bucket.'
 */
export function explainShareFailure(name: string, error: unknown): string | undefined {
  if (error instanceof ShareUnusable) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { code, $metadata } = error as Failure;
  const text = typeof code === 'string' ? code : '';
  const reason =
    explainTls(text) ??
    (isSilent(error.name, text) ? explainSilence(text || error.name) : undefined) ??
    ($metadata && explainAnswer(error.name, $metadata.httpStatusCode));
  return reason && `The share ${name} ${reason}`;
}

const isSilent = (name: string, code: string): boolean => name === 'TimeoutError' || NETWORK.test(code);

function explainTls(code: string): string | undefined {
  if (code === 'CERT_HAS_EXPIRED') return 'has an expired TLS certificate. Renew it at that server.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'has a TLS certificate for another host name. Correct --endpoint, or the certificate.';
  if (CERTIFICATE.test(code))
    return `has a TLS certificate that is not trusted (${code}). Add the share again with --ca-file, the PEM file of the authority that issued it.`;
  return NOT_TLS.test(code)
    ? `does not speak TLS there (${code}). Correct --endpoint: the port, or http.`
    : undefined;
}

const explainSilence = (code: string): string =>
  code === 'ENOTFOUND' || code === 'EAI_AGAIN'
    ? `is not reachable: its host name is not known (${code}). Correct --endpoint, or the name service of this machine.`
    : `is not reachable (${code}). Is its server running, is --endpoint right, and does a firewall let this machine through?`;

function explainAnswer(name: string, status = 0): string {
  if (CLOCK.has(name))
    return `refuses the time of this machine (${name}). Set the clock of this machine, or of that server.`;
  if (KEY.has(name) || status === 401)
    return `refuses the key (${name}). Add it again with the right --access-key-id and secret.`;
  if (REGION.has(name) || status === 301) return `is in another region (${name}). Correct --region.`;
  if (name === 'NoSuchBucket')
    return 'has no such bucket. Correct --bucket, or create the bucket at that server.';
  if (status === 403)
    return 'does not let this key do that (AccessDenied). Grant the rights of docs/shares.md.';
  if (status >= 500) return `answers ${status} (${name}). Wait, or look into the log of that server.`;
  return `answers ${status || 'nothing'} (${name}). Is --endpoint that of an S3 server?`;
}
