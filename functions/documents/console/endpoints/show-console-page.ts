import { Problem } from '../../../../shared/errors/errors.ts';
import { mayDo } from '../../domain/members/permissions.ts';
import { CONSOLE, memberEndpoint } from '../http/member-visit.ts';
import { findRoute } from '../routes.ts';

/** Every page of the console, by one route: each path of its own would be resources of the stack, which has a limit. */
export const handler = memberEndpoint(
  {
    route: 'GET /console',
    aliases: ['GET /console/{path+}'],
    summary: 'A page of the console',
    ...CONSOLE,
  },
  async ({ params, path }, visit) => {
    const route = await findRoute('pages', params.path ?? '');
    if (!route) throw new Problem('noRoute', { method: 'GET', path });
    if (!mayDo(visit.member.role, route.found.operation)) throw new Problem('forbidden');
    return route.found.show(visit, route.params);
  },
);
