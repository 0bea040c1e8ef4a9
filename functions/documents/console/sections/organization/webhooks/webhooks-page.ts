import { html } from 'hono/html';
import type { Answer } from '../../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import {
  confirmed,
  givenText,
  problemBox,
  selectField,
  textField,
} from '../../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../../shared/ui/table.ts';
import { AUTH_TYPES } from '../../../../../../shared/webhooks/webhook.ts';
import { getOrganization } from '../../../../domain/webhooks/registrations.ts';
import { consolePath } from '../../../pages/frame.ts';
import { memberPage } from '../../../pages/member-page.ts';
import type { Visit } from '../../../visit.ts';
import { tabs, tabTitle } from '../tabs.ts';
import { webhookWords } from './webhook-words.ts';

export const WEBHOOKS = 'organization/webhooks';

type Webhook = Awaited<ReturnType<typeof getOrganization>>['webhooks'][number];

/** A form about a webhook, as it was sent. Token and secret are not shown again. */
export type WebhookAgain = { readonly url: string; readonly authType: string; readonly problem?: string };

type Words = ReturnType<typeof webhookWords>;

const DONE = ['added', 'changed', 'removed'] as const;

/** The webhooks of the organization, and the form that adds one. */
export async function webhooksPage(visit: Visit, again?: WebhookAgain): Promise<Answer> {
  const { language, caller, organization } = visit;
  const words = webhookWords(language);
  const { webhooks } = await getOrganization(caller, organization.id);
  const isPersonal = organization.identifier === null;
  return memberPage(visit, {
    title: tabTitle(visit, 'webhooks'),
    current: 'organization',
    address: consolePath(WEBHOOKS),
    ...(again && { status: 422 }),
    done: Object.fromEntries(DONE.map((name) => [name, words[name]])),
    body: html`${tabs(visit, 'webhooks')}
<p class="faint">${isPersonal ? words.personal : words.hint}</p>
${webhooks.length > 0 ? renderTable(columnsOf(words), webhooks) : isPersonal ? '' : html`<p class="card">${words.none}</p>`}
${isPersonal ? '' : webhookForm(words, { title: words.add, button: words.addNow, action: 'add', again })}`,
  });
}

/** One webhook, to be changed. */
export function webhookFormPage(
  visit: Visit,
  { id, url, authType }: Webhook,
  again?: WebhookAgain,
): Promise<Answer> {
  const words = webhookWords(visit.language);
  return memberPage(visit, {
    title: words.change,
    current: 'organization',
    address: consolePath(`${WEBHOOKS}/${id}`),
    ...(again && { status: 422 }),
    body: html`${tabs(visit, 'webhooks')}
${webhookForm(words, { title: words.change, button: words.save, action: `${id}/change`, again: again ?? { url, authType } })}
<p><a href="${consolePath(WEBHOOKS)}">${words.cancel}</a></p>`,
  });
}

type FormOptions = {
  readonly title: string;
  readonly button: string;
  readonly action: string;
  readonly again: WebhookAgain | undefined;
};

const webhookForm = (words: Words, { title, button, action, again }: FormOptions): Markup =>
  html`<section class="card" aria-labelledby="webhook"><h2 id="webhook">${title}</h2>
<form class="stack" method="post" action="${consolePath(`${WEBHOOKS}/${action}`)}" autocomplete="off">
${problemBox(again?.problem)}
${textField({ id: 'url', label: words.url, value: again?.url ?? '', attributes: html` type="url" required maxlength="2048" placeholder="https://"` })}
<div class="row">${selectField({ id: 'authType', label: words.authType, value: again?.authType ?? 'NoAuth', choices: AUTH_TYPES.map((value) => ({ value, text: words[value] })) })}
${textField({ id: 'token', label: words.token, hint: words.tokenHint, attributes: html` type="password" maxlength="4096" autocomplete="off"` })}
${textField({ id: 'secret', label: words.secret, hint: words.secretHint, attributes: html` type="password" maxlength="100" autocomplete="off"` })}</div>
<div class="actions"><button class="button">${button}</button></div>
</form></section>`;

const columnsOf = (words: Words): readonly Column<Webhook>[] => [
  { title: words.url, kind: 'wide', cell: ({ url }) => givenText(url) },
  { title: words.authType, kind: 'text', cell: ({ authType }) => words[authType] },
  { title: words.actions, kind: 'actions', cell: (webhook) => actionsOf(webhook, words) },
];

const actionsOf = ({ id, url }: Webhook, words: Words): Markup =>
  html`<div class="actions"><a class="button quiet" href="${consolePath(`${WEBHOOKS}/${id}/deliveries`)}" aria-label="${words.deliveries}: ${url}">${words.deliveries}</a>
<a class="button quiet" href="${consolePath(`${WEBHOOKS}/${id}`)}" aria-label="${words.edit}: ${url}">${words.edit}</a>
<form method="post" action="${consolePath(`${WEBHOOKS}/${id}/test`)}"><button class="button quiet" aria-label="${words.test}: ${url}">${words.test}</button></form>
${confirmed({ summary: words.remove, explanation: words.removeMeans, button: words.removeNow, action: consolePath(`${WEBHOOKS}/${id}/remove`) })}</div>`;
