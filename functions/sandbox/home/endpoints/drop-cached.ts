import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { dropAllCached } from '../../../../shared/store/cached.ts';
import { sandbox } from '../../service.ts';

/** All functions of the local engine share one process, so what `npm run admin` changes takes effect at once. */
export const handler = sandbox.endpoint(
  {
    route: 'DELETE /cached',
    summary: 'Forget the keys, organizations and webhooks that were read',
    answers: { 204: EMPTY },
    access: 'public',
    undocumented: true,
  },
  async () => {
    dropAllCached();
    return empty();
  },
);
