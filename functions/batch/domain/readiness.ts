import { checkSigner } from '../external-signer/domain/check-signer.ts';
import { checkFolders } from '../folders/domain/check-folders.ts';
import { checkInstance } from '../installation/cluster/domain/check-instance.ts';
import { checkReadiness, type FurtherCheck, type ReadinessResult } from '../operations/domain/readiness.ts';
import { checkCertificates, checkKeyless, degradedProfiles } from '../profiles/domain/degraded.ts';
import { checkWorkShare } from '../storage/domain/check-work-share.ts';

/** The readiness of this service, from the parts that it depends on. */
export const checkBatchReadiness = (nowMs: number): Promise<ReadinessResult> =>
  checkReadiness('batch', degradedProfiles, () => findFurther(nowMs));

async function findFurther(nowMs: number): Promise<readonly FurtherCheck[]> {
  const checks = [
    checkWorkShare(),
    checkFolders(),
    checkSigner(),
    checkInstance(nowMs),
    checkKeyless(),
    checkCertificates(nowMs),
  ];
  return (await Promise.all(checks)).flat();
}
