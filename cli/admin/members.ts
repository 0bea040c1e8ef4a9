import type * as z from 'zod';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { Refusal } from '../../shared/errors/errors.ts';
import type { memberOperations } from '../../shared/members/change-members.ts';
import { emailOf, type Member } from '../../shared/members/member.ts';
import { ORGANIZATIONS_OF } from '../../shared/members/permissions.ts';
import type { MembersOrganization } from '../../shared/members/sessions.ts';
import type { ServiceName } from '../../shared/settings/names.ts';

type Options = { readonly service: ServiceName; readonly cpf?: string | undefined };

/** What a service whose organizations have members gives this command. */
type Membership = {
  readonly changes: ReturnType<typeof memberOperations<string, MembersOrganization>>;
  readonly roles: readonly string[];
  readonly request: z.ZodType<Pick<Member, 'name' | 'email' | 'role'> & { identifier: string | null }>;
  /** Refuses an id of no organization. */
  readonly requireOrganization: (id: string) => Promise<void>;
};

// The role of a member is checked by `request` and `roles`, so that the operations may take any text here.
const MEMBERSHIPS: Partial<Record<ServiceName, () => Promise<Membership>>> = {
  documents: async () => {
    const { memberChanges } = await import('../../functions/documents/domain/members/members.ts');
    const { MemberRequest } = await import('../../functions/documents/contract/organization/members.ts');
    const { ROLES } = await import('../../functions/documents/contract/organization/roles.ts');
    const { requireOrganization } = await import('./organizations.ts');
    const changes = memberChanges as unknown as Membership['changes'];
    return { changes, roles: ROLES, request: MemberRequest, requireOrganization };
  },
  credentials: async () => {
    const { memberChanges } = await import('../../functions/credentials/tenants/domain/members/members.ts');
    const { MemberRequest } = await import('../../functions/credentials/tenants/contract.ts');
    const { ROLES } = await import('../../functions/credentials/tenants/roles.ts');
    const { requireUniversity } = await import('./universities/universities.ts');
    const changes = memberChanges as unknown as Membership['changes'];
    return { changes, roles: ROLES, request: MemberRequest, requireOrganization: requireUniversity };
  },
};

const lineOf = ({ email, name, role, cpf }: Member): string =>
  `${email}  ${role}  ${name}${cpf === null ? '' : `; CPF ${cpf}`}`;

/** The members of an organization. */
export const listOf = ({ service }: Options, id: string): Promise<string> =>
  within(service, id, async ({ changes }, scope) => {
    const members = await changes.listMembers(scope, id);
    return members.length > 0 ? members.map(lineOf).join('\n') : 'It has no members.';
  });

type NewMember = { readonly email: string; readonly role: string; readonly name: string };

/** Makes somebody a member. Mail goes out where the stage's services send some. */
export const add = ({ service, cpf }: Options, id: string, request: NewMember): Promise<string> =>
  within(service, id, async ({ changes, request: shape }, scope) => {
    const read = shape.safeParse({ ...request, identifier: cpf ?? null });
    if (!read.success) {
      const [{ path, message } = { path: [], message: '' }] = read.error.issues;
      throw new AdminRefusal(`${path.join('.')}: ${message}. Usage: npm run admin -- --help`);
    }
    const { identifier, ...rest } = read.data;
    const member = await changes.inviteMember(scope, id, { ...rest, cpf: identifier }, Date.now());
    return `Added ${lineOf(member)}`;
  });

type RoleRequest = Omit<NewMember, 'name'>;

export const setRole = ({ service }: Options, id: string, { email, role }: RoleRequest): Promise<string> =>
  within(service, id, async ({ changes, roles }, scope) => {
    if (!roles.includes(role))
      throw new AdminRefusal(`"${role}" is no role: ${roles.slice(0, -1).join(', ')} or ${roles.at(-1)}.`);
    const { id: memberId } = await findByEmail(changes, scope, id, email);
    return `Changed ${lineOf(await changes.changeMember(scope, id, memberId, { role }))}`;
  });

export const remove = ({ service }: Options, id: string, email: string): Promise<string> =>
  within(service, id, async ({ changes }, scope) => {
    const member = await findByEmail(changes, scope, id, email);
    await changes.removeMember(scope, id, member.id);
    return `Removed ${member.email}: their sessions are over.`;
  });

type Scope = { readonly registered: Readonly<Record<string, readonly string[]>> };

async function findByEmail(
  { listMembers }: Membership['changes'],
  scope: Scope,
  id: string,
  email: string,
): Promise<Member> {
  const found = (await listMembers(scope, id)).find((each) => each.email === emailOf(email));
  if (found) return found;
  throw new AdminRefusal(`No member has the address "${email}". See: organizations members ${id}`);
}

async function within(
  service: ServiceName,
  id: string,
  work: (membership: Membership, scope: Scope) => Promise<string>,
): Promise<string> {
  const membership = await MEMBERSHIPS[service]?.();
  if (!membership)
    throw new AdminRefusal(`The ${service} service has no members. Name --service documents or credentials.`);
  await membership.requireOrganization(id);
  try {
    return await work(membership, { registered: { [ORGANIZATIONS_OF]: [id] } });
  } catch (error) {
    throw error instanceof Refusal ? new AdminRefusal(error.message) : error;
  }
}
