import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import type { Item } from '../../items/domain/item.ts';
import { webhooks } from './engine.ts';
import { typeOf } from './event-types.ts';
import { receiverOf } from './receiver.ts';
import { subjectOf } from './render-subject.ts';

const NOTHING: Recording = { eventIds: [], writes: [] };

/**
 * The event of a change, for the commit of the change. It names the item and not what it is: type and data are those of
 * the moment at which it is sent. An event that has no type, or that nobody receives, is none.
 */
export async function announcing(item: Item, family: string, event: string): Promise<Recording> {
  const type = typeOf(family, event);
  const owner = type && (await receiverOf(item, family));
  if (!owner) return NOTHING;
  return recording(webhooks, owner, [{ type, subject: subjectOf(item, family) }]);
}
