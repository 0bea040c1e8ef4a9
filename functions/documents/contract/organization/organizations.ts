import * as z from 'zod';
import { pathId } from '../../../../shared/http/validate.ts';
import { ORGANIZATION, ORGANIZATION_ID, OWNER } from '../examples.ts';
import { Cnpj, Cpf, line, orNull } from '../fields.ts';

export const OrganizationParams = z.object({
  orgId: pathId().meta({
    description: 'An organization that the key is scoped to.',
    examples: [ORGANIZATION_ID],
  }),
});

export const OrganizationDetails = z
  .object({
    id: z.string(),
    name: z.string(),
    identifier: z.string().nullable().describe('CNPJ; null for a personal organization.'),
    owner: z.object({ id: z.string(), name: z.string() }),
  })
  .meta({ description: 'An organization.', examples: [ORGANIZATION] });

/** Mail to the participants of an organization's documents. */
export const OrganizationMail = z
  .object({
    enabled: z.boolean().describe('Whether participants get mail. Off until an application turns it on.'),
    requiresCode: z
      .boolean()
      .default(false)
      .describe('Whether a link shows a document only after a code that is sent to the person by mail.'),
  })
  .meta({
    description: 'The mail that participants of the documents of an organization get.',
    examples: [{ enabled: true, requiresCode: false }],
  });

const MAX_SHORT = 60;

const Company = z.object({
  name: line(),
  identifier: Cnpj,
  stateRegistration: orNull(line(MAX_SHORT)),
  stateRegistrationExempt: z.boolean().default(false),
  municipalRegistration: orNull(line(MAX_SHORT)),
  municipalRegistrationExempt: z.boolean().default(false),
});

/** The recipient of invoices. The part named like its type is required. */
export const BillingInformation = z
  .object({
    contactName: orNull(line()),
    email: orNull(z.email().max(254)),
    phone: orNull(line(MAX_SHORT)),
    type: z.enum(['Individual', 'Company']),
    individual: z
      .object({ name: line(), identifier: Cpf })
      .nullish()
      .transform((value) => value ?? null),
    company: Company.nullish().transform((value) => value ?? null),
    streetAddress: orNull(line()),
    addressNumber: orNull(line(MAX_SHORT)),
    additionalAddressInfo: orNull(line()),
    neighborhood: orNull(line()),
    zipCode: orNull(line(MAX_SHORT)),
    city: orNull(line()),
    state: orNull(line(MAX_SHORT)),
    cityCode: orNull(z.string().regex(/^\d{7}$/, 'is not a city code of IBGE')).describe(
      'Of IBGE, seven digits.',
    ),
  })
  .superRefine(({ type, individual, company }, context) => {
    const [path, part] = type === 'Individual' ? ['individual', individual] : ['company', company];
    if (part === null) context.addIssue({ code: 'custom', path: [path as string], message: 'is required' });
  })
  .meta({
    description: 'Who invoices are made out to. The part by the name of its type is required.',
    examples: [
      {
        type: 'Company',
        company: { name: 'Sandbox Company', identifier: '11222333000181' },
        email: 'billing@sandbox.example',
      },
    ],
  });

export const CreateOrganization = z
  .object({
    name: line(),
    identifier: orNull(Cnpj).describe('CNPJ; null for a personal organization.'),
    owner: z.object({ id: line(), name: line() }),
    billingInformation: BillingInformation.nullish(),
  })
  .meta({
    description: 'The organization, its owner and who is billed.',
    examples: [{ name: 'Sandbox Organization', identifier: '11222333000181', owner: OWNER }],
  });

export const CreatedOrganization = z
  .object({ id: z.uuid() })
  .meta({ description: 'The id of the organization.', examples: [{ id: ORGANIZATION_ID }] });
