import { MemberRequest } from '../../functions/documents/contract/organization/members.ts';
import {
  changeMember,
  inviteMember,
  listMembers,
  removeMember,
} from '../../functions/documents/domain/members/members.ts';
import { emailOf, type Member } from '../../functions/documents/domain/members/roster.ts';
import { ORGANIZATIONS_OF } from '../../functions/documents/domain/places/organization.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { Refusal } from '../../shared/errors/errors.ts';
import type { ServiceName } from '../../shared/settings/names.ts';
import { requireOrganization } from './organizations.ts';

type Options = { readonly service: ServiceName; readonly cpf?: string | undefined };

const lineOf = ({ email, name, role, cpf }: Member): string =>
  `${email}  ${role}  ${name}${cpf === null ? '' : `; CPF ${cpf}`}`;

/** The members of an organization of the document platform. */
export const listOf = ({ service }: Options, id: string): Promise<string> =>
  within(service, id, async (scope) => {
    const members = await listMembers(scope, id);
    return members.length > 0 ? members.map(lineOf).join('\n') : 'It has no members.';
  });

type NewMember = { readonly email: string; readonly role: string; readonly name: string };

/** Makes somebody a member. Mail goes out where the stage's services send some. */
export const add = ({ service, cpf }: Options, id: string, request: NewMember): Promise<string> =>
  within(service, id, async (scope) => {
    const read = MemberRequest.safeParse({ ...request, identifier: cpf ?? null });
    if (!read.success) {
      const [{ path, message } = { path: [], message: '' }] = read.error.issues;
      throw new AdminRefusal(`${path.join('.')}: ${message}. Usage: npm run admin -- --help`);
    }
    const { identifier, ...rest } = read.data;
    const member = await inviteMember(scope, id, { ...rest, cpf: identifier }, Date.now());
    return `Added ${lineOf(member)}`;
  });

type RoleRequest = Omit<NewMember, 'name'>;

export const setRole = ({ service }: Options, id: string, { email, role }: RoleRequest): Promise<string> =>
  within(service, id, async (scope) => {
    const { data } = MemberRequest.shape.role.safeParse(role);
    if (!data) throw new AdminRefusal(`"${role}" is no role: Owner, Manager, Member or Reader.`);
    const { id: memberId } = await findByEmail(scope, id, email);
    return `Changed ${lineOf(await changeMember(scope, id, memberId, { role: data }))}`;
  });

export const remove = ({ service }: Options, id: string, email: string): Promise<string> =>
  within(service, id, async (scope) => {
    const member = await findByEmail(scope, id, email);
    await removeMember(scope, id, member.id);
    return `Removed ${member.email}: their sessions are over.`;
  });

type Scope = { readonly registered: Readonly<Record<string, readonly string[]>> };

async function findByEmail(scope: Scope, id: string, email: string): Promise<Member> {
  const found = (await listMembers(scope, id)).find((each) => each.email === emailOf(email));
  if (found) return found;
  throw new AdminRefusal(`No member has the address "${email}". See: organizations members ${id}`);
}

async function within(
  service: ServiceName,
  id: string,
  work: (scope: Scope) => Promise<string>,
): Promise<string> {
  if (service !== 'documents')
    throw new AdminRefusal(`The ${service} service has no members. Name --service documents.`);
  await requireOrganization(id);
  try {
    return await work({ registered: { [ORGANIZATIONS_OF]: [id] } });
  } catch (error) {
    throw error instanceof Refusal ? new AdminRefusal(error.message) : error;
  }
}
