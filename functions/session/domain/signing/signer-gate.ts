import { fairSemaphore } from '../../../../shared/async/fair-semaphore.ts';
import { processWide } from '../../../../shared/async/process-wide.ts';
import { distributedSemaphore } from '../../../../shared/store/semaphore/semaphore.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

const gate = distributedSemaphore({ service: 'session', name: 'signer' });
const LEASE_MARGIN_MS = 15_000;

// Documents of one process wait for each other here, and only those with a slot ask the store. Whoever waits is a call
// that holds a document already: the wait is bounded by its budget, not by a queue.
const slots = processWide('signer-slots', fairSemaphore);

/**
 * Works with a document at the signature service, as one of so many across all instances. Signers take turns. A
 * document whose turn cannot come within its budget is refused at once.
 */
export async function atSigner<T>(signer: string, deadlineAtMs: number, work: () => Promise<T>): Promise<T> {
  const leftMs = () => Math.max(0, deadlineAtMs - Date.now());
  const limit = settings['Signing:SignerConcurrency'];
  const slot = await slots.acquire(
    signer,
    { slots: limit, maxWaiting: Number.POSITIVE_INFINITY },
    { maxWaitMs: leftMs() },
  );
  if (!slot) throw errors.refuse('SIGN_TIMEOUT');
  try {
    const ticket = await gate.acquire({
      limit,
      queueLimit: Number.POSITIVE_INFINITY,
      leaseMs: leftMs() + LEASE_MARGIN_MS,
      waitMs: leftMs(),
    });
    if (!ticket) throw errors.refuse('SIGN_TIMEOUT');
    try {
      return await work();
    } finally {
      await gate.release(ticket);
    }
  } finally {
    slot.release();
  }
}
