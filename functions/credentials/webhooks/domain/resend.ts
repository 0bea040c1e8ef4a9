import { commit } from '../../../../shared/store/commit.ts';
import { errors } from '../../errors.ts';
import type { Item } from '../../items/domain/item.ts';
import { announcing } from './announce.ts';
import { typeOf } from './event-types.ts';

/** Sends the present state of an item again: the latest event of each of its families. */
export async function resend(item: Item): Promise<{ readonly types: readonly string[] }> {
  const recordings = await Promise.all(
    Object.entries(item.lastEvents).map(async ([family, event]) => {
      const recorded = await announcing(item, family, event);
      return { ...recorded, types: recorded.eventIds.flatMap(() => typeOf(family, event) ?? []) };
    }),
  );
  const types = recordings.flatMap((recorded) => recorded.types);
  if (types.length === 0) throw errors.refuse('WebhookNotConfigured');
  await commit(recordings.flatMap(({ writes }) => writes));
  return { types };
}
