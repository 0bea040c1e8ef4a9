import { Problem } from '../../../../shared/errors/errors.ts';
import { DASHBOARD, operatorEndpoint } from '../http/operator-visit.ts';
import { findRoute } from '../routes.ts';

/** Every page of the dashboard, by one route: each path of its own would be resources of the stack, which has a limit. */
export const handler = operatorEndpoint(
  {
    route: 'GET /',
    aliases: ['GET /dashboard/{path+}'],
    summary: 'A page of the dashboard',
    ...DASHBOARD,
  },
  async ({ params, path }, visit) => {
    const found = await findRoute('pages', params.path ?? '');
    if (!found) throw new Problem('noRoute', { method: 'GET', path });
    return found.run(visit, found.params);
  },
);
