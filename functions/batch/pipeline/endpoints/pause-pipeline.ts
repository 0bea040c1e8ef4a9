import { ReasonQuery, reasonBody, reasonIn } from '../../jobs/reason.ts';
import { batch } from '../../service.ts';
import { PipelineReason, PipelineState } from '../contract.ts';
import { pausePipeline } from '../domain/pipeline.ts';
import { renderPipeline } from '../domain/render-pipeline.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/pipeline/pause',
    summary: 'Pause the pipeline',
    description:
      'No new job is picked up until the pipeline is resumed. A concurrent pause or resume answers `pipeline.race-lost`.',
    tag: 'pipeline',
    query: ReasonQuery,
    body: reasonBody(PipelineReason),
    answers: { 200: PipelineState },
    refuses: ['validation.reason-too-long', 'pipeline.race-lost', 'auth.misconfigured'],
    rate: 'Actions',
  },
  async ({ body, query, caller }) =>
    renderPipeline(await pausePipeline(caller, reasonIn({ body, query }), Date.now())),
);
