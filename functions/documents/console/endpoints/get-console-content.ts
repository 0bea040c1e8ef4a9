import { Problem } from '../../../../shared/errors/errors.ts';
import { matchRoute } from '../../../../shared/http/request/match-route.ts';
import { partIn } from '../../../../shared/http/response/parts.ts';
import { mayDo } from '../../domain/members/permissions.ts';
import { ANY_FILE } from '../../http/content-response.ts';
import { CONTENTS } from '../contents.ts';
import { CONSOLE, memberEndpoint } from '../http/member-visit.ts';

/** Every file that the console shows or downloads: one function, because it streams. */
export const handler = memberEndpoint(
  {
    route: 'GET /contents/{path+}',
    summary: 'A file of the console',
    refuses: CONSOLE.refuses,
    answers: { ...CONSOLE.answers, 200: ANY_FILE, 206: ANY_FILE },
    streams: true,
  },
  async ({ params, path, headers }, visit) => {
    const route = matchRoute(CONTENTS, params.path ?? '');
    if (!route) throw new Problem('noRoute', { method: 'GET', path });
    if (!mayDo(visit.member.role, route.found.operation)) throw new Problem('forbidden');
    return route.found.open(visit, route.params, partIn(headers));
  },
);
