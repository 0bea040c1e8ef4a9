import { tableName } from '../../settings/names.ts';
import { getBatch, type Stored } from '../../store/collection.ts';
import { deliveriesOf, deliveryKey, isPending, type StoredDelivery } from '../deliveries/delivery.ts';
import { type IndexPage, pendingPage } from '../deliveries/delivery-index.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import { eventKey, eventsOf, isEvent, type WebhookEvent } from '../event.ts';

export type Due = {
  readonly delivery: Stored<StoredDelivery>;
  /** Undefined when the event is not kept any more. */
  readonly event: WebhookEvent | undefined;
};

export type DuePage = {
  readonly due: readonly Due[];
  /** The next page of the index, on its way already; undefined at the end of the due deliveries. */
  readonly after?: Promise<IndexPage> | undefined;
  /** The time of the first delivery that is not due yet, if the page got so far. */
  readonly nextAtMs?: number | undefined;
};

type DuePageRequest = {
  readonly limit: number;
  readonly after?: Promise<IndexPage> | undefined;
  /** Deliveries to leave out. */
  readonly isBusy?: (eventId: string) => boolean;
};

// index   |--page 1--|--page 2--|            |--page 3--|       one page ahead of the table
// table              |--deliveries of 1--|   |--deliveries of 2--|

/**
 * A page of the due deliveries of a webhook, the oldest first. The index may be behind its table and name deliveries
 * that ended since, so each delivery is read from the table.
 */
export async function readDuePage(
  engine: WebhookEngine,
  webhookId: string,
  { limit, after, isBusy = () => false }: DuePageRequest,
): Promise<DuePage> {
  const page = await (after ?? pendingPage(engine, webhookId, { limit }));
  const nowMs = nowOf(engine);
  const later = page.deliveries.find((delivery) => !isDue(delivery, nowMs));
  const candidates = page.deliveries.filter(
    (delivery) => isDue(delivery, nowMs) && !isBusy(delivery.eventId),
  );
  const next =
    later || !page.after ? undefined : pendingPage(engine, webhookId, { limit, after: page.after });
  // Whoever reads the next page gets its failure.
  next?.catch(() => undefined);
  const { due } = await readNamed(
    engine,
    webhookId,
    candidates.map(({ eventId }) => eventId),
  );
  return { due, after: next, nextAtMs: later?.nextAttemptAtMs };
}

const isDue = ({ nextAttemptAtMs = 0 }: Pick<StoredDelivery, 'nextAttemptAtMs'>, nowMs: number): boolean =>
  nextAttemptAtMs <= nowMs;

// Two keys each: a request takes a hundred.
const IDS_PER_REQUEST = 50;

/** The pending deliveries of some events to a webhook, as the table has them: those that are due, and the others. */
export async function readNamed(
  engine: WebhookEngine,
  webhookId: string,
  eventIds: readonly string[],
): Promise<{ readonly due: readonly Due[]; readonly later: readonly StoredDelivery[] }> {
  const requests = Array.from({ length: Math.ceil(eventIds.length / IDS_PER_REQUEST) }, (_, n) =>
    eventIds.slice(n * IDS_PER_REQUEST, (n + 1) * IDS_PER_REQUEST),
  );
  const rows = await Promise.all(
    requests.map((ids) =>
      getBatch(
        tableName(engine.service),
        ids.flatMap((eventId) => [deliveryKey({ webhookId, eventId }), eventKey(eventId)]),
      ),
    ),
  );
  const events = new Map(
    rows
      .flat()
      .filter(isEvent)
      .map(eventsOf(engine).read)
      .map((event) => [event.id, event]),
  );
  const deliveries = new Map(
    rows
      .flat()
      .filter((row) => !isEvent(row))
      .map(deliveriesOf(engine).read)
      .map((delivery) => [delivery.eventId, delivery]),
  );
  const nowMs = nowOf(engine);
  const pending = eventIds.flatMap((eventId) => deliveries.get(eventId) ?? []).filter(isPending);
  return {
    due: pending
      .filter((delivery) => isDue(delivery, nowMs))
      .map((delivery) => ({ delivery, event: events.get(delivery.eventId) })),
    later: pending.filter((delivery) => !isDue(delivery, nowMs)),
  };
}
