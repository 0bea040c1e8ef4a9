import type { Item } from '../../items/domain/item.ts';
import { KINDS } from '../../items/domain/kinds.ts';
import { settings } from '../../settings.ts';
import { readIntegration } from './integrations.ts';

/**
 * Whose webhook gets the events of an item: its organization's, or its institute's own. Whether there is one is for the
 * engine to know. Undefined for events that this instance does not send.
 */
export async function receiverOf(
  { kind, organizationId, instituteId }: Item,
  family: string,
): Promise<string | undefined> {
  if (family === KINDS.restamp.family && !settings['Webhooks:RestampEvents']) return undefined;
  if (KINDS[kind].owner === 'organization') return organizationId;
  const own = await readIntegration(instituteId);
  // With the flag the organization's settings count, `enabled` included, and none of the institute's own.
  return own?.shouldUseSubscriptionWebhookSettings ? organizationId : instituteId;
}

/** Whether the events of an item still go to the owner that one was recorded for. */
export const isReceiver = async (item: Item, family: string, owner: string): Promise<boolean> =>
  (await receiverOf(item, family)) === owner;
