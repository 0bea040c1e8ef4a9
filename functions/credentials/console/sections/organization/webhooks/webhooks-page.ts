import { html } from 'hono/html';
import type { Answer } from '../../../../../../shared/http/response/answer.ts';
import {
  badge,
  checkBox,
  givenText,
  problemBox,
  selectField,
  textField,
} from '../../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../../shared/ui/table.ts';
import { AUTH_TYPES } from '../../../../../../shared/webhooks/webhook.ts';
import { listInstitutes } from '../../../../tenants/domain/institutes.ts';
import { getIntegration } from '../../../../webhooks/domain/configure.ts';
import type { Integration } from '../../../../webhooks/domain/integrations.ts';
import { consolePath } from '../../../pages/frame.ts';
import { memberPage } from '../../../pages/member-page.ts';
import type { Visit } from '../../../visit.ts';
import { tabs, tabTitle } from '../tabs.ts';
import { webhookWords } from './webhook-words.ts';

export const WEBHOOKS = 'organization/webhooks';

/** Whose webhook it is: the organization's, or an institute's. */
export type WebhookOwner = { readonly id: string; readonly name: string; readonly isInstitute: boolean };

type Row = { readonly owner: WebhookOwner; readonly integration: Integration };
type Words = ReturnType<typeof webhookWords>;

/** The webhook of the organization and those of its institutes. */
export async function webhooksPage(visit: Visit): Promise<Answer> {
  const { caller, organization, language } = visit;
  const words = webhookWords(language);
  const owners: readonly WebhookOwner[] = [
    { ...organization, isInstitute: false },
    ...(await listInstitutes(caller, organization.id)).map((each) => ({ ...each, isInstitute: true })),
  ];
  const rows = await Promise.all(
    owners.map(async (owner) => ({ owner, integration: await getIntegration(owner.id) })),
  );
  return memberPage(visit, {
    title: tabTitle(visit, 'webhooks'),
    current: 'organization',
    done: { changed: words.changed },
    body: html`${tabs(visit, 'webhooks')}
<p class="faint">${words.hint}</p>
${renderTable(columnsOf(words), rows)}`,
  });
}

const stateOf = ({ enabled, shouldUseSubscriptionWebhookSettings }: Integration, words: Words) => {
  if (shouldUseSubscriptionWebhookSettings) return badge(words.likeOrganization);
  return enabled ? badge(words.on, 'good') : badge(words.off);
};

const columnsOf = (words: Words): readonly Column<Row>[] => [
  {
    title: words.owner,
    kind: 'file',
    cell: ({ owner: { name, isInstitute } }) =>
      html`${givenText(name)} <span class="faint">${isInstitute ? words.institute : words.organization}</span>`,
  },
  { title: words.state, kind: 'text', cell: ({ integration }) => stateOf(integration, words) },
  {
    title: words.url,
    kind: 'wide',
    cell: ({ integration: { url } }) => (url === null ? '' : givenText(url)),
  },
  {
    title: words.actions,
    kind: 'actions',
    cell: ({ owner: { id, name } }) =>
      html`<div class="actions"><a class="button quiet" href="${consolePath(`${WEBHOOKS}/${id}`)}" aria-label="${words.change}: ${name}">${words.change}</a></div>`,
  },
];

/** What the form shows: what is configured, or what was sent. */
type Shown = Pick<Integration, 'enabled' | 'shouldUseSubscriptionWebhookSettings'> & {
  readonly url: string | null;
  readonly authType: string | null;
};

type Again = { readonly sent: Shown; readonly problem: string };

/** One webhook, to be changed. All of it is set at once, as the API does it. */
export async function webhookFormPage(visit: Visit, owner: WebhookOwner, again?: Again): Promise<Answer> {
  const words = webhookWords(visit.language);
  const shown: Shown = again?.sent ?? (await getIntegration(owner.id));
  return memberPage(visit, {
    title: words.changeTitle,
    current: 'organization',
    address: consolePath(`${WEBHOOKS}/${owner.id}`),
    ...(again && { status: 422 }),
    body: html`${tabs(visit, 'webhooks')}
<section class="card" aria-labelledby="webhook"><h2 id="webhook">${words.changeTitle}</h2>
<p>${givenText(owner.name)} <span class="faint">${owner.isInstitute ? words.institute : words.organization}</span></p>
<form class="stack" method="post" action="${consolePath(`${WEBHOOKS}/${owner.id}/change`)}" autocomplete="off">
${problemBox(again?.problem)}
${checkBox({ id: 'enabled', label: words.enabled, hint: words.enabledHint, isChecked: shown.enabled })}
${owner.isInstitute ? checkBox({ id: 'shared', label: words.shared, hint: words.sharedHint, isChecked: shown.shouldUseSubscriptionWebhookSettings }) : ''}
${textField({ id: 'url', label: words.url, value: shown.url ?? '', attributes: html` type="url" maxlength="2048" placeholder="https://"` })}
<div class="row">${selectField({ id: 'authType', label: words.authType, value: shown.authType ?? 'NoAuth', choices: AUTH_TYPES.map((value) => ({ value, text: words[value] })) })}
${textField({ id: 'token', label: words.token, hint: words.tokenHint, attributes: html` type="password" maxlength="4096" autocomplete="off"` })}</div>
<div class="actions"><button class="button">${words.save}</button>
<a class="button quiet" href="${consolePath(WEBHOOKS)}">${words.cancel}</a></div>
</form></section>`,
  });
}
