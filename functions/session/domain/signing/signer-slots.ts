import { fairSemaphore } from '../../../../shared/async/fair-semaphore.ts';
import { processWide } from '../../../../shared/async/process-wide.ts';
import { distributedSemaphore } from '../../../../shared/store/semaphore/semaphore.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { type Deadline, leftMs } from '../deadline.ts';

// Two semaphores: documents of one process queue at `slots`, and only those with a slot there need one across all
// instances, which the process often has already. The queue has no length limit: its waiters hold a document already, and each is bounded by its
// own deadline.
const slots = processWide('signer-slots', fairSemaphore);
const instances = distributedSemaphore({ service: 'session', name: 'signer' });

/**
 * Runs work at the signature service within Signing:SignerConcurrency, across all instances. Signers take turns. A
 * document whose turn cannot come before its deadline is refused at once.
 */
export async function withSignerSlot<T>(
  signer: string,
  deadline: Deadline,
  work: () => Promise<T>,
): Promise<T> {
  const limit = settings['Signing:SignerConcurrency'];
  const slot = await slots.acquire(
    signer,
    { slots: limit, maxWaiting: Number.POSITIVE_INFINITY },
    { maxWaitMs: leftMs(deadline) },
  );
  if (!slot) throw errors.refuse('SIGN_TIMEOUT');
  try {
    const shared = await instances.acquire({
      limit,
      queueLimit: Number.POSITIVE_INFINITY,
      waitMs: leftMs(deadline),
    });
    if (!shared) throw errors.refuse('SIGN_TIMEOUT');
    try {
      return await work();
    } finally {
      instances.release(shared);
    }
  } finally {
    slot.release();
  }
}
