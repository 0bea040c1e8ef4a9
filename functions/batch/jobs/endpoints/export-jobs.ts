import { Readable } from 'node:stream';
import { WORKBOOK_TYPE, writeWorkbook } from '../../../../shared/archive/workbook.ts';
import { fileOf } from '../../../../shared/http/declaration.ts';
import { file } from '../../../../shared/http/response/answer.ts';
import { batch } from '../../service.ts';
import { ExportQuery, filterOf } from '../contract/lists.ts';
import { exportJobs } from '../domain/export-jobs.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/jobs/export',
    summary: 'Export jobs as a workbook',
    description:
      'The first jobs of the filters, newest first or as `sort` says, or the jobs that `id` names, at most Export:MaxRows, as an .xlsx file. Where there are more, its last row says so. `page` and `pageSize` are ignored. Every cell is text: a file name that begins with = is no formula.',
    tag: 'jobs',
    query: ExportQuery,
    answers: { 200: fileOf(WORKBOOK_TYPE) },
    refuses: ['job.not-found', 'auth.misconfigured'],
    rate: 'Export',
    streams: true,
  },
  async ({ query: { id, sort, ...filters } }) => {
    const sheet = await exportJobs({ ...filterOf(filters), sort, ids: [id ?? []].flat() }, Date.now());
    const workbook = writeWorkbook({ ...sheet, sheetName: 'Jobs', modifiedAtMs: Date.now() });
    return file(Readable.from(workbook), WORKBOOK_TYPE, { name: 'jobs.xlsx' });
  },
);
