import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type * as z from 'zod';
import { collection } from '../../../../shared/store/collection.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import type { Delivery as ReceivedDelivery } from '../contract.ts';

/** One request that the receiver got, under the name it was sent to. */
export type Delivery = z.infer<typeof ReceivedDelivery> & { readonly receiver: string };

type Arrival = Pick<Delivery, 'receiver' | 'headers' | 'status'> & { readonly content: Readable };

const KEPT_SECONDS = 86_400;
const MAX_SHOWN_BYTES = 102_400;
const MAX_LISTED = 100;

const deliveries = collection<Delivery, { receiver: string; id: string }>({
  service: 'sandbox',
  name: 'delivery',
  id: ({ receiver, id }) => ({ receiver, id }),
  key: ({ receiver, id }) => ({ pk: `RECEIVER#${receiver}`, sk: `DELIVERY#${id}` }),
  indexed: ({ receivedAt }) => ({
    ttl: Math.ceil(Date.parse(receivedAt) / 1000) + KEPT_SECONDS,
  }),
});

/** Keeps a delivery. Of a large body only its size and hash are kept, so that any size can be sent. */
export async function keepDelivery({ content, ...arrival }: Arrival, nowMs: number): Promise<Delivery> {
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    size += chunk.length;
    if (size <= MAX_SHOWN_BYTES) kept.push(chunk);
  }
  const delivery: Delivery = {
    ...arrival,
    id: `${new Date(nowMs).toISOString()}-${randomUUID()}`,
    receivedAt: new Date(nowMs).toISOString(),
    size,
    sha256: hash.digest('hex'),
    body: size <= MAX_SHOWN_BYTES ? Buffer.concat(kept).toString('utf8') : null,
  };
  return deliveries.create(delivery);
}

/** The newest deliveries under a name. */
export async function listDeliveries(receiver: string): Promise<Omit<Delivery, 'receiver'>[]> {
  const query = { pk: `RECEIVER#${receiver}`, newestFirst: true };
  const items = await firstItems(deliveries, query, MAX_LISTED);
  return items.map(({ receiver: _, version: __, ...delivery }) => delivery);
}
