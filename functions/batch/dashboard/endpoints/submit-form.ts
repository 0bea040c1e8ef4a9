import { Problem } from '../../../../shared/errors/errors.ts';
import { pageForm, readForm } from '../../../../shared/http/body/page-form.ts';
import { DASHBOARD, operatorEndpoint } from '../http/operator-visit.ts';
import { findRoute } from '../routes.ts';

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
    const found = await findRoute('forms', params.path ?? '');
    if (!found) throw new Problem('noRoute', { method: 'POST', path });
    return found.run(visit, found.params, await readForm(body));
  },
);
