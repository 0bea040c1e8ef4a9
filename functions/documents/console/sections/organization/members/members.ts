import type * as z from 'zod';
import { basePathOf } from '../../../../../../shared/access/return-path.ts';
import { redirect } from '../../../../../../shared/http/response/answer.ts';
import { MemberChange, MemberRequest } from '../../../../contract/organization/members.ts';
import { changeMember, findMember, inviteMember, removeMember } from '../../../../domain/members/members.ts';
import { memberSessions } from '../../../../domain/members/sessions.ts';
import { noSessionCookie } from '../../../http/session-cookie.ts';
import { leadTo } from '../../../pages/member-page.ts';
import { refusalOf, refusalText } from '../../../pages/refusals.ts';
import type { Form, Section } from '../../../visit.ts';
import { type MemberFields, memberFormPage, membersPage } from './members-page.ts';

const MEMBERS = 'organization/members';

const fieldsOf = (form: Form): MemberFields => ({
  name: form.text('name'),
  email: form.text('email'),
  identifier: form.text('identifier'),
  role: form.text('role'),
});

const wrongIn = (error: z.ZodError): string[] => error.issues.map(({ path }) => String(path[0]));

/** Members: who they are, who is invited, changed and removed. Everybody may leave. */
export const members: Section = {
  pages: {
    [MEMBERS]: { operation: 'members.read', show: (visit) => membersPage(visit) },
    [`${MEMBERS}/{id}`]: {
      operation: 'members.change',
      show: async (visit, { id = '' }) =>
        memberFormPage(visit, await findMember(visit.caller, visit.organization.id, id)),
    },
  },
  forms: {
    [`${MEMBERS}/invite`]: {
      operation: 'members.change',
      async submit(visit, _params, form) {
        const fields = fieldsOf(form);
        const read = MemberRequest.safeParse(fields);
        if (!read.success) return membersPage(visit, { fields, wrong: wrongIn(read.error) });
        const { identifier: cpf, ...rest } = read.data;
        const refused = await refusalOf(() =>
          inviteMember(visit.caller, visit.organization.id, { ...rest, cpf }, visit.nowMs),
        );
        if (refused) return membersPage(visit, { fields, refusal: refusalText(refused, visit.language) });
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
        const read = MemberChange.safeParse({ name, identifier, role });
        if (!read.success) return memberFormPage(visit, member, { fields, wrong: wrongIn(read.error) });
        const { identifier: cpf, ...rest } = read.data;
        const refused = await refusalOf(() => changeMember(caller, organization.id, id, { ...rest, cpf }));
        if (refused)
          return memberFormPage(visit, member, { fields, refusal: refusalText(refused, language) });
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
        await memberSessions.end(cookie);
        return redirect(`${basePathOf('documents')}/login`, { status: 303, cookies: [noSessionCookie()] });
      },
    },
  },
};
