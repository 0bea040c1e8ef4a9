import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { batch } from '../../service.ts';
import { PipelineState } from '../contract.ts';
import { renderPipeline } from '../domain/render-pipeline.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/pipeline/state',
    summary: 'Read the state of the pipeline',
    description: 'Tells whether the pipeline is paused, by whom and why, and how many jobs are in flight.',
    tag: 'pipeline',
    query: NoQuery,
    answers: { 200: PipelineState },
    refuses: ['auth.misconfigured'],
    rate: 'Actions',
  },
  async () => renderPipeline(),
);
