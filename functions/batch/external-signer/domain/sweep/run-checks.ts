import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { goOnInTrace } from '../../../../../shared/trace/spans.ts';
import { hasExternalService } from '../../../config/external-service.ts';
import { type Look, makePass, type Pass } from '../pass.ts';
import { type Check, listChecks, removeChecks } from './checks.ts';
import { checkDocument } from './take-document.ts';

const CONCURRENCY = 8;
// Checks that are made are deleted after so many, for those who wait for a place.
const GROUP_SIZE = 50;

// One worker at a time makes the checks, so that a burst of notifications reads each document once:
//
//   worker 1        |--claims--lists 1--reads 1--lists: none--| ends |--lists 2--claims--reads 2--|
//   notification 2                                  |--check 2--wakes worker 2: claimed, it leaves
//
// Worker 1 lists them once more after its claim, and so sees what worker 2 left.

/**
 * Reads the documents that notifications cited. In an outage, and where one cannot be taken, the check stays: the next
 * notification tries it again, and a clean sweep does without it.
 */
export async function runChecks(look: Look, check: typeof checkDocument = checkDocument): Promise<void> {
  if (!hasExternalService()) return;
  const { logger, now, hasTime } = look;
  const tried = new Set<string>();
  let isReachable = true;
  const listNext = async () =>
    isReachable && hasTime()
      ? (await listChecks()).filter(({ version }) => !tried.has(version)).slice(0, GROUP_SIZE)
      : [];

  const makeChecks = async (group: readonly Stored<Check>[]): Promise<void> => {
    const made: Stored<Check>[] = [];
    await forEachConcurrently(CONCURRENCY, group, async (waiting) => {
      if (!isReachable) return;
      const { folderId, documentId, version } = waiting;
      tried.add(version);
      try {
        await goOnInTrace(waiting, 'check', () => check(folderId, documentId, now()));
        made.push(waiting);
      } catch (error) {
        if (error instanceof PlatformUnreachable) isReachable = false;
        logger.warn('A notified document was not read. The next sweep finds it.', { documentId, error });
      }
    });
    await removeChecks(made);
  };

  const makeAll = async ({ last, end }: Pass): Promise<void> => {
    try {
      for (let group = await listNext(); group.length > 0; group = await listNext()) await makeChecks(group);
    } finally {
      await end(last);
    }
  };
  while (await makePass('checks', { now }, makeAll)) if ((await listNext()).length === 0) return;
}
