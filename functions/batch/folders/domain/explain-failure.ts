import { statusOf } from '../../../../shared/files/errors.ts';
import { isStoreUnavailable } from '../../../../shared/store/availability.ts';
import { explainShareFailure } from '../../storage/domain/share-failure.ts';
import type { InputFolder } from '../../storage-setting.ts';

/** A listing that took longer than its caller waits. */
export class ListedTooLate extends Error {
  override readonly name = 'ListedTooLate';
}

const OWN = "The service's bucket";

/** Why a folder could not be scanned, in one sentence for operators. It names no address and no key. */
export function explainFailure({ share }: InputFolder, error: unknown): string {
  if (error instanceof ListedTooLate)
    return `${share === null ? OWN : `The share ${share}`} does not answer.`;
  const reason = share === null ? explainOwn(error) : explainShareFailure(share, error);
  return reason ?? `The scan failed: ${(error as Error).name ?? 'unknown error'}. The log says more.`;
}

function explainOwn(error: unknown): string | undefined {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  const status = statusOf(error) ?? 0;
  if (name === 'NoSuchBucket' || status === 404) return `${OWN} does not exist.`;
  if (status === 401 || status === 403) return `${OWN} denies the access.`;
  if (status >= 500) return `${OWN} answers with an error (${status}).`;
  return isStoreUnavailable(error) || typeof code === 'string' ? `${OWN} cannot be reached.` : undefined;
}
