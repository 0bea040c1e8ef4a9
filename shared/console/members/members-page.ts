import { html } from 'hono/html';
import type * as z from 'zod';
import type { Answer } from '../../http/response/answer.ts';
import type { memberOperations } from '../../members/change-members.ts';
import type { Member } from '../../members/member.ts';
import type { MemberSessions, MembersOrganization } from '../../members/sessions.ts';
import type { ServiceName } from '../../settings/names.ts';
import { formatCpf, parseCpf } from '../../taxpayer/cpf.ts';
import type { Language } from '../../ui/languages.ts';
import type { Markup } from '../../ui/page.ts';
import { confirmed, givenText, problemBox, selectField, textField } from '../../ui/parts.ts';
import { type Column, renderTable } from '../../ui/table.ts';
import { timeOf } from '../../ui/time-element.ts';
import type { MemberPages } from '../pages/member-page.ts';
import type { ConsoleTabs } from '../pages/tabs.ts';
import type { RefusalText } from '../refusals.ts';
import type { Visit } from '../visit.ts';
import { memberProblems, membersWords } from './members-words.ts';

/** The path of the members' page below `console/`. */
export const MEMBERS = 'organization/members';

/** The operations that the pages of members are. A service's table of permissions has them. */
export type MemberOperation = 'members.read' | 'members.change' | 'organization.read';

type Written<Role extends string> = { name: string; identifier: string | null; role: Role };

/** What the pages of members need to know of a service. */
export type MembersOptions<Role extends string, Organization extends MembersOrganization> = {
  readonly service: ServiceName;
  readonly consolePath: (path: string) => string;
  readonly pages: MemberPages<Role, Organization, 'organization'>;
  /** The pages about the organization, of which that of members is one. */
  readonly tabs: ConsoleTabs<Role, 'members'>;
  readonly refusalText: RefusalText;
  readonly operations: ReturnType<typeof memberOperations<Role, Organization>>;
  readonly sessions: Pick<MemberSessions<Role, Organization>, 'memberSessions'>;
  readonly contract: {
    readonly request: z.ZodType<Written<Role> & { email: string }>;
    readonly change: z.ZodType<Written<Role>>;
  };
  /** The roles, mightiest first. */
  readonly roles: readonly Role[];
  /** The role that a form offers first. */
  readonly usualRole: Role;
  /** The names of the roles, and what each may do. */
  readonly roleNames: (language: Language) => Readonly<Record<Role, string>>;
  readonly words: (language: Language) => Readonly<Record<Role | 'removeMeans' | 'leaveMeans', string>>;
  /** Whether a member may change who the members are. */
  readonly mayChange: (visit: Visit<Role, Organization>) => boolean;
};

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

const writtenCpf = (text: string): string => {
  const cpf = parseCpf(text);
  return cpf ? formatCpf(cpf) : text;
};

type Words = ReturnType<typeof membersWords>;

/** The members, and the form that invites another. */
export async function membersPage<Role extends string, Organization extends MembersOrganization>(
  options: MembersOptions<Role, Organization>,
  visit: Visit<Role, Organization>,
  again?: Again,
): Promise<Answer> {
  const { language, organization } = visit;
  const { consolePath, pages, tabs, operations, mayChange } = options;
  const words = membersWords(language);
  const members = await operations.listMembers(visit.caller, organization.id);
  return pages.memberPage(visit, {
    title: tabs.tabTitle(visit, 'members'),
    current: 'organization',
    address: consolePath(MEMBERS),
    ...(again && { status: 422 }),
    done: { invited: words.invited, changed: words.changed, removed: words.removed },
    body: html`${tabs.tabs(visit, 'members')}
${mayChange(visit) ? inviteCard(options, visit, again) : ''}
${renderTable(columnsOf(options, visit, words), members)}
${confirmed({
  summary: words.leave,
  explanation: options.words(language).leaveMeans,
  button: words.leaveNow,
  action: consolePath('organization/leave'),
})}`,
  });
}

function inviteCard<Role extends string, Organization extends MembersOrganization>(
  options: MembersOptions<Role, Organization>,
  visit: Visit<Role, Organization>,
  again: Again | undefined,
): Markup {
  const words = membersWords(visit.language);
  const fields = { name: '', email: '', identifier: '', role: options.usualRole };
  return html`<section class="card" aria-labelledby="invite"><h2 id="invite">${words.invite}</h2>
<form class="stack" method="post" action="${options.consolePath(`${MEMBERS}/invite`)}">
${problemBox(again?.refusal)}
<div class="row">${memberInputs(options, visit.language, again ?? { fields }, { withEmail: true })}</div>
<div class="actions"><button class="button">${words.sendInvitation}</button></div>
</form></section>`;
}

function memberInputs<Role extends string, Organization extends MembersOrganization>(
  options: MembersOptions<Role, Organization>,
  language: Language,
  { fields, wrong = [] }: Again,
  { withEmail }: { readonly withEmail: boolean },
): Markup {
  const words = membersWords(language);
  const problems = memberProblems(language);
  const problemOf = (name: keyof typeof problems) => (wrong.includes(name) ? problems[name] : undefined);
  return html`${textField({ id: 'name', label: words.name, value: fields.name, problem: problemOf('name'), attributes: html` required maxlength="100" autocomplete="off"` })}
${withEmail ? textField({ id: 'email', label: words.email, value: fields.email, problem: problemOf('email'), attributes: html` type="email" required maxlength="254" autocomplete="off"` }) : ''}
${textField({ id: 'identifier', label: words.cpf, value: fields.identifier, hint: words.cpfHint, problem: problemOf('identifier'), attributes: html` inputmode="numeric" autocomplete="off"` })}
${selectField({ id: 'role', label: words.role, value: fields.role, problem: problemOf('role'), choices: options.roles.toReversed().map((role) => ({ value: role, text: options.words(language)[role] })) })}`;
}

/** One member, to be changed. */
export function memberFormPage<Role extends string, Organization extends MembersOrganization>(
  options: MembersOptions<Role, Organization>,
  visit: Visit<Role, Organization>,
  member: Member<Role>,
  again?: Again,
): Promise<Answer> {
  const words = membersWords(visit.language);
  const { consolePath, tabs } = options;
  const { id, name, email, cpf, role } = member;
  const shown = again ?? { fields: { name, email, identifier: cpf === null ? '' : writtenCpf(cpf), role } };
  return options.pages.memberPage(visit, {
    title: words.changeTitle,
    current: 'organization',
    address: consolePath(`${MEMBERS}/${id}`),
    ...(again && { status: 422 }),
    body: html`${tabs.tabs(visit, 'members')}
<section class="card" aria-labelledby="change"><h2 id="change">${words.changeTitle}</h2>
<form class="stack" method="post" action="${consolePath(`${MEMBERS}/${id}/change`)}">
<p>${givenText(email)}</p>
${problemBox(shown.refusal)}
<div class="row">${memberInputs(options, visit.language, shown, { withEmail: false })}</div>
<div class="actions"><button class="button">${words.save}</button>
<a class="button quiet" href="${consolePath(MEMBERS)}">${words.cancel}</a></div>
</form></section>`,
  });
}

const columnsOf = <Role extends string, Organization extends MembersOrganization>(
  options: MembersOptions<Role, Organization>,
  visit: Visit<Role, Organization>,
  words: Words,
): readonly Column<Member<Role>>[] => [
  {
    title: words.person,
    kind: 'file',
    cell: ({ id, name }) =>
      html`${givenText(name)}${id === visit.member.id ? html`<span class="faint">${words.you}</span>` : ''}`,
  },
  { title: words.email, kind: 'wide', cell: ({ email }) => givenText(email) },
  { title: words.role, kind: 'text', cell: ({ role }) => options.roleNames(visit.language)[role] },
  { title: words.cpf, kind: 'text', cell: ({ cpf }) => (cpf === null ? '' : writtenCpf(cpf)) },
  { title: words.since, kind: 'text', cell: ({ invitedAtMs }) => timeOf(visit.language, invitedAtMs) },
  ...(options.mayChange(visit)
    ? [
        {
          title: words.actions,
          kind: 'actions',
          cell: (row: Member<Role>) => actionsOf(options, row, visit, words),
        } as const,
      ]
    : []),
];

const actionsOf = <Role extends string, Organization extends MembersOrganization>(
  { consolePath, words: ownWords }: MembersOptions<Role, Organization>,
  { id, email }: Member<Role>,
  visit: Visit<Role, Organization>,
  words: Words,
): Markup =>
  html`<div class="actions"><a class="button quiet" href="${consolePath(`${MEMBERS}/${id}`)}" aria-label="${words.change}: ${email}">${words.change}</a>
${
  id === visit.member.id
    ? ''
    : confirmed({
        summary: words.remove,
        explanation: ownWords(visit.language).removeMeans,
        button: words.removeNow,
        action: consolePath(`${MEMBERS}/${id}/remove`),
      })
}</div>`;
