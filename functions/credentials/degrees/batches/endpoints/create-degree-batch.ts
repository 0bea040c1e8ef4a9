import { json } from '../../../../../shared/http/response/answer.ts';
import { credentials } from '../../../service.ts';
import { settings } from '../../../settings.ts';
import { homeOrganizationOf, requireOrganization } from '../../../tenants/domain/organization.ts';
import { CreateDegreeBatchQuery, DegreeBatch, degreeBatchBody } from '../contract.ts';
import { createBatchOfUpload } from '../domain/batch-upload.ts';
import { createBatch } from '../domain/create-batch.ts';
import { renderBatch } from '../domain/read-batch.ts';

export const handler = credentials.endpoint(
  {
    route: 'POST /api/degrees/batches',
    can: 'items.create',
    summary: 'Create many degrees',
    description:
      'Takes lines of JSON (`application/x-ndjson`), each the body of POST /api/degrees, or the id of an upload. Each line is created once, in the background; a line that is refused stops no other.',
    tag: 'degrees',
    query: CreateDegreeBatchQuery,
    body: degreeBatchBody(() => settings['Batches:MaxBytes']),
    answers: { 202: DegreeBatch },
    refuses: ['OrganizationRequired', 'SubscriptionNotFound', 'UploadNotFound', 'TooManyLines'],
  },
  async ({ query: { subscriptionId }, body, caller }) => {
    if ('uploadId' in body)
      return json(renderBatch(await createBatchOfUpload(caller, body.uploadId, Date.now())), { status: 202 });
    const { id } = await requireOrganization(caller, subscriptionId ?? homeOrganizationOf(caller));
    const request = { organizationId: id, content: body.stream() };
    return json(renderBatch(await createBatch(caller, request, Date.now())), { status: 202 });
  },
);
