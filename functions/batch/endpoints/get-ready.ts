import { json } from '../../../shared/http/answer.ts';
import { Readiness } from '../operations/contract.ts';
import { checkReadiness, withoutDetails } from '../operations/domain/readiness.ts';
import { batch } from '../service.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/ready',
    summary: 'Whether the service is ready',
    description: 'Answers 503 with the same body when a check fails. It needs no key, and tells no details.',
    tag: 'health',
    answers: { 200: Readiness, 503: Readiness },
    access: 'public',
  },
  async () => {
    const result = await checkReadiness('batch');
    return json(withoutDetails(result), { status: result.ready ? 200 : 503 });
  },
);
