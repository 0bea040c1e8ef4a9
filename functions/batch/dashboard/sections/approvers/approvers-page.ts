import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { type Cpf, maskCpf } from '../../../../../shared/taxpayer/cpf.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { timeOf } from '../../../config/page-format.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { badge, confirmed, problemBox } from '../../pages/parts.ts';
import { givenText } from '../../pages/text.ts';
import type { Visit } from '../../visit.ts';
import type { ApproverRow } from './approver-rows.ts';

const approverWords = translations({
  title: { en: 'Approvers', 'pt-BR': 'Aprovadores' },
  hint: {
    en: 'Everybody whom a profile names, or has named, to approve files.',
    'pt-BR': 'Todos que um perfil indica, ou já indicou, para aprovar arquivos.',
  },
  none: {
    en: 'There are no approvers. A profile with an approval rule names them.',
    'pt-BR': 'Não há aprovadores. Um perfil com regra de aprovação os indica.',
  },
  person: { en: 'Person', 'pt-BR': 'Pessoa' },
  address: { en: 'Address', 'pt-BR': 'Endereço' },
  profiles: { en: 'Profiles', 'pt-BR': 'Perfis' },
  noProfile: { en: 'None any more', 'pt-BR': 'Nenhum mais' },
  secondFactor: { en: 'Second factor', 'pt-BR': 'Segundo fator' },
  noFactorYet: { en: 'None', 'pt-BR': 'Nenhum' },
  pending: { en: 'Not confirmed', 'pt-BR': 'Não confirmado' },
  enrolled: { en: 'Since', 'pt-BR': 'Desde' },
  locked: { en: 'Locked until', 'pt-BR': 'Bloqueado até' },
  actions: { en: 'Actions', 'pt-BR': 'Ações' },
  showLink: { en: 'Show link', 'pt-BR': 'Mostrar link' },
  linkTitle: { en: 'Portal link of', 'pt-BR': 'Link do portal de' },
  linkHint: {
    en: 'The link is a credential: whoever has it is this person to the portal. Give it to nobody else.',
    'pt-BR':
      'O link é uma credencial: quem o tem é esta pessoa para o portal. Não o entregue a mais ninguém.',
  },
  copyLink: { en: 'Copy the link', 'pt-BR': 'Copiar o link' },
  copied: { en: 'Copied', 'pt-BR': 'Copiado' },
  mailLink: { en: 'Send it by mail…', 'pt-BR': 'Enviar por e-mail…' },
  mailSubject: { en: 'Your link to the approvals', 'pt-BR': 'Seu link para as aprovações' },
  mailBody: {
    en: 'With this link you see the files that wait for your decision. It is yours alone: do not pass it on.',
    'pt-BR': 'Com este link você vê os arquivos que esperam a sua decisão. Ele é só seu: não o encaminhe.',
  },
  hideLink: { en: 'Hide', 'pt-BR': 'Esconder' },
  reset: { en: 'Reset second factor…', 'pt-BR': 'Remover segundo fator…' },
  resetMeans: {
    en: 'The device of this person counts no more, and the next visit sets up another. Be sure that it was this person who asked you.',
    'pt-BR':
      'O dispositivo desta pessoa deixa de valer, e a próxima visita cadastra outro. Tenha certeza de que foi ela quem pediu.',
  },
  resetNow: { en: 'Reset', 'pt-BR': 'Remover' },
  resetDone: {
    en: 'The second factor was reset. The next visit to the portal sets it up again.',
    'pt-BR': 'O segundo fator foi removido. A próxima visita ao portal o cadastra de novo.',
  },
  unknown: {
    en: 'No profile has named this person as an approver.',
    'pt-BR': 'Nenhum perfil indicou esta pessoa como aprovador.',
  },
  noSecret: {
    en: 'There are no links: the setting ApproverPortal:LinkSecret is empty. Set it in every instance.',
    'pt-BR':
      'Não há links: a configuração ApproverPortal:LinkSecret está vazia. Defina-a em todas as instâncias.',
  },
  noFactor: {
    en: 'This person has no second factor. Nothing was changed.',
    'pt-BR': 'Esta pessoa não tem segundo fator. Nada foi alterado.',
  },
});

type Words = ReturnType<typeof approverWords>;

const STATUS = { unknown: 404, noSecret: 409, noFactor: 409 } as const;

type ApproversView = {
  readonly rows: readonly ApproverRow[];
  readonly problem?: keyof typeof STATUS;
  /** The link that was asked for. */
  readonly shown?: { readonly address: string; readonly link: string };
};

export function approversPage(visit: Visit, { rows, problem, shown }: ApproversView): Promise<Answer> {
  const words = approverWords(visit.language);
  return operatorPage(visit, {
    title: words.title,
    current: 'approvers',
    address: dashboardPath('approvers'),
    ...(problem && { status: STATUS[problem] }),
    done: { reset: words.resetDone },
    body: html`<div><h1>${words.title}</h1><p class="faint">${words.hint}</p></div>
${problemBox(problem && words[problem])}
${shown ? linkCard(shown, words) : ''}
${rows.length > 0 ? renderTable(columnsOf(visit, words), rows) : html`<p class="card">${words.none}</p>`}`,
  });
}

const linkCard = ({ address, link }: { address: string; link: string }, words: Words): Markup =>
  html`<section class="card stack" role="status" aria-labelledby="link"><h2 id="link">${words.linkTitle} ${givenText(address)}</h2>
<p class="secret"><code id="portal-link">${link}</code></p>
<p>${words.linkHint}</p>
<div class="actions"><button class="button" type="button" data-copy="portal-link" data-copied="${words.copied}" hidden>${words.copyLink}</button>
<a class="button quiet" href="${mailtoOf(address, link, words)}">${words.mailLink}</a>
<a class="button quiet" href="${dashboardPath('approvers')}">${words.hideLink}</a></div></section>`;

/** A message of the operator's own mail program. RFC 6068: a line break is CR LF, and a space is no plus. */
const mailtoOf = (address: string, link: string, words: Words): string => {
  const body = `${words.mailBody}\r\n\r\n${link}\r\n`;
  return `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(words.mailSubject)}&body=${encodeURIComponent(body)}`;
};

const addressField = (address: string): Markup =>
  html`<input type="hidden" name="address" value="${address}">`;

const columnsOf = (visit: Visit, words: Words): readonly Column<ApproverRow>[] => [
  {
    title: words.person,
    kind: 'file',
    cell: ({ name, cpf }) => html`${givenText(name)}<span class="faint">${maskCpf(cpf as Cpf)}</span>`,
  },
  { title: words.address, kind: 'wide', cell: ({ address }) => givenText(address) },
  {
    title: words.profiles,
    kind: 'wide',
    cell: ({ profiles }) =>
      profiles.length === 0
        ? html`<span class="faint">${words.noProfile}</span>`
        : html`<ul>${profiles.map(
            (name) => html`<li><a href="${dashboardPath(`profiles/${name}`)}">${givenText(name)}</a></li>`,
          )}</ul>`,
  },
  { title: words.secondFactor, kind: 'text', cell: (row) => factorText(visit, row, words) },
  { title: words.actions, kind: 'actions', cell: (row) => actionsOf(row, words) },
];

function factorText({ language, nowMs }: Visit, { secondFactor }: ApproverRow, words: Words): Markup {
  if (!secondFactor) return html`${words.noFactorYet}`;
  const { confirmedAtMs, lockedUntilMs } = secondFactor;
  const lock =
    lockedUntilMs > nowMs ? html`<br>${badge(words.locked, 'bad')} ${timeOf(language, lockedUntilMs)}` : '';
  return confirmedAtMs === null
    ? html`${words.pending}${lock}`
    : html`${words.enrolled} ${timeOf(language, confirmedAtMs)}${lock}`;
}

const actionsOf = ({ address, secondFactor }: ApproverRow, words: Words): Markup =>
  html`<div class="actions"><form method="post" action="${dashboardPath('approvers/link')}">${addressField(address)}<button class="button quiet" aria-label="${words.showLink}: ${address}">${words.showLink}</button></form>
${
  secondFactor
    ? confirmed({
        summary: words.reset,
        explanation: words.resetMeans,
        button: words.resetNow,
        action: dashboardPath('approvers/reset'),
        fields: addressField(address),
      })
    : ''
}</div>`;
