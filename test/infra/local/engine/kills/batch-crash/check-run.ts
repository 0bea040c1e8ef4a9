import { checkCounts } from './check-counts.ts';
import { checkFiles } from './check-files.ts';
import { checkJobs } from './check-jobs.ts';
import type { CrashRun } from './run.ts';
import { verifyOutputs } from './verify-outputs.ts';

/** Everything that does not add up after a run. */
export const checkRun = async (run: CrashRun): Promise<string[]> => [
  ...checkJobs(run),
  ...(await checkFiles(run)),
  ...(await checkCounts(run)),
  ...(await verifyOutputs(run)),
];
