import * as z from 'zod';
import { pathId } from '../../../../shared/http/validate.ts';
import { APPLICATION, KEY_ID, ORGANIZATION_ID } from '../examples.ts';
import { line } from '../fields.ts';

const orgId = () =>
  pathId().meta({ description: 'An organization that the key is scoped to.', examples: [ORGANIZATION_ID] });
const applicationId = () =>
  pathId().meta({ description: 'An application of the organization.', examples: [APPLICATION.id] });

export const ApplicationParams = z.object({ orgId: orgId(), applicationId: applicationId() });

export const ApplicationKeyParams = z.object({
  orgId: orgId(),
  applicationId: applicationId(),
  keyId: pathId().meta({ description: 'A key of the application.', examples: [KEY_ID] }),
});

/** The roles that a key of an organization's own application may have. */
export const APPLICATION_ROLES = ['Manager', 'Member', 'Reader'] as const;

export const ApplicationRequest = z
  .object({
    name: line(60),
    role: z
      .enum(APPLICATION_ROLES)
      .describe('What its keys may do, as the role of a member. Nobody gives more than they have.'),
  })
  .meta({ description: 'A program that calls the API.', examples: [{ name: 'ERP', role: 'Member' }] });

export const ApplicationModel = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(APPLICATION_ROLES),
    disabled: z.boolean(),
    keys: z.array(
      z.object({
        id: z.string(),
        issuedDate: z.iso.datetime(),
        revokedDate: z.iso.datetime().nullable(),
      }),
    ),
  })
  .meta({
    description: 'An application that an organization made, with its keys. Their secrets are shown once.',
    examples: [APPLICATION],
  });

export const Applications = z.object({ items: z.array(ApplicationModel) }).meta({
  description: 'The applications that the organization made, by name.',
  examples: [{ items: [APPLICATION] }],
});

export const IssuedKey = z
  .object({
    application: ApplicationModel,
    key: z.string().describe('For the header X-API-Key. It is shown in this answer alone.'),
  })
  .meta({
    description: 'A new key.',
    examples: [
      { application: APPLICATION, key: `${APPLICATION.id}|hKx3Vd0rYcQm7pZt9Lw2Nf5Bs8Gj1Ra4T6uWqE0iOzM` },
    ],
  });

export const UsageModel = z
  .object({
    month: z.string().describe('The calendar month in Brasília, yyyy-MM.'),
    documents: z.int(),
    signatures: z.int(),
    approvals: z.int(),
    storedBytes: z.int().describe('All files that the organization stores now.'),
  })
  .meta({
    description: 'What an organization used in a month.',
    examples: [{ month: '2026-03', documents: 12, signatures: 30, approvals: 4, storedBytes: 1_048_576 }],
  });
