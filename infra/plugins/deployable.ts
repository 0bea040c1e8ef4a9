import { LOCAL_STAGE, SERVICES } from '../../shared/settings/names.ts';
import type { Functions } from './framework.ts';

/** A stage. Bucket names take lower case only, and a function's name, which holds the stage, at most 64 characters. */
export const STAGE_NAME = /^[a-z][a-z0-9-]{0,15}$/;

/** Why this stage or service cannot be deployed, in one line; undefined if it can. */
export function whyNotDeployable(stage: string, service: string | undefined): string | undefined {
  if (stage === LOCAL_STAGE)
    return `Stage '${LOCAL_STAGE}' holds the sandbox and is never deployed. Name another: --stage prod.`;
  if (!STAGE_NAME.test(stage))
    return `Stage '${stage}' must be at most 16 lower-case letters, digits and hyphens, beginning with a letter.`;
  if (!SERVICES.some((name) => name === service))
    return `${service ? `There is no service '${service}'` : 'A stack holds one service'}. Name one of ${SERVICES.join(', ')}.`;
  return undefined;
}

/** Why this number cannot be reserved for the functions that functions.yml names; undefined if it can. */
export function whyNotReservable(given: string | undefined, functions: Functions): string | undefined {
  if (given === undefined) return undefined;
  // 0 would stop the functions for good.
  if (!/^[1-9]\d{0,3}$/.test(given))
    return `reservedConcurrency must be a whole number from 1 to 9999; "${given}" is not.`;
  if (!Object.values(functions).some((fn) => fn.reservedConcurrency !== undefined))
    return 'No function of this service takes reservedConcurrency. Leave it out.';
  return undefined;
}
