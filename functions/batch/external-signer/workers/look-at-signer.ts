import { consume } from '../../../../shared/queue/consume.ts';
import { pollSigners } from '../domain/poll/poll-signers.ts';
import { isOutdated, SIGNER_QUEUE, SignerMessage } from '../domain/signer-message.ts';
import { runChecks } from '../domain/sweep/run-checks.ts';
import { sweepFolders } from '../domain/sweep/sweep-folders.ts';

// The function has 300 s. What is begun in the last of these has the rest.
const BEGIN_FOR_MS = 200_000;

const LOOKS = { poll: pollSigners, sweep: sweepFolders, checks: runChecks };

/** Looks at the external service. A look that fails is not repeated: the next one comes. */
export const handler = consume(
  { service: 'batch', queue: SIGNER_QUEUE, message: SignerMessage, maxReceives: 1, concurrency: 1 },
  async (message, { logger }) => {
    const startedAtMs = Date.now();
    if (isOutdated(message, startedAtMs)) return;
    const hasTime = () => Date.now() - startedAtMs < BEGIN_FOR_MS;
    try {
      await LOOKS[message.look]({ logger, now: () => Date.now(), hasTime, dueAtMs: message.dueAtMs });
    } catch (error) {
      logger.error('A look at the external service failed; the next one looks again.', {
        look: message.look,
        error,
      });
    }
  },
);
