import { itemRoutes } from '../flows/item-routes.ts';
import type { TranscriptData } from '../items/domain/data.ts';
import { Transcript } from './contract.ts';

export const transcriptRoutes = itemRoutes<TranscriptData>('transcript', {
  one: 'academic transcript',
  model: Transcript,
});
