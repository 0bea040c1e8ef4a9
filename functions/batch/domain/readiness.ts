import { checkFolders } from '../folders/domain/check-folders.ts';
import { checkReadiness, type ReadinessResult } from '../operations/domain/readiness.ts';
import { degradedProfiles } from '../profiles/domain/degraded.ts';

/** The readiness of this service, from the parts that it depends on. */
export const checkBatchReadiness = (): Promise<ReadinessResult> =>
  checkReadiness('batch', degradedProfiles, checkFolders);
