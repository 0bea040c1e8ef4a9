import { json } from '../../../shared/http/response/answer.ts';
import { withoutDetails } from '../../batch/operations/domain/readiness.ts';
import { Readiness } from '../contract.ts';
import { recentReadiness } from '../domain/readiness.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'GET /api/ready',
    summary: 'Whether the service is ready',
    description:
      'The stores, a write to each folder, and the certificate that signs. Answers 503 with the same body when a check fails. At most five seconds old; a write to `input` that succeeded counts for a minute. It needs no key.',
    tag: 'health',
    ignoresUnknownOptions: true,
    answers: { 200: Readiness, 503: Readiness },
    access: 'public',
    rate: 'All',
  },
  async () => {
    const result = await recentReadiness(Date.now);
    return json(withoutDetails(result), { status: result.ready ? 200 : 503 });
  },
);
