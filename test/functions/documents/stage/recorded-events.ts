import { randomUUID } from 'node:crypto';
import { WEBHOOKS } from '../../../../functions/documents/contract/events.ts';
import { webhooks } from '../../../../functions/documents/domain/document/webhook-engine.ts';
import { registrationsOf } from '../../../../shared/webhooks/registrations/lookup.ts';
import type { Webhook } from '../../../../shared/webhooks/webhook.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { expectModeled } from '../../webhook-models.ts';

type RecordedEvent = { readonly type: string; readonly data: Record<string, unknown> };

/** Registers a webhook whose address nobody answers, so that its events stay recorded. */
export async function registerSilentWebhook(owner: string): Promise<void> {
  const webhook: Webhook = {
    id: randomUUID(),
    owner,
    url: 'http://127.0.0.1:9/',
    authType: 'NoAuth',
    token: '',
    createdAtMs: Date.now(),
  };
  await registrationsOf(webhooks).create({ owner, webhooks: [webhook] });
}

/** The events recorded for an organization's webhooks, in their order. Each is as its contract says. */
export async function recordedEventsOf(owner: string): Promise<RecordedEvent[]> {
  const rows = await everyItem('documents');
  const events = rows
    .filter(({ sk, owner: of }) => sk?.S === 'EVENT' && of?.S === owner)
    .sort((a, b) => ((a.pk?.S ?? '') < (b.pk?.S ?? '') ? -1 : 1))
    .map(({ body }) => JSON.parse(body?.S ?? '') as RecordedEvent);
  for (const event of events) expectModeled(WEBHOOKS, event);
  return events;
}
