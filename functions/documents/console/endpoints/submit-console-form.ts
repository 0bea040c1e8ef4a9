import { Problem } from '../../../../shared/errors/errors.ts';
import { pageForm, readForm } from '../../../../shared/http/body/page-form.ts';
import { mayDo } from '../../domain/members/permissions.ts';
import { CONSOLE, memberEndpoint } from '../http/member-visit.ts';
import { findRoute } from '../routes.ts';

/** Every form of the console. Nothing of a form is read before the session is known. */
export const handler = memberEndpoint(
  {
    route: 'POST /console/{path+}',
    summary: 'A form of the console',
    body: pageForm,
    rate: 'forms',
    ...CONSOLE,
  },
  async ({ params, path, body }, visit) => {
    const route = await findRoute('forms', params.path ?? '');
    if (!route) throw new Problem('noRoute', { method: 'POST', path });
    if (!mayDo(visit.member.role, route.found.operation)) throw new Problem('forbidden');
    return route.found.submit(visit, route.params, await readForm(body));
  },
);
