import { statusOf } from '../../../../shared/files/errors.ts';
import { isStoreUnavailable } from '../../../../shared/store/availability.ts';
import { ShareUnusable } from '../../storage/domain/share.ts';
import type { InputFolder } from '../../storage/setting.ts';

/** A listing that took longer than its caller waits. */
export class ListedTooLate extends Error {
  override readonly name = 'ListedTooLate';
}

// Errors of Node's TLS: DEPTH_ZERO_SELF_SIGNED_CERT, CERT_HAS_EXPIRED, ERR_TLS_CERT_ALTNAME_INVALID,
// UNABLE_TO_VERIFY_LEAF_SIGNATURE.
const TLS = /CERT|_SSL_|_TLS_|UNABLE_TO_/;

/** Why a folder could not be scanned, in one sentence for operators. It names no address and no key. */
export function explainFailure({ share }: InputFolder, error: unknown): string {
  if (error instanceof ShareUnusable) return error.message;
  const store = share === null ? "The service's bucket" : `The share ${share}`;
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  if (error instanceof ListedTooLate) return `${store} does not answer.`;
  if (name === 'NoSuchBucket' || statusOf(error) === 404)
    return share === null ? `${store} does not exist.` : `The bucket of the share ${share} does not exist.`;
  if (statusOf(error) === 401 || statusOf(error) === 403)
    return `${store} denies the access${share === null ? '.' : ': check its key and the permissions of that key.'}`;
  if (typeof code === 'string' && TLS.test(code))
    return `${store} has a TLS certificate that is not trusted (${code}).`;
  if ((statusOf(error) ?? 0) >= 500) return `${store} answers with an error (${statusOf(error)}).`;
  if (isStoreUnavailable(error) || typeof code === 'string') return `${store} cannot be reached.`;
  return `The scan failed: ${name ?? 'unknown error'}. The log says more.`;
}
