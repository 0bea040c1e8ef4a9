import { json } from '../../../../shared/http/response/answer.ts';
import { credentials } from '../../service.ts';
import { Institutes, InstitutesQuery } from '../contract.ts';
import { homeOrganizationOf, requireOrganization } from '../domain/organization.ts';
import { institutesOf } from '../domain/roster.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/institutes',
    summary: 'List institutes',
    description: 'The institutes of an organization, by name, with the people who sign for each.',
    tag: 'institutes',
    query: InstitutesQuery,
    answers: { 200: Institutes },
    refuses: ['OrganizationRequired', 'SubscriptionNotFound'],
  },
  async ({ query: { subscriptionId }, caller }) => {
    const { id } = await requireOrganization(caller, subscriptionId ?? homeOrganizationOf(caller));
    const found = await institutesOf(id);
    return json({
      institutes: found.map(({ id, name, emecCode, organizationId, signers }) => ({
        ...{ id, name, emecCode, subscriptionId: organizationId },
        signers: signers.map(({ name, email, step }) => ({ name, email, step })),
      })),
    });
  },
);
