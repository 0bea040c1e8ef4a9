import { PAGE } from '../../../../shared/http/declaration.ts';
import { listRows, MAX_LISTED } from '../../jobs/domain/job/approver-lists.ts';
import { listPage } from '../pages/list-page.ts';
import { refusalText } from '../pages/refusals.ts';
import { secondFactorWords } from '../pages/second-factor-words.ts';
import { portalEndpoint } from '../portal.ts';

export const handler = portalEndpoint(
  { route: 'GET /approvals', summary: 'The jobs that wait for an approver', answers: { 200: PAGE } },
  async ({ query }, visitor) => {
    const { address, language } = visitor;
    const nowMs = Date.now();
    const found = await listRows(address, 'pending', { limit: MAX_LISTED, nowMs });
    const problem = typeof query.problem === 'string' ? refusalText(language, query.problem) : undefined;
    const done =
      query.enrolled !== undefined && visitor.verifiedAtMs !== null
        ? secondFactorWords(language).done
        : undefined;
    return listPage({
      ...found,
      list: 'pending',
      language,
      address,
      nowMs,
      ...(problem && { problem }),
      ...(done && { done }),
    });
  },
);
