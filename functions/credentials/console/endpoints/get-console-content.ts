import { Problem } from '../../../../shared/errors/errors.ts';
import { fileOf } from '../../../../shared/http/declaration.ts';
import { matchRoute } from '../../../../shared/http/request/match-route.ts';
import { mayDo } from '../../tenants/domain/members/permissions.ts';
import { CONTENTS } from '../contents.ts';
import { CONSOLE, memberEndpoint } from '../http/member-visit.ts';

/** Every file that the console downloads: one function, because it streams. */
export const handler = memberEndpoint(
  {
    route: 'GET /contents/{path+}',
    summary: 'A file of the console',
    refuses: CONSOLE.refuses,
    answers: { ...CONSOLE.answers, 200: fileOf('application/octet-stream') },
    streams: true,
  },
  async ({ params, path }, visit) => {
    const route = matchRoute(CONTENTS, params.path ?? '');
    if (!route) throw new Problem('noRoute', { method: 'GET', path });
    if (!mayDo(visit.member.role, 'items.read')) throw new Problem('forbidden');
    return route.found(visit, route.params);
  },
);
