import { Readable } from 'node:stream';
import { WORKBOOK_TYPE, writeWorkbook } from '../../../../shared/archive/workbook.ts';
import { fileOf } from '../../../../shared/http/declaration.ts';
import { file } from '../../../../shared/http/response/answer.ts';
import { errors } from '../../errors.ts';
import { APPROVER_LISTS } from '../../jobs/domain/job/approver-lists.ts';
import { exportList } from '../export-list.ts';
import { portalEndpoint } from '../portal.ts';

export const handler = portalEndpoint(
  {
    route: 'GET /approvals/export/{list}',
    summary: 'A list of an approver as a workbook',
    answers: { 200: fileOf(WORKBOOK_TYPE) },
    refuses: ['route.not-found'],
    rate: 'Export',
    streams: true,
  },
  async ({ params }, { address, language }) => {
    const list = APPROVER_LISTS.find((each) => each === params.list);
    if (!list) throw errors.refuse('route.not-found');
    const nowMs = Date.now();
    const workbook = writeWorkbook({ ...exportList(address, list, language, nowMs), modifiedAtMs: nowMs });
    return file(Readable.from(workbook), WORKBOOK_TYPE, { name: `${list}.xlsx` });
  },
);
