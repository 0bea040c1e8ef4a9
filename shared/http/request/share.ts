import { applicationIn, SHARE_HEADER } from '../../trace/share.ts';
import type { Call } from '../call.ts';
import { clientNetwork } from './client-network.ts';

/** In whose share of the processor a call runs. */
type Share = {
  readonly application: string;
  /** This deployment makes it, in a call of the application. */
  readonly isContinued: boolean;
};

/** The share of a call whose key has been looked at. @example const { application } = shareOf(call); */
export function shareOf({ caller, clientAddress, headers }: Call): Share {
  const first = applicationIn(headers[SHARE_HEADER]);
  if (first !== undefined) return { application: first, isContinued: true };
  // A caller without a key is known by its network alone.
  return { application: caller?.application ?? clientNetwork(clientAddress), isContinued: false };
}
