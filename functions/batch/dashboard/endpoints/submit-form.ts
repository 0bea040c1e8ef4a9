import { Problem } from '../../../../shared/errors/errors.ts';
import { deferredBody } from '../../../../shared/http/body/reader.ts';
import { batch } from '../../service.ts';
import { dashboardForm, readForm } from '../http/form-body.ts';
import { answerOperator, DASHBOARD_ANSWERS } from '../http/operator-visit.ts';
import { findRoute } from '../routes.ts';

/** Every form of the dashboard. Nothing of a form is read before the session is known. */
export const handler = batch.endpoint(
  {
    route: 'POST /dashboard/{path+}',
    summary: 'A form of the dashboard',
    body: deferredBody(dashboardForm),
    answers: DASHBOARD_ANSWERS,
    refuses: ['auth.cross-origin'],
    access: 'public',
    rate: 'Actions',
    undocumented: true,
  },
  (input) =>
    answerOperator(input, async (visit) => {
      const found = await findRoute('forms', input.params.path ?? '');
      if (!found) throw new Problem('noRoute', { method: 'POST', path: input.path });
      return found.run(visit, found.params, await readForm(await input.body()));
    }),
);
