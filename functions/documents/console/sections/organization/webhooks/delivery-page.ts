import { html } from 'hono/html';
import type { Answer } from '../../../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { factList } from '../../../../../../shared/ui/parts.ts';
import { timeOf } from '../../../../../../shared/ui/time-element.ts';
import { getWebhookDelivery } from '../../../../domain/webhooks/deliveries.ts';
import { consolePath } from '../../../pages/frame.ts';
import { memberPage } from '../../../pages/member-page.ts';
import type { Visit } from '../../../visit.ts';
import { tabs } from '../tabs.ts';
import { outcomeOf, replayForm, stateBadge } from './delivery-parts.ts';
import { webhookWords } from './webhook-words.ts';
import { WEBHOOKS } from './webhooks-page.ts';

type Delivery = Awaited<ReturnType<typeof getWebhookDelivery>>;

/** One delivery: what was sent, and what each attempt came to. It is kept up to date. */
export async function deliveryPage(visit: Visit, webhookId: string, deliveryId: string): Promise<Answer> {
  const { language, caller, organization } = visit;
  const words = webhookWords(language);
  const path = { orgId: organization.id, webhookId };
  const delivery = await getWebhookDelivery(caller, path, deliveryId);
  const at = consolePath(`${WEBHOOKS}/${webhookId}`);
  return memberPage(visit, {
    title: words.delivery,
    current: 'organization',
    done: { replayed: words.replayed },
    body: html`${tabs(visit, 'webhooks')}
<h2>${words.delivery}</h2>
<div id="delivery" class="delivery stack" data-live="5">
<section class="card stack">${factsOf(delivery, language)}
<div class="actions">${replayForm(language, at, delivery)}
<a class="button quiet" href="${at}/deliveries">${words.allDeliveries}</a></div></section>
<section class="card stack" aria-labelledby="attempts"><h3 id="attempts">${words.attempts}</h3>
${delivery.attempts.length === 0 ? html`<p>${words.noAttempts}</p>` : html`<ol>${delivery.attempts.map((attempt) => attemptOf(attempt, language))}</ol>`}</section>
<section class="card stack" aria-labelledby="sent"><h3 id="sent">${words.sent}</h3>
${delivery.body === null ? html`<p>${words.notKept}</p>` : html`<pre tabindex="0">${indentJson(delivery.body)}</pre>`}</section>
</div>`,
  });
}

function factsOf(delivery: Delivery, language: Language): Markup {
  const words = webhookWords(language);
  const { id, type, state, createdDate, nextAttemptDate } = delivery;
  return factList([
    [words.event, type],
    [words.state, stateBadge(language, state)],
    [words.when, timeOf(language, Date.parse(createdDate), { time: 'medium' })],
    [
      words.nextAttempt,
      nextAttemptDate === null ? '' : timeOf(language, Date.parse(nextAttemptDate), { time: 'medium' }),
    ],
    ['webhook-id', html`<code>${id}</code>`],
  ]);
}

// The number of an attempt is of its delivery, replays included: the list's own would start again.
function attemptOf(attempt: Delivery['attempts'][number], language: Language): Markup {
  const { number, date, durationMs, response } = attempt;
  return html`<li value="${number}">${timeOf(language, Date.parse(date), { time: 'medium' })} · ${duration(language, durationMs)}
<p>${outcomeOf(attempt)}</p>
${response ? html`<details id="attempt-${number}"><summary>${webhookWords(language).response}</summary><pre tabindex="0">${response}</pre></details>` : ''}</li>`;
}

function duration(language: Language, ms: number): string {
  const [value, unit] = ms < 1_000 ? [ms, 'millisecond'] : [ms / 1_000, 'second'];
  const format = { style: 'unit', unit: String(unit), maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(Number(value));
}

/** JSON with line breaks, for reading. The body is the platform's own, and always JSON. */
const indentJson = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
