import { consume } from '../../../../shared/queue/consume.ts';
import { settings } from '../../settings.ts';
import { continueRescan } from '../domain/rescan.ts';
import { SCANS_QUEUE, ScanMessage } from '../domain/scan-message.ts';
import { watchFolder } from '../domain/watch-folder.ts';

// The function has 300 s. A file that is begun in the last of these has the rest.
const BEGIN_FOR_MS = 200_000;

/** A younger scan follows one that is late, so an outage leaves no backlog. */
const isLate = ({ folder, dueAtMs }: ScanMessage, nowMs: number): boolean => {
  const everySeconds = settings['Storage:Inputs'].find(({ name }) => name === folder)?.pollSeconds ?? 0;
  return dueAtMs !== undefined && nowMs - dueAtMs > everySeconds * 1_000;
};

/** Scans a folder. A scan of the watcher that fails is not repeated: the next one comes. A rescan is. */
export const handler = consume(
  { service: 'batch', queue: SCANS_QUEUE, message: ScanMessage, maxReceives: 3, concurrency: 1 },
  async (message, { logger }) => {
    const startedAtMs = Date.now();
    if (isLate(message, startedAtMs)) return;
    const hasTime = () => Date.now() - startedAtMs < BEGIN_FOR_MS;
    const scanner = { logger, now: () => Date.now(), hasTime };
    if (message.rescanAtMs !== undefined) return continueRescan(message, scanner);
    try {
      await watchFolder(message, scanner);
    } catch (error) {
      logger.error('A scan failed; the next one looks again.', { folder: message.folder, error });
    }
  },
);
