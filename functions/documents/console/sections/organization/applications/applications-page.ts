import { html } from 'hono/html';
import type { Answer } from '../../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import {
  badge,
  confirmed,
  givenText,
  problemBox,
  selectField,
  textField,
} from '../../../../../../shared/ui/parts.ts';
import { timeOf } from '../../../../../../shared/ui/time-element.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';
import { APPLICATION_ROLES } from '../../../../contract/organization/applications.ts';
import { listOwnApplications, type RenderedApplication } from '../../../../domain/members/applications.ts';
import { mayGive } from '../../../../domain/members/permissions.ts';
import { consolePath } from '../../../pages/frame.ts';
import { memberPage } from '../../../pages/member-page.ts';
import { roleWords } from '../../../pages/role-words.ts';
import type { Visit } from '../../../visit.ts';
import { tabs, tabTitle } from '../tabs.ts';

const applicationWords = translations({
  hint: {
    en: 'Programs that call the API for this organization. Each key may do what a member of its role may.',
    'pt-BR':
      'Programas que chamam a API por esta organização. Cada chave faz o que um membro da sua função pode fazer.',
  },
  create: { en: 'Make an application', 'pt-BR': 'Criar um aplicativo' },
  name: { en: 'Name', 'pt-BR': 'Nome' },
  scope: { en: 'Its keys may do what this role may', 'pt-BR': 'As chaves fazem o que esta função pode' },
  createNow: { en: 'Make it, with a key', 'pt-BR': 'Criar, com uma chave' },
  wrong: {
    en: 'Give a name of up to 60 characters, and a role.',
    'pt-BR': 'Informe um nome de até 60 caracteres e uma função.',
  },
  none: {
    en: 'There are no applications yet. Make one to call the API.',
    'pt-BR': 'Ainda não há aplicativos. Crie um para chamar a API.',
  },
  newKey: { en: 'The new key of', 'pt-BR': 'A nova chave de' },
  once: {
    en: 'This is the only time that the key is shown. Store it where secrets are kept, and send it in the header X-API-Key.',
    'pt-BR':
      'Esta é a única vez que a chave é mostrada. Guarde-a onde ficam os segredos e envie-a no cabeçalho X-API-Key.',
  },
  copy: { en: 'Copy the key', 'pt-BR': 'Copiar a chave' },
  copied: { en: 'Copied', 'pt-BR': 'Copiada' },
  keys: { en: 'Keys', 'pt-BR': 'Chaves' },
  issuedAt: { en: 'Issued', 'pt-BR': 'Emitida' },
  isRevoked: { en: 'Revoked', 'pt-BR': 'Revogada' },
  issue: { en: 'Issue another key', 'pt-BR': 'Emitir outra chave' },
  revoke: { en: 'Revoke…', 'pt-BR': 'Revogar…' },
  revokeMeans: {
    en: 'Whoever uses this key is refused within a minute, for good.',
    'pt-BR': 'Quem usa esta chave é recusado em até um minuto, para sempre.',
  },
  revokeNow: { en: 'Revoke', 'pt-BR': 'Revogar' },
  remove: { en: 'Remove…', 'pt-BR': 'Remover…' },
  removeMeans: {
    en: 'All keys of this application are refused within a minute, for good.',
    'pt-BR': 'Todas as chaves deste aplicativo são recusadas em até um minuto, para sempre.',
  },
  removeNow: { en: 'Remove', 'pt-BR': 'Remover' },
  revoked: { en: 'The key was revoked.', 'pt-BR': 'A chave foi revogada.' },
  removed: { en: 'The application was removed.', 'pt-BR': 'O aplicativo foi removido.' },
});

type Words = ReturnType<typeof applicationWords>;

type ApplicationsView = {
  readonly fields?: { readonly name: string; readonly role: string };
  readonly isWrong?: boolean;
  readonly refusal?: string;
  /** A key that was just issued. */
  readonly issued?: { readonly application: RenderedApplication; readonly key: string };
};

export async function applicationsPage(visit: Visit, view: ApplicationsView = {}): Promise<Answer> {
  const { language, caller, organization } = visit;
  const words = applicationWords(language);
  const found = await listOwnApplications(caller, organization.id);
  return memberPage(visit, {
    title: tabTitle(visit, 'applications'),
    current: 'organization',
    address: consolePath('organization/applications'),
    ...((view.isWrong || view.refusal !== undefined) && { status: 422 }),
    done: { revoked: words.revoked, removed: words.removed },
    body: html`${tabs(visit, 'applications')}
<p class="faint">${words.hint}</p>
${view.issued ? keyCard(view.issued, words) : ''}
${createCard(visit, view)}
${found.length === 0 ? html`<p class="card">${words.none}</p>` : found.map((each) => applicationCard(visit, each))}`,
  });
}

const keyCard = ({ application, key }: NonNullable<ApplicationsView['issued']>, words: Words): Markup =>
  html`<section class="card stack" role="status" aria-labelledby="new-key"><h2 id="new-key">${words.newKey} ${givenText(application.name)}</h2>
<p class="secret"><code id="key">${key}</code></p>
<p>${words.once}</p>
<div class="actions"><button class="button" type="button" data-copy="key" data-copied="${words.copied}" hidden>${words.copy}</button></div></section>`;

function createCard({ language, member }: Visit, { fields, isWrong, refusal }: ApplicationsView): Markup {
  const words = applicationWords(language);
  const roles = APPLICATION_ROLES.filter((role) => mayGive(member.role, role));
  return html`<section class="card" aria-labelledby="create"><h2 id="create">${words.create}</h2>
<form class="stack" method="post" action="${consolePath('organization/applications/create')}">
${problemBox(isWrong ? words.wrong : refusal)}
<div class="row">${textField({ id: 'name', label: words.name, value: fields?.name ?? '', attributes: html` required maxlength="60" autocomplete="off"` })}
${selectField({ id: 'role', label: words.scope, value: fields?.role ?? 'Member', choices: roles.map((role) => ({ value: role, text: roleWords(language)[role] })) })}
<button class="button">${words.createNow}</button></div>
</form></section>`;
}

function applicationCard({ language }: Visit, { id, name, role, keys }: RenderedApplication): Markup {
  const words = applicationWords(language);
  const path = (end: string) => consolePath(`organization/applications/${id}/${end}`);
  return html`<section class="card stack" aria-labelledby="${id}"><h2 id="${id}">${givenText(name)} ${badge(roleWords(language)[role])}</h2>
<p class="faint"><code>${id}</code></p>
<h3>${words.keys}</h3>
<ul class="tasks">${keys.map(
    (key) => html`<li class="row"><span>${words.issuedAt} ${timeOf(language, Date.parse(key.issuedDate))} ${
      key.revokedDate === null
        ? ''
        : html`${badge(words.isRevoked, 'bad')} ${timeOf(language, Date.parse(key.revokedDate))}`
    }</span>
${
  key.revokedDate === null
    ? confirmed({
        summary: words.revoke,
        explanation: words.revokeMeans,
        button: words.revokeNow,
        action: path(`revoke/${key.id}`),
      })
    : ''
}</li>`,
  )}</ul>
<div class="actions"><form method="post" action="${path('issue')}"><button class="button quiet">${words.issue}</button></form>
${confirmed({ summary: words.remove, explanation: words.removeMeans, button: words.removeNow, action: path('remove') })}</div></section>`;
}
