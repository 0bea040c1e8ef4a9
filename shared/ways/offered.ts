import { MANUAL, type Manual } from '../settings/settings.ts';
import type { WorkstationValues } from '../workstation/settings.ts';

type WaySettings = Pick<WorkstationValues, 'Workstations:AgentUrl'> & { readonly [MANUAL]: Manual };

/** The ways to sign of this deployment, beside a certificate file. The function of a page has the keys to none of them. */
export const waysOffered = (settings: WaySettings) => ({
  offersCloud: settings[MANUAL].isSet('Hub:ApiKey'),
  offersToken: settings[MANUAL].isSet('Workstations:ApiKey'),
  agentUrl: settings['Workstations:AgentUrl'],
});
