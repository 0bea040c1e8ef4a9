import { Problem } from '../../../../shared/errors/errors.ts';
import { DASHBOARD, operatorEndpoint } from '../http/operator-visit.ts';
import { findRoute } from '../routes.ts';

/**
 * Every page of the dashboard. One function serves them all: an operator who goes from page to page meets one cold
 * start, and the stack stays within CloudFormation's limit of resources.
 */
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
