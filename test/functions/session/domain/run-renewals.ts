import { type RenewalMessage, VERDICTS_QUEUE } from '../../../../functions/session/domain/renew-verdicts.ts';
import { handler as renewVerdicts } from '../../../../functions/session/workers/renew-verdicts.ts';
import { handler as sendDueVerdicts } from '../../../../functions/session/workers/send-due-verdicts.ts';
import { drainQueue } from '../../drain-queue.ts';

/** Runs the schedule, and the consumer on all that it sent. Answers the fingerprints that were sent. */
export async function runRenewals(): Promise<string[]> {
  await sendDueVerdicts();
  return deliverRenewals();
}

export async function deliverRenewals(): Promise<string[]> {
  const delivered = await drainQueue<RenewalMessage>('session', VERDICTS_QUEUE, renewVerdicts);
  return delivered.map(({ sha256 }) => sha256);
}
