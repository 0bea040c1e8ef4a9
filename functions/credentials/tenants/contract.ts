import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { parseCpf } from '../../../shared/taxpayer/cpf.ts';
import { INSTITUTE_ID, line, SUBSCRIPTION_ID } from '../items/shapes.ts';
import { ROLES } from './roles.ts';

const MEMBER_ID = '0f6d8a52-7c31-4e9b-a4d0-3b5e2f9c1a77';

// So that the item of all members has room for them.
const MAX_NAME = 100;
// The document-signature platform takes about as many.
const MAX_SIGNERS = 100;
const MAX_STEP = 1_000;

const PersonCpf = z
  .string()
  .transform((value, context) => {
    const cpf = parseCpf(value.trim());
    if (cpf) return cpf as string;
    context.addIssue({ code: 'custom', message: 'is not a CPF' });
    return z.NEVER;
  })
  .meta({ description: 'CPF, with or without punctuation.', examples: ['52998224725'] });

const Email = z.email().max(254);

const subscriptionId = () =>
  pathId().meta({ description: 'An organization that the key is scoped to.', examples: [SUBSCRIPTION_ID] });

export const SubscriptionParams = z.object({ id: subscriptionId() });
export const MemberParams = z.object({
  id: subscriptionId(),
  memberId: pathId().meta({ description: 'A member of the organization.', examples: [MEMBER_ID] }),
});
export const SignersParams = z.object({
  id: pathId().meta({ description: 'The institute.', examples: [INSTITUTE_ID] }),
});

const Written = {
  name: line(MAX_NAME),
  identifier: z
    .union([PersonCpf, z.literal('').transform(() => null), z.null()])
    .optional()
    .transform((value) => value ?? null)
    .describe('CPF, to log in with a certificate. No two members of an organization have the same.'),
  role: z
    .enum(ROLES)
    .describe(
      'Administrador: everything. Registrar: creates credentials and acts on them. Reader: looks at them.',
    ),
};

export const MemberRequest = z
  .object({ ...Written, email: Email.describe('By which the person logs in, and is invited.') })
  .meta({
    description: 'A person to invite.',
    examples: [
      { name: 'Ana Souza', email: 'ana@sandbox.example', identifier: '52998224725', role: 'Registrar' },
    ],
  });

export const MemberChange = z.object(Written).meta({
  description:
    'What is written of a member from now on. The address stays: another address is another member.',
  examples: [{ name: 'Ana Souza', identifier: '52998224725', role: 'Administrador' }],
});

const MEMBER = {
  id: MEMBER_ID,
  name: 'Ana Souza',
  email: 'ana@sandbox.example',
  identifier: '52998224725',
  role: 'Registrar',
  invitedDate: '2026-03-02T12:00:00.000Z',
};

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

export const Members = z.object({ items: z.array(MemberModel) }).meta({
  description: 'All members, administrators first, then by name.',
  examples: [{ items: [MEMBER] }],
});

const SIGNER = { name: 'Ana Souza', cpf: '52998224725', email: 'ana@sandbox.example', step: 1 };

const SignerRequest = z.object({
  name: line(MAX_NAME),
  cpf: PersonCpf,
  email: Email,
  step: z
    .number()
    .int()
    .min(1)
    .max(MAX_STEP)
    .describe('Who has a lower step signs first. Those of one step sign in any order.'),
});

export const SignersRequest = z.object({ signers: z.array(SignerRequest).min(1).max(MAX_SIGNERS) }).meta({
  description: 'The people who sign for an institute, all of them.',
  examples: [{ signers: [SIGNER] }],
});

const INSTITUTE = {
  id: INSTITUTE_ID,
  subscriptionId: SUBSCRIPTION_ID,
  name: 'Universidade Exemplo',
  emecCode: '1234',
  signers: [SIGNER],
};

export const InstituteModel = z
  .object({
    id: z.string(),
    subscriptionId: z.string(),
    name: z.string(),
    emecCode: z.string().describe('Its code at e-MEC.'),
    signers: z.array(z.object({ name: z.string(), cpf: z.string(), email: z.string(), step: z.number() })),
  })
  .meta({ description: 'An institute and the people who sign for it.', examples: [INSTITUTE] });

export const Institutes = z
  .object({ items: z.array(InstituteModel) })
  .meta({ description: 'All institutes, by name.', examples: [{ items: [INSTITUTE] }] });
