import { isHubFailure } from '../../../../../../shared/hub/errors.ts';
import { logger } from '../../../../../../shared/log/logger.ts';
import { commonSettings } from '../../../../../../shared/settings/common.ts';

/** Where the hub sends a holder back to. It is registered there for our key, to the letter. */
export const returnUri = (): string => `${commonSettings['Http:PublicUrl']}/batch/approvals/cloud/return`;

/** Logs a failure of the hub with the hub's code. Any other error is thrown. */
export function logHubFailure(error: unknown, attemptId: string | undefined): void {
  if (!isHubFailure(error)) throw error;
  const { status, code, message } = error;
  logger('batch').warn('The hub did not serve a signature of an approver.', {
    ...{ attemptId, status, code },
    reason: message,
  });
}
