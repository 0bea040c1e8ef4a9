import * as z from 'zod';
import { pathId } from '../../../../shared/http/validate.ts';
import { MEMBER, MEMBER_ID, ORGANIZATION_ID } from '../examples.ts';
import { Cpf, line, orNull } from '../fields.ts';
import { caseInsensitive, Paging, pageOf } from '../lists.ts';
import { ROLES } from './roles.ts';

// So that the item of all members has room for them.
const MAX_NAME = 100;

const memberId = () => pathId().meta({ description: 'A member of the organization.', examples: [MEMBER_ID] });

export const MemberParams = z.object({
  orgId: pathId().meta({
    description: 'An organization that the key is scoped to.',
    examples: [ORGANIZATION_ID],
  }),
  memberId: memberId(),
});

export const UserParams = z.object({ userId: memberId() });

const Role = z
  .enum(ROLES)
  .describe(
    'Owner: everything. Manager: everything but members. Member: sends documents and follows them. Reader: looks at them.',
  );

export const MemberRequest = z
  .object({
    name: line(MAX_NAME),
    email: z.email().max(254).describe('By which the person logs in, and is invited.'),
    identifier: orNull(Cpf).describe('CPF. No two members of an organization have the same.'),
    role: Role,
  })
  .meta({
    description: 'A person to invite.',
    examples: [
      { name: 'Ana Souza', email: 'ana@sandbox.example', identifier: '52998224725', role: 'Member' },
    ],
  });

export const MemberChange = z.object({ name: line(MAX_NAME), identifier: orNull(Cpf), role: Role }).meta({
  description:
    'What is written of a member from now on. The address stays: another address is another member.',
  examples: [{ name: 'Ana Souza', identifier: '52998224725', role: 'Manager' }],
});

export const MemberModel = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    identifier: z.string().nullable(),
    role: z.enum(ROLES),
    invitedDate: z.iso.datetime(),
  })
  .meta({ description: 'A member of an organization.', examples: [MEMBER] });

export const Members = z
  .object({ items: z.array(MemberModel) })
  .meta({ description: 'All members, owners first, then by name.', examples: [{ items: [MEMBER] }] });

const flag = () => z.boolean().nullish();

const AccessProfile = z
  .object({ administrator: flag(), manager: flag(), operator: flag() })
  .describe(
    'The highest that is true is the role: Owner, Manager or Member. None, or no profile, is Reader.',
  );

const USER = {
  id: MEMBER_ID,
  name: 'Ana Souza',
  email: 'ana@sandbox.example',
  identifier: '52998224725',
  accessProfile: { administrator: false, manager: false, operator: true },
};

export const UserRequest = z
  .object({
    name: line(MAX_NAME),
    email: z.email().max(254),
    identifier: orNull(Cpf).describe('CPF.'),
    accessProfile: AccessProfile.nullish(),
  })
  .meta({
    description: 'A person to invite, in the shape of public client libraries.',
    examples: [
      {
        name: 'Ana Souza',
        email: 'ana@sandbox.example',
        identifier: '52998224725',
        accessProfile: { administrator: false, manager: false, operator: true },
      },
    ],
  });

export const UserModel = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    identifier: z.string().nullable(),
    accessProfile: z.object({ administrator: z.boolean(), manager: z.boolean(), operator: z.boolean() }),
  })
  .meta({ description: 'A member, in the shape of public client libraries.', examples: [USER] });

export const UsersQuery = caseInsensitive(Paging.extend({}));

export const Users = pageOf(UserModel).meta({
  description: 'One page of members.',
  examples: [{ items: [USER], totalCount: 1, nextCursor: null }],
});
