import { json } from '../../../shared/http/response/answer.ts';
import { checkBatchReadiness } from '../domain/readiness.ts';
import { ReadinessDetails } from '../operations/contract.ts';
import { withDetails } from '../operations/domain/readiness.ts';
import { batch } from '../service.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/ready/details',
    summary: 'Whether the service is ready, with details',
    description:
      'Answers 503 with the same body when the service cannot work. `detail` says what each check saw.',
    tag: 'health',
    ignoresUnknownOptions: true,
    answers: { 200: ReadinessDetails, 503: ReadinessDetails },
    refuses: ['auth.misconfigured'],
  },
  async () => {
    const result = await checkBatchReadiness(Date.now());
    return json(withDetails(result), { status: result.ready ? 200 : 503 });
  },
);
