import { commitEach } from '../../store/group-commit.ts';
import { deliveriesOf } from '../deliveries/delivery.ts';
import type { WebhookEngine } from '../engine.ts';
import type { Remaining } from './deliver-due.ts';
import { pendingPage } from './due-page.ts';
import type { Turn } from './turn.ts';

// What one transaction takes.
const STOPPED_AT_ONCE = 100;
// About ten seconds' work; the rest is the next turn's.
const MAX_ROUNDS = 50;

/** Deletes all that waits for a webhook that was removed, whenever it would have come due. Nobody can look it up any more. */
export async function stopDeliveries({ engine, lane, saw }: Turn): Promise<Remaining> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const stopped = await stopSome(engine, lane.webhookId);
    saw.stopped += stopped;
    if (stopped === 0) return { more: false };
  }
  return { more: true };
}

async function stopSome(engine: WebhookEngine, webhookId: string): Promise<number> {
  const { pending: named } = await pendingPage(engine, webhookId, STOPPED_AT_ONCE);
  const deliveries = deliveriesOf(engine);
  const found = await deliveries.getMany(named);
  const waiting = found.filter(({ state }) => state === 'Pending');
  return (await commitEach(waiting.map((delivery) => ({ writes: [deliveries.deleting(delivery)] })))).size;
}
