import { html } from 'hono/html';
import type { Answer } from '../../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { badge, givenText } from '../../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../../shared/ui/table.ts';
import { timeOf } from '../../../../../../shared/ui/time-element.ts';
import { listWebhookDeliveries } from '../../../../domain/webhooks/deliveries.ts';
import { findWebhook } from '../../../../domain/webhooks/registrations.ts';
import { consolePath } from '../../../pages/frame.ts';
import { memberPage } from '../../../pages/member-page.ts';
import { queryText, type Visit } from '../../../visit.ts';
import { tabs } from '../tabs.ts';
import { stateWords, webhookWords } from './webhook-words.ts';
import { WEBHOOKS } from './webhooks-page.ts';

type Delivery = Awaited<ReturnType<typeof listWebhookDeliveries>>['items'][number];

const PER_PAGE = 25;
const TONES = { Pending: 'warn', Confirmed: 'good', Exhausted: 'bad' } as const;

/** What was sent to a webhook, the newest first. It is kept up to date. */
export async function deliveriesPage(visit: Visit, webhookId: string): Promise<Answer> {
  const { language, caller, organization } = visit;
  const words = webhookWords(language);
  const cursor = queryText(visit, 'cursor');
  const path = { orgId: organization.id, webhookId };
  const { webhook } = await findWebhook(caller, organization.id, webhookId);
  const { items, nextCursor } = await listWebhookDeliveries(caller, path, {
    limit: PER_PAGE,
    ...(cursor !== '' && { cursor }),
  });
  const at = consolePath(`${WEBHOOKS}/${webhookId}`);
  return memberPage(visit, {
    title: words.deliveries,
    current: 'organization',
    done: { tested: words.tested, replayed: words.replayed },
    body: html`${tabs(visit, 'webhooks')}
<div><h2>${words.deliveries}</h2><p>${givenText(webhook.url)}</p></div>
<div class="actions"><form method="post" action="${at}/test"><button class="button quiet">${words.test}</button></form>
<form method="post" action="${at}/replay"><button class="button quiet">${words.replayAll}</button></form>
<a class="button quiet" href="${consolePath(WEBHOOKS)}">${words.back}</a></div>
<div id="deliveries" data-live="5">${items.length > 0 ? renderTable(columnsOf(visit, at), items) : html`<p class="card">${words.noDeliveries}</p>`}</div>
${nextCursor === null ? '' : html`<p><a class="button quiet" href="${at}/deliveries?${new URLSearchParams({ cursor: nextCursor })}">${words.older}</a></p>`}`,
  });
}

function columnsOf({ language }: Visit, at: string): readonly Column<Delivery>[] {
  const words = webhookWords(language);
  const states = stateWords(language);
  return [
    { title: words.event, kind: 'file', cell: ({ type }) => type },
    { title: words.state, kind: 'text', cell: ({ state }) => badge(states[state], TONES[state]) },
    { title: words.when, kind: 'text', cell: ({ createdDate }) => timeOf(language, Date.parse(createdDate)) },
    { title: words.attempts, kind: 'number', cell: ({ attemptCount }) => String(attemptCount) },
    { title: words.answer, kind: 'wide', cell: ({ lastAttempt }) => answerOf(lastAttempt) },
    {
      title: words.actions,
      kind: 'actions',
      cell: ({ id, state }) =>
        state === 'Pending'
          ? ''
          : html`<form method="post" action="${at}/replay/${id}"><button class="button quiet">${words.replay}</button></form>`,
    },
  ];
}

const answerOf = (attempt: Delivery['lastAttempt']): Markup | string =>
  attempt === null ? '' : attempt.status === null ? givenText(attempt.error ?? '') : String(attempt.status);
