import { hubClient } from '../../shared/hub/client.ts';
import { commonSettings } from '../../shared/settings/common.ts';
import { settings } from './settings.ts';

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
