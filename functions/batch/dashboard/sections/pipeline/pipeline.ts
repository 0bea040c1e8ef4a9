import { Refusal } from '../../../../../shared/errors/errors.ts';
import { errors } from '../../../errors.ts';
import { cleanUp } from '../../../installation/retention/domain/run.ts';
import { clearJobs } from '../../../jobs/domain/clear-jobs.ts';
import { pausePipeline, resumePipeline } from '../../../pipeline/domain/pipeline.ts';
import { renderPipeline } from '../../../pipeline/domain/render-pipeline.ts';
import { leadTo } from '../../pages/done.ts';
import type { Section, SubmitForm } from '../../visit.ts';
import { pipelinePage } from './pipeline-page.ts';

/** Pauses or resumes. A reason that is too long is shown at its field. */
const changeState =
  (change: typeof pausePipeline, done: string): SubmitForm =>
  async (visit, _params, form) => {
    const reason = form.text('reason').trim();
    try {
      await change(visit.operator, { reason: reason || undefined }, visit.nowMs);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'validation.reason-too-long') throw error;
      const problem = errors.text(error.code, visit.language) ?? error.message;
      return pipelinePage(visit, await renderPipeline(), { value: reason, problem });
    }
    return leadTo('pipeline', done);
  };

const runCleanup: SubmitForm = async ({ operator, deadlineAtMs }) => {
  const { message: _, ...counts } = await cleanUp({ deadlineAtMs, by: operator.application }, Date.now);
  return leadTo('pipeline', 'cleaned', counts);
};

const clearFinished: SubmitForm = async ({ operator, deadlineAtMs }) => {
  const { deleted, skipped } = await clearJobs(operator, { deadlineAtMs }, Date.now);
  return leadTo('pipeline', 'cleared', { deleted, skipped });
};

/** The pipeline: whether it runs, what is in flight, and the deletions that an operator starts. */
export const pipeline: Section = {
  pages: { pipeline: async (visit) => pipelinePage(visit, await renderPipeline()) },
  forms: {
    'pipeline/pause': changeState(pausePipeline, 'paused'),
    'pipeline/resume': changeState(resumePipeline, 'resumed'),
    'pipeline/cleanup': runCleanup,
    'pipeline/clear': clearFinished,
  },
};
