import { explainShareFailure } from '../../storage/domain/share-failure.ts';
import type { InputFolder } from '../../storage/setting.ts';

/** A listing that took longer than its caller waits. */
export class ListedTooLate extends Error {
  override readonly name = 'ListedTooLate';
}

/** Why a folder could not be scanned, in one sentence for operators. It names no address and no key. */
export function explainFailure({ share }: InputFolder, error: unknown): string {
  const store = share === null ? "The service's bucket" : `The share ${share}`;
  if (error instanceof ListedTooLate) return `${store} does not answer.`;
  const why = share === null ? undefined : explainShareFailure(share, error);
  return why ?? `${store} cannot be scanned (${error instanceof Error ? error.name : 'unknown error'}).`;
}
