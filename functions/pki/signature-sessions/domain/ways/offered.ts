import { settings } from '../../../settings.ts';
import { offersCloud } from './cloud.ts';
import { offersToken } from './token.ts';

/** The ways to sign of this deployment, beside a certificate file. */
export const waysOffered = () => ({
  offersCloud: offersCloud(),
  offersToken: offersToken(),
  agentUrl: settings['Workstations:AgentUrl'],
});
