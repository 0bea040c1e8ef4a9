import { PAGE } from '../../../../shared/http/declaration.ts';
import { listRows, MAX_LISTED } from '../../jobs/domain/job/approver-lists.ts';
import { listPage } from '../pages/list-page.ts';
import { portalEndpoint } from '../portal.ts';

export const handler = portalEndpoint(
  { route: 'GET /approvals/decided', summary: 'The decisions of an approver', answers: { 200: PAGE } },
  async (_, { address, language }) => {
    const nowMs = Date.now();
    const found = await listRows(address, 'decided', { limit: MAX_LISTED, nowMs });
    return listPage({ ...found, list: 'decided', language, address, nowMs });
  },
);
