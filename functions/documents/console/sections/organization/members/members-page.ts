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
import { timeOf } from '../../../../../../shared/ui/time-element.ts';
import { listMembers } from '../../../../domain/members/members.ts';
import { mayDo, ROLES } from '../../../../domain/members/permissions.ts';
import type { Member } from '../../../../domain/members/roster.ts';
import { formatCpf } from '../../../../pages/format.ts';
import { consolePath } from '../../../pages/frame.ts';
import { memberPage } from '../../../pages/member-page.ts';
import { roleWords } from '../../../pages/role-words.ts';
import type { Visit } from '../../../visit.ts';
import { tabs, tabTitle } from '../tabs.ts';
import { memberProblems, membersWords } from './members-words.ts';

/** A form about a member, as it was sent. */
export type MemberFields = {
  readonly name: string;
  readonly email: string;
  readonly identifier: string;
  readonly role: string;
};

/** A form that is shown again: what was sent, the fields that are wrong, and what the domain refused. */
export type Again = {
  readonly fields: MemberFields;
  readonly wrong?: readonly string[];
  readonly refusal?: string | undefined;
};

type Words = ReturnType<typeof membersWords>;

/** The members, and the form that invites another. */
export async function membersPage(visit: Visit, again?: Again): Promise<Answer> {
  const { language, member, organization } = visit;
  const words = membersWords(language);
  const members = await listMembers(visit.caller, organization.id);
  const mayChange = mayDo(member.role, 'members.change') && organization.identifier !== null;
  return memberPage(visit, {
    title: tabTitle(visit, 'members'),
    current: 'organization',
    address: consolePath('organization/members'),
    ...(again && { status: 422 }),
    done: { invited: words.invited, changed: words.changed, removed: words.removed },
    body: html`${tabs(visit, 'members')}
${mayChange ? inviteCard(visit, again) : ''}
${renderTable(columnsOf(visit, words), members)}
${confirmed({
  summary: words.leave,
  explanation: words.leaveMeans,
  button: words.leaveNow,
  action: consolePath('organization/leave'),
})}`,
  });
}

const EMPTY: MemberFields = { name: '', email: '', identifier: '', role: 'Member' };

function inviteCard(visit: Visit, again: Again | undefined): Markup {
  const words = membersWords(visit.language);
  return html`<section class="card" aria-labelledby="invite"><h2 id="invite">${words.invite}</h2>
<form class="stack" method="post" action="${consolePath('organization/members/invite')}">
${problemBox(again?.refusal)}
<div class="row top">${memberInputs(visit, again ?? { fields: EMPTY }, { withEmail: true })}</div>
<div class="actions"><button class="button">${words.sendInvitation}</button></div>
</form></section>`;
}

function memberInputs(
  { language }: Visit,
  { fields, wrong = [] }: Again,
  { withEmail }: { readonly withEmail: boolean },
): Markup {
  const words = membersWords(language);
  const problems = memberProblems(language);
  const problemOf = (name: keyof typeof problems) => (wrong.includes(name) ? problems[name] : undefined);
  return html`${textField({ id: 'name', label: words.name, value: fields.name, problem: problemOf('name'), attributes: html` required maxlength="100" autocomplete="off"` })}
${withEmail ? textField({ id: 'email', label: words.email, value: fields.email, problem: problemOf('email'), attributes: html` type="email" required maxlength="254" autocomplete="off"` }) : ''}
${textField({ id: 'identifier', label: words.cpf, value: fields.identifier, hint: words.cpfHint, problem: problemOf('identifier'), attributes: html` inputmode="numeric" autocomplete="off"` })}
${selectField({ id: 'role', label: words.role, value: fields.role, problem: problemOf('role'), choices: ROLES.toReversed().map((role) => ({ value: role, text: words[role] })) })}`;
}

/** One member, to be changed. */
export function memberFormPage(visit: Visit, member: Member, again?: Again): Promise<Answer> {
  const words = membersWords(visit.language);
  const { id, name, email, cpf, role } = member;
  const shown = again ?? { fields: { name, email, identifier: cpf === null ? '' : formatCpf(cpf), role } };
  return memberPage(visit, {
    title: words.changeTitle,
    current: 'organization',
    address: consolePath(`organization/members/${id}`),
    ...(again && { status: 422 }),
    body: html`${tabs(visit, 'members')}
<section class="card" aria-labelledby="change"><h2 id="change">${words.changeTitle}</h2>
<form class="stack" method="post" action="${consolePath(`organization/members/${id}/change`)}">
<p>${givenText(email)}</p>
${problemBox(shown.refusal)}
<div class="row top">${memberInputs(visit, shown, { withEmail: false })}</div>
<div class="actions"><button class="button">${words.save}</button>
<a class="button quiet" href="${consolePath('organization/members')}">${words.cancel}</a></div>
</form></section>`,
  });
}

const columnsOf = (visit: Visit, words: Words): readonly Column<Member>[] => [
  {
    title: words.person,
    kind: 'file',
    cell: ({ id, name }) =>
      html`${givenText(name)}${id === visit.member.id ? html`<span class="faint">${words.you}</span>` : ''}`,
  },
  { title: words.email, kind: 'wide', cell: ({ email }) => givenText(email) },
  { title: words.role, kind: 'text', cell: ({ role }) => roleWords(visit.language)[role] },
  { title: words.cpf, kind: 'text', cell: ({ cpf }) => (cpf === null ? '' : formatCpf(cpf)) },
  { title: words.since, kind: 'text', cell: ({ invitedAtMs }) => timeOf(visit.language, invitedAtMs) },
  ...(mayDo(visit.member.role, 'members.change')
    ? [
        {
          title: words.actions,
          kind: 'actions',
          cell: (row: Member) => actionsOf(row, visit, words),
        } as const,
      ]
    : []),
];

const actionsOf = ({ id, email }: Member, visit: Visit, words: Words): Markup =>
  html`<div class="actions"><a class="button quiet" href="${consolePath(`organization/members/${id}`)}" aria-label="${words.change}: ${email}">${words.change}</a>
${
  id === visit.member.id
    ? ''
    : confirmed({
        summary: words.remove,
        explanation: words.removeMeans,
        button: words.removeNow,
        action: consolePath(`organization/members/${id}/remove`),
      })
}</div>`;
