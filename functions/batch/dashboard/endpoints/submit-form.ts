import { findRoute } from '../../../../shared/console/routes.ts';
import { Problem } from '../../../../shared/errors/errors.ts';
import { pageForm, readForm } from '../../../../shared/http/body/page-form.ts';
import { DASHBOARD, operatorEndpoint } from '../http/operator-visit.ts';
import { SECTIONS } from '../routes.ts';

/** Every form of the dashboard. Nothing of a form is read before the session is known. */
export const handler = operatorEndpoint(
  {
    route: 'POST /dashboard/{path+}',
    summary: 'A form of the dashboard',
    body: pageForm,
    rate: 'Actions',
    ...DASHBOARD,
  },
  async ({ params, path, body }, visit) => {
    const route = await findRoute(SECTIONS, 'forms', params.path ?? '');
    if (!route) throw new Problem('noRoute', { method: 'POST', path });
    return route.found(visit, route.params, await readForm(body));
  },
);
