import { PipelineState } from '../contract.ts';
import { renderPipeline } from '../domain/pipeline.ts';
import { batch } from '../service.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/pipeline/state',
    summary: 'Whether the pipeline is paused, and what is in flight',
    answers: { 200: PipelineState },
    refuses: ['auth.misconfigured'],
    rate: 'Actions',
  },
  async () => renderPipeline(),
);
