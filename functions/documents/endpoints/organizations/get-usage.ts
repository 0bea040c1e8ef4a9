import { UsageModel } from '../../contract/organization/applications.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { usageOfMonth } from '../../domain/billing/organization-usage.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}/usage',
    can: 'usage.read',
    summary: 'Read what an organization used in this month',
    description:
      'Answers the documents, signatures and approvals of the calendar month, and the bytes that are stored.',
    params: OrganizationParams,
    answers: { 200: UsageModel },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, caller }) => usageOfMonth(caller, params.orgId, Date.now()),
);
