import { optionalJsonBody } from '../../../shared/http/body/reader.ts';
import { PipelineReason, PipelineState } from '../contract.ts';
import { renderPipeline, resumePipeline } from '../domain/pipeline.ts';
import { batch } from '../service.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/pipeline/resume',
    summary: 'Resume the pipeline',
    body: optionalJsonBody(PipelineReason),
    answers: { 200: PipelineState },
    refuses: ['validation.reason-too-long', 'pipeline.race-lost', 'auth.misconfigured'],
    rate: 'Actions',
  },
  async ({ body }) => renderPipeline(await resumePipeline(body, Date.now())),
);
