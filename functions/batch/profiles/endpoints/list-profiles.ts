import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { batch } from '../../service.ts';
import { ProfileNames } from '../contract.ts';
import { listProfiles } from '../domain/profile.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/profiles',
    summary: 'List the names of profiles',
    description: 'All of them, sorted: disabled and degraded ones too.',
    tag: 'profiles',
    query: NoQuery,
    answers: { 200: ProfileNames },
    refuses: ['auth.misconfigured'],
  },
  async () => (await listProfiles()).map(({ name }) => name),
);
