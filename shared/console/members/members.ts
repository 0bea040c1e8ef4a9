import type * as z from 'zod';
import { basePathOf } from '../../access/return-path.ts';
import { redirect } from '../../http/response/answer.ts';
import type { MembersOrganization } from '../../members/sessions.ts';
import { noSessionCookie } from '../http/session-cookie.ts';
import { refusalOf } from '../refusals.ts';
import type { Form, Section, Visit } from '../visit.ts';
import {
  MEMBERS,
  type MemberFields,
  type MemberOperation,
  type MembersOptions,
  memberFormPage,
  membersPage,
} from './members-page.ts';

const fieldsOf = (form: Form): MemberFields => ({
  name: form.text('name'),
  email: form.text('email'),
  identifier: form.text('identifier'),
  role: form.text('role'),
});

const wrongIn = (error: z.ZodError): string[] => error.issues.map(({ path }) => String(path[0]));

/** Members: who they are, who is invited, changed and removed. Everybody may leave. */
export function membersSection<Role extends string, Organization extends MembersOrganization>(
  options: MembersOptions<Role, Organization>,
): Section<Visit<Role, Organization>, MemberOperation> {
  const { service, operations, sessions, contract, refusalText } = options;
  const { leadTo } = options.pages;
  const { findMember, inviteMember, changeMember, removeMember } = operations;
  return {
    pages: {
      [MEMBERS]: { operation: 'members.read', show: (visit) => membersPage(options, visit) },
      [`${MEMBERS}/{id}`]: {
        operation: 'members.change',
        show: async (visit, { id = '' }) =>
          memberFormPage(options, visit, await findMember(visit.caller, visit.organization.id, id)),
      },
    },
    forms: {
      [`${MEMBERS}/invite`]: {
        operation: 'members.change',
        async submit(visit, _params, form) {
          const fields = fieldsOf(form);
          const read = contract.request.safeParse(fields);
          if (!read.success) return membersPage(options, visit, { fields, wrong: wrongIn(read.error) });
          const { identifier: cpf, ...rest } = read.data;
          const refused = await refusalOf(() =>
            inviteMember(visit.caller, visit.organization.id, { ...rest, cpf }, visit.nowMs),
          );
          if (refused)
            return membersPage(options, visit, { fields, refusal: refusalText(refused, visit.language) });
          return leadTo(MEMBERS, 'invited');
        },
      },
      [`${MEMBERS}/{id}/change`]: {
        operation: 'members.change',
        async submit(visit, { id = '' }, form) {
          const { caller, organization, language } = visit;
          const member = await findMember(caller, organization.id, id);
          const fields = { ...fieldsOf(form), email: member.email };
          const { name, identifier, role } = fields;
          const read = contract.change.safeParse({ name, identifier, role });
          if (!read.success)
            return memberFormPage(options, visit, member, { fields, wrong: wrongIn(read.error) });
          const { identifier: cpf, ...rest } = read.data;
          const refused = await refusalOf(() => changeMember(caller, organization.id, id, { ...rest, cpf }));
          if (refused)
            return memberFormPage(options, visit, member, {
              fields,
              refusal: refusalText(refused, language),
            });
          return leadTo(MEMBERS, 'changed');
        },
      },
      [`${MEMBERS}/{id}/remove`]: {
        operation: 'members.change',
        async submit({ caller, organization }, { id = '' }) {
          await removeMember(caller, organization.id, id);
          return leadTo(MEMBERS, 'removed');
        },
      },
      'organization/leave': {
        operation: 'organization.read',
        async submit({ caller, organization, member, cookie }) {
          await removeMember(caller, organization.id, member.id);
          await sessions.memberSessions.end(cookie);
          return redirect(`${basePathOf(service)}/login`, {
            status: 303,
            cookies: [noSessionCookie(service)],
          });
        },
      },
    },
  };
}
