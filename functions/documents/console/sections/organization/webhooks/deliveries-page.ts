import { html } from 'hono/html';
import type { Answer } from '../../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { givenText } from '../../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../../shared/ui/table.ts';
import { timeOf } from '../../../../../../shared/ui/time-element.ts';
import { deliveryStates } from '../../../../../../shared/webhooks/deliveries/delivery.ts';
import { listWebhookDeliveries } from '../../../../domain/webhooks/deliveries.ts';
import { findWebhook } from '../../../../domain/webhooks/registrations.ts';
import { consolePath } from '../../../pages/frame.ts';
import { memberPage } from '../../../pages/member-page.ts';
import { queryText, type Visit } from '../../../visit.ts';
import { tabs } from '../tabs.ts';
import { outcomeOf, replayForm, stateBadge } from './delivery-parts.ts';
import { stateWords, webhookWords } from './webhook-words.ts';
import { WEBHOOKS } from './webhooks-page.ts';

type Delivery = Awaited<ReturnType<typeof listWebhookDeliveries>>['items'][number];

const PER_PAGE = 25;

/** What was sent to a webhook, the newest first. It is kept up to date. */
export async function deliveriesPage(visit: Visit, webhookId: string): Promise<Answer> {
  const { language, caller, organization } = visit;
  const words = webhookWords(language);
  const cursor = queryText(visit, 'cursor');
  const state = deliveryStates.states.find((name) => name === queryText(visit, 'state'));
  const path = { orgId: organization.id, webhookId };
  const { webhook } = await findWebhook(caller, organization.id, webhookId);
  const { items, nextCursor } = await listWebhookDeliveries(caller, path, {
    limit: PER_PAGE,
    ...(state && { state }),
    ...(cursor !== '' && { cursor }),
  });
  const at = consolePath(`${WEBHOOKS}/${webhookId}`);
  const older = new URLSearchParams({ ...(state && { state }), cursor: nextCursor ?? '' });
  return memberPage(visit, {
    title: words.deliveries,
    current: 'organization',
    done: { tested: words.tested, replayed: words.replayed },
    body: html`${tabs(visit, 'webhooks')}
<div><h2>${words.deliveries}</h2><p>${givenText(webhook.url)}</p></div>
<div class="actions"><form method="post" action="${at}/test"><button class="button quiet">${words.test}</button></form>
<form method="post" action="${at}/replay"><button class="button quiet">${words.replayAll}</button></form>
<a class="button quiet" href="${consolePath(WEBHOOKS)}">${words.back}</a></div>
${stateFilter(visit, at, state)}
<div id="deliveries" data-live="5">${items.length > 0 ? renderTable(columnsOf(visit, at), items) : html`<p class="card">${state ? words.noneOfState : words.noDeliveries}</p>`}</div>
${nextCursor === null ? '' : html`<p><a class="button quiet" href="${at}/deliveries?${older}">${words.older}</a></p>`}`,
  });
}

function stateFilter({ language }: Visit, at: string, current: Delivery['state'] | undefined): Markup {
  const words = webhookWords(language);
  const states = stateWords(language);
  const links = [undefined, ...deliveryStates.states].map(
    (state) =>
      html`<li><a href="${at}/deliveries${state ? `?state=${state}` : ''}"${state === current ? html` aria-current="page"` : ''}>${state ? states[state] : words.all}</a></li>`,
  );
  return html`<nav class="tabs" aria-label="${words.state}"><ul>${links}</ul></nav>`;
}

function columnsOf({ language }: Visit, at: string): readonly Column<Delivery>[] {
  const words = webhookWords(language);
  return [
    {
      title: words.event,
      kind: 'file',
      cell: ({ id, type }) => html`<a href="${at}/deliveries/${id}">${type}</a>`,
    },
    { title: words.state, kind: 'text', cell: ({ state }) => stateBadge(language, state) },
    { title: words.when, kind: 'text', cell: ({ createdDate }) => timeOf(language, Date.parse(createdDate)) },
    { title: words.attempts, kind: 'number', cell: ({ attemptCount }) => String(attemptCount) },
    {
      title: words.answer,
      kind: 'wide',
      cell: ({ lastAttempt }) => (lastAttempt === null ? '' : outcomeOf(lastAttempt)),
    },
    {
      title: words.nextAttempt,
      kind: 'text',
      cell: ({ nextAttemptDate }) =>
        nextAttemptDate === null ? '' : timeOf(language, Date.parse(nextAttemptDate), { time: 'medium' }),
    },
    {
      title: words.actions,
      kind: 'actions',
      cell: (delivery) => replayForm(language, at, delivery),
    },
  ];
}
