import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { batch } from '../../service.ts';
import { JobDetails, JobParams } from '../contract/job.ts';
import type { Cnab240Figures } from '../domain/cnab240/figures.ts';
import { summarizeApproval } from '../domain/job/approval.ts';
import { jobAsOf } from '../domain/job/as-of.ts';
import { renderJob, requireJob } from '../domain/job/job.ts';

const publicFiguresOf = ({ lotSums: _, ...figures }: Cnab240Figures) => figures;

export const handler = batch.endpoint(
  {
    route: 'GET /api/jobs/{id}',
    summary: 'Read a job with its history',
    description: 'Also the figures of a payment remittance, where the profile checks them.',
    tag: 'jobs',
    params: JobParams,
    query: NoQuery,
    answers: { 200: JobDetails },
    refuses: ['job.not-found', 'auth.misconfigured'],
  },
  async ({ params }) => {
    const job = jobAsOf(await requireJob(params.id), Date.now());
    const { history, cnab240 } = job;
    return {
      ...renderJob(job),
      history: history.map(({ said: _, ...entry }) => entry),
      inputSha256: job.staged?.sha256 ?? null,
      cnab240: cnab240 && publicFiguresOf(cnab240),
      approval: job.approval && summarizeApproval(job.approval),
    };
  },
);
