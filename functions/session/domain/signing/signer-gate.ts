import { admission } from '../../../../shared/store/gate.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

const gate = admission({ service: 'session', name: 'signer' });
// Whoever waits is a call that holds a document already: the wait is bounded by its budget, not by a queue.
const QUEUE_LIMIT = 10_000;
const LEASE_MARGIN_MS = 15_000;

/** Works with a document at the signature service, as one of so many across all instances. */
export async function atSigner<T>(deadlineAtMs: number, work: () => Promise<T>): Promise<T> {
  const leftMs = Math.max(0, deadlineAtMs - Date.now());
  const ticket = await gate.enter({
    limit: settings['Signing:SignerConcurrency'],
    queueLimit: QUEUE_LIMIT,
    leaseMs: leftMs + LEASE_MARGIN_MS,
    waitMs: leftMs,
  });
  if (!ticket) throw errors.refuse('SIGN_TIMEOUT');
  try {
    return await work();
  } finally {
    await gate.leave(ticket);
  }
}
