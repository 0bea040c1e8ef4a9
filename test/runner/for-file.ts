import { afterAll } from 'vitest';
import { withDeadline } from '../../shared/async/deadline.ts';

type Stop = () => unknown;

/**
 * What the tests of a file share: there before the first of them, and stopped after the last.
 * @example const stage = await forFile(batchStage());
 */
export async function forFile<Shared extends Stop | { readonly stop: Stop }>(
  starting: Promise<Shared>,
): Promise<Shared> {
  // No time-out of a hook holds while a file is loaded.
  const shared = await withDeadline(
    120_000,
    () => starting,
    () => new Error('The set-up of this file does not end.'),
  );
  afterAll(() => (typeof shared === 'function' ? shared() : shared.stop()));
  return shared;
}
