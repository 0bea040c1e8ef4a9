import type { Item } from '../../items/domain/item.ts';
import { KINDS } from '../../items/domain/kinds.ts';
import { settings } from '../../settings.ts';
import { forgetIntegration, recentIntegration } from './integrations.ts';

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
  const own = await recentIntegration(instituteId);
  // With the flag the organization's settings count, `enabled` included, and none of the institute's own.
  return own?.shouldUseSubscriptionWebhookSettings ? organizationId : instituteId;
}

// An institute turns to its organization's webhook, and a process does not know it yet:
//
//   process 1  |--sets the flag--records an event for the organization
//   process 2  (flag of before)             |--renders it: for the institute?--reads the flag again: for the organization
//
// So an event is withdrawn only by what the store says at that moment.

/** Whether the events of an item still go to the owner that one was recorded for. */
export async function isReceiver(item: Item, family: string, owner: string): Promise<boolean> {
  if ((await receiverOf(item, family)) === owner) return true;
  forgetIntegration(item.instituteId);
  return (await receiverOf(item, family)) === owner;
}
