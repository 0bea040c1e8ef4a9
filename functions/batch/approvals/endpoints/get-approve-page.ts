import { PAGE } from '../../../../shared/http/declaration.ts';
import { openPage } from '../../auth/http/open-page.ts';
import { approvePage } from '../pages/approve-page.ts';

/** Anonymous. It reads nothing of any job, so that the page is the same whether there is one of this id or not. */
export const handler = openPage(
  {
    route: 'GET /approve/{id}',
    summary: 'The page on which an approver decides without a session',
    answers: { 200: PAGE },
  },
  ({ params }, { language }) => approvePage({ language, id: params.id ?? '' }),
);
