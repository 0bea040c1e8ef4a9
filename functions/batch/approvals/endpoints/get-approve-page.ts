import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageLanguage } from '../../auth/http/page-language.ts';
import { batch } from '../../service.ts';
import { approvePage } from '../pages/approve-page.ts';

/** Anonymous. It reads nothing of any job, so that the page is the same whether there is one of this id or not. */
export const handler = batch.endpoint(
  {
    route: 'GET /approve/{id}',
    summary: 'The page of a job without a session, which leads to the portal',
    answers: { 200: PAGE },
    access: 'public',
    undocumented: true,
  },
  (input) => approvePage({ language: pageLanguage(input), id: input.params.id ?? '' }),
);
