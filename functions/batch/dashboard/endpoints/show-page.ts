import { Problem } from '../../../../shared/errors/errors.ts';
import { batch } from '../../service.ts';
import { answerOperator, DASHBOARD_ANSWERS } from '../http/operator-visit.ts';
import { findRoute } from '../routes.ts';

/**
 * Every page of the dashboard. One function serves them all: an operator who goes from page to page meets one cold
 * start, and the stack stays within CloudFormation's limit of resources.
 */
export const handler = batch.endpoint(
  {
    route: 'GET /',
    aliases: ['GET /dashboard/{path+}'],
    summary: 'A page of the dashboard',
    answers: DASHBOARD_ANSWERS,
    access: 'public',
    undocumented: true,
  },
  (input) =>
    answerOperator(input, async (visit) => {
      const found = await findRoute('pages', input.params.path ?? '');
      if (!found) throw new Problem('noRoute', { method: 'GET', path: input.path });
      return found.run(visit, found.params);
    }),
);
