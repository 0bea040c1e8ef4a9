import { checkSigner } from '../external-signer/domain/check-signer.ts';
import { checkFolders } from '../folders/domain/check-folders.ts';
import { checkReadiness, type FurtherCheck, type ReadinessResult } from '../operations/domain/readiness.ts';
import { checkKeyless, degradedProfiles } from '../profiles/domain/degraded.ts';
import { checkWorkShare } from '../storage/domain/check-work-share.ts';

/** The readiness of this service, from the parts that it depends on. */
export const checkBatchReadiness = (): Promise<ReadinessResult> =>
  checkReadiness('batch', degradedProfiles, findFurther);

async function findFurther(): Promise<readonly FurtherCheck[]> {
  return (await Promise.all([checkWorkShare(), checkFolders(), checkSigner(), checkKeyless()])).flat();
}
