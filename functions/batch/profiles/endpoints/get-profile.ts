import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { batch } from '../../service.ts';
import { ProfileDetails, ProfileParams } from '../contract.ts';
import { describeProfile } from '../domain/render-profile.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/profiles/{name}',
    summary: 'Read a profile',
    description:
      'How its jobs are signed, and with which certificate. Keys and passwords are never shown. `degradedReason` says why a profile cannot sign.',
    tag: 'profiles',
    params: ProfileParams,
    query: NoQuery,
    answers: { 200: ProfileDetails },
    refuses: ['profile.not-found', 'auth.misconfigured'],
  },
  async ({ params }) => describeProfile(params.name),
);
