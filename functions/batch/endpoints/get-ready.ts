import { json } from '../../../shared/http/response/answer.ts';
import { checkBatchReadiness } from '../domain/readiness.ts';
import { Readiness } from '../operations/contract.ts';
import { withoutDetails } from '../operations/domain/readiness.ts';
import { batch } from '../service.ts';
import { settings } from '../settings.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/ready',
    summary: 'Whether the service is ready',
    description:
      'Answers 503 with the same body when the service cannot work. It tells no details, and needs no key unless `Readiness:RequireApiKey` is true.',
    tag: 'health',
    ignoresUnknownOptions: true,
    answers: { 200: Readiness, 503: Readiness },
    refuses: ['auth.misconfigured'],
    access: () => (settings['Readiness:RequireApiKey'] ? 'key' : 'public'),
  },
  async () => {
    const result = await checkBatchReadiness(Date.now());
    return json(withoutDetails(result), { status: result.ready ? 200 : 503 });
  },
);
