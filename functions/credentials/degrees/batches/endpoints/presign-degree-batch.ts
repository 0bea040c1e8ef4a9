import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { credentials } from '../../../service.ts';
import { homeOrganizationOf, requireOrganization } from '../../../tenants/domain/organization.ts';
import { PresignDegreeBatch, PresignedDegreeBatch } from '../contract.ts';
import { presignBatch } from '../domain/batch-upload.ts';

export const handler = credentials.endpoint(
  {
    route: 'POST /api/degrees/batches/uploads',
    can: 'items.create',
    summary: 'Create an address to put a file of degrees straight into the store',
    description:
      'For batches that are larger than a request may be. Put the file to the address, then name the upload in POST /api/degrees/batches.',
    tag: 'degrees',
    body: jsonBody(PresignDegreeBatch),
    answers: { 200: PresignedDegreeBatch },
    refuses: ['OrganizationRequired', 'SubscriptionNotFound'],
  },
  async ({ body: { size, subscriptionId }, caller }) => {
    const { id } = await requireOrganization(caller, subscriptionId ?? homeOrganizationOf(caller));
    return presignBatch({ organizationId: id, size }, Date.now());
  },
);
