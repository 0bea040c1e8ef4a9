import { hubClient } from '../../../shared/hub/client.ts';
import { isHubFailure } from '../../../shared/hub/errors.ts';
import { logger } from '../../../shared/log/logger.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import { settings } from '../settings.ts';

/** The hub of cloud certificates. Another one, or this deployment's own. */
export const hub = hubClient({
  get address() {
    return settings['Hub:BaseAddress'] ?? `${commonSettings['Http:PublicUrl']}/hub`;
  },
  get apiKey() {
    return settings['Hub:ApiKey'];
  },
});

/** Whether cloud certificates can sign: those of approvers, and those of profiles. */
export const signsInCloud = (): boolean => settings['Hub:ApiKey'] !== '';

type HubWork = { readonly attemptId: string | undefined } | { readonly profileName: string | undefined };

/** Logs a failure of the hub with the hub's code. Any other error is thrown. */
export function logHubFailure(error: unknown, work: HubWork): void {
  if (!isHubFailure(error)) throw error;
  const { status, code, message: reason } = error;
  logger('batch').warn('The hub did not serve a cloud certificate.', { ...work, status, code, reason });
}
