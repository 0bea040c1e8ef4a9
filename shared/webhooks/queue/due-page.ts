import type { Stored } from '../../store/collection.ts';
import type { Attributes } from '../../store/item.ts';
import { deliveriesOf, isPending, type StoredDelivery } from '../deliveries/delivery.ts';
import { pendingPage } from '../deliveries/delivery-index.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import { eventsOf, type WebhookEvent } from '../event.ts';

export type Due = {
  readonly delivery: Stored<StoredDelivery>;
  /** Undefined when the event is not kept any more. */
  readonly event: WebhookEvent | undefined;
};

export type DuePage = {
  readonly due: readonly Due[];
  /** Where the next page starts; undefined at the end of the due deliveries. */
  readonly after?: Attributes | undefined;
  /** The time of the first delivery that is not due yet, if the page got so far. */
  readonly nextAtMs?: number | undefined;
};

type DuePageRequest = {
  readonly limit: number;
  readonly after?: Attributes | undefined;
  /** Deliveries to leave out. */
  readonly isBusy?: (eventId: string) => boolean;
};

/**
 * A page of the due deliveries of a webhook, the oldest first. The index may be behind its table and name deliveries
 * that ended since, so each delivery is read from the table.
 */
export async function readDuePage(
  engine: WebhookEngine,
  webhookId: string,
  { limit, after, isBusy = () => false }: DuePageRequest,
): Promise<DuePage> {
  const page = await pendingPage(engine, webhookId, { limit, after });
  const nowMs = nowOf(engine);
  const isDue = ({ nextAttemptAtMs = 0 }: StoredDelivery): boolean => nextAttemptAtMs <= nowMs;
  const later = page.deliveries.find((delivery) => !isDue(delivery));
  const candidates = page.deliveries.filter((delivery) => isDue(delivery) && !isBusy(delivery.eventId));
  const [deliveries, events] = await Promise.all([
    deliveriesOf(engine).getMany(candidates),
    eventsOf(engine).getMany(candidates.map(({ eventId }) => eventId)),
  ]);
  const byId = new Map(events.map((event) => [event.id, event]));
  return {
    due: deliveries
      .filter((delivery) => isPending(delivery) && isDue(delivery))
      .map((delivery) => ({ delivery, event: byId.get(delivery.eventId) })),
    after: later ? undefined : page.after,
    nextAtMs: later?.nextAttemptAtMs,
  };
}
