import { ReasonQuery, reasonBody, reasonIn } from '../../jobs/reason.ts';
import { batch } from '../../service.ts';
import { PipelineReason, PipelineState } from '../contract.ts';
import { resumePipeline } from '../domain/pipeline.ts';
import { renderPipeline } from '../domain/render-pipeline.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/pipeline/resume',
    summary: 'Resume the pipeline',
    description: 'Jobs are picked up again. A concurrent pause or resume answers `pipeline.race-lost`.',
    tag: 'pipeline',
    query: ReasonQuery,
    body: reasonBody(PipelineReason),
    answers: { 200: PipelineState },
    refuses: ['validation.reason-too-long', 'pipeline.race-lost', 'auth.misconfigured'],
    rate: 'Actions',
  },
  async ({ body, query, caller }) =>
    renderPipeline(await resumePipeline(caller, reasonIn({ body, query }), Date.now())),
);
