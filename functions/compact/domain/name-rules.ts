import type { NameRules } from '../../batch/jobs/domain/job/names.ts';
import { settings } from '../settings.ts';

/** Which names are refused on this surface: always one that an active job has, whatever its path. */
export const nameRules = (): NameRules => ({
  rejectProcessed: settings['Pipeline:RejectAlreadyProcessedFileNames'],
  rejectActive: true,
});
