import { json } from '../../../shared/http/answer.ts';
import { Readiness } from '../contract.ts';
import { checkReadiness, withoutDetails } from '../domain/readiness.ts';
import { batch } from '../service.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/ready',
    summary: 'Readiness, the verdict only',
    answers: { 200: Readiness, 503: Readiness },
    access: 'public',
  },
  async () => {
    const result = await checkReadiness('batch');
    return json(withoutDetails(result), { status: result.ready ? 200 : 503 });
  },
);
