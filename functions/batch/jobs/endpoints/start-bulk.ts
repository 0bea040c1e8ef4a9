import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { json } from '../../../../shared/http/response/answer.ts';
import { batch } from '../../service.ts';
import { Bulk, BulkPreview, StartBulk } from '../contract/bulk.ts';
import { filterOf } from '../contract/lists.ts';
import { renderBulk } from '../domain/bulk/bulk.ts';
import { previewBulk, startBulk } from '../domain/bulk/start-bulk.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/jobs/bulk',
    summary: 'Retry, cancel or delete all jobs of a filter',
    description:
      'With `preview` it answers 200 with the number of jobs, and changes nothing. Otherwise it answers 202, and goes on in the background: `GET /api/jobs/bulk/{id}` tells how far it has come. Each job is done as by its own operation, with its own event. A job that no longer matches when its turn comes is left alone, and so is one that was created, or has failed, after the call.',
    tag: 'jobs',
    query: NoQuery,
    body: jsonBody(StartBulk),
    answers: { 202: Bulk, 200: BulkPreview },
    refuses: [
      'validation.reason-too-long',
      'validation.filter-invalid',
      'bulk.nothing-matches',
      'auth.misconfigured',
    ],
    rate: 'Actions',
    once: true,
  },
  async ({ body: { action: kind, filter, reason, preview }, caller }) => {
    const request = { kind, filter: filterOf(filter), reason };
    if (preview) return json({ action: kind, count: await previewBulk(request, Date.now()) });
    return json(renderBulk(await startBulk(caller, request, Date.now())), { status: 202 });
  },
);
