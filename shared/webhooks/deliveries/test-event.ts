import { commit } from '../../store/commit.ts';
import type { WebhookEngine } from '../engine.ts';
import { getWebhook } from '../registrations/registrations.ts';
import type { Refused } from '../webhook.ts';
import { type Notice, recordingFor } from './record-events.ts';

/**
 * Sends an event to one webhook alone, to see whether it arrives. It is attempted once: whoever tests looks at
 * how that went and tests again.
 * @example const sent = await sendTestEvent(webhooks, organization.id, webhookId, { type: 'WebhookTest', data });
 */
export async function sendTestEvent(
  engine: WebhookEngine,
  owner: string,
  webhookId: string,
  notice: Pick<Notice, 'type' | 'data'>,
): Promise<{ readonly eventId: string } | Refused<'not-found'>> {
  const webhook = await getWebhook(engine, owner, webhookId);
  if (!webhook) return { refused: 'not-found', message: 'There is no webhook by this id.' };
  const { eventIds, writes, wake } = recordingFor(engine, [webhook], [notice], 1);
  await commit(writes);
  await wake();
  const [eventId = ''] = eventIds;
  return { eventId };
}
