import { findRoute } from '../../../../shared/console/routes.ts';
import { Problem } from '../../../../shared/errors/errors.ts';
import { DASHBOARD, operatorEndpoint } from '../http/operator-visit.ts';
import { SECTIONS } from '../routes.ts';

/** Every page of the dashboard, by one route: each path of its own would be resources of the stack, which has a limit. */
export const handler = operatorEndpoint(
  {
    route: 'GET /',
    aliases: ['GET /dashboard/{path+}'],
    summary: 'A page of the dashboard',
    ...DASHBOARD,
  },
  async ({ params, path }, visit) => {
    const route = await findRoute(SECTIONS, 'pages', params.path ?? '');
    if (!route) throw new Problem('noRoute', { method: 'GET', path });
    return route.found(visit, route.params);
  },
);
