import { readTogether } from '../../../../shared/store/group/read.ts';
import type { Rendered, Withdrawn } from '../../../../shared/webhooks/engine.ts';
import { type Item, items } from '../../items/domain/item.ts';
import type { KindName } from '../../items/domain/kinds.ts';
import { typeOf } from './event-types.ts';
import { modelOf } from './models.ts';
import { isReceiver } from './receiver.ts';

/** What an event is about: an item, and the family of its types. */
export const subjectOf = ({ kind, id }: Pick<Item, 'kind' | 'id'>, family: string): string =>
  JSON.stringify([kind, id, family]);

/**
 * The event of an item as it is now: its latest one in the family, with its present data. Withdrawn where the item does
 * not exist any more, or its events do not go to this owner any more.
 */
export async function renderSubject(subject: string, owner: string): Promise<Rendered | Withdrawn> {
  const [kind, id, family] = JSON.parse(subject) as [KindName, string, string];
  const item = await readTogether(items, { kind, id });
  if (!item) return { withdrawn: `The ${kind} ${id} does not exist any more.` };
  const event = item.lastEvents[family];
  const type = event === undefined ? undefined : typeOf(family, event);
  if (type === undefined) return { withdrawn: `The ${kind} ${id} has no ${family} event that is sent.` };
  if (!(await isReceiver(item, family, owner)))
    return { withdrawn: `The ${family} events of the ${kind} ${id} do not go to this webhook any more.` };
  return { type, data: modelOf(item, family) };
}
