import { type AuthorizationRequest, locationOf, refusalLocation } from './authorization-request.ts';
import { issueCode } from './codes.ts';

/**
 * Where the browser goes once the holder has decided. Nobody can approve for somebody who keeps nothing here.
 * @example redirect(await decide(request, 'approve', Date.now()))
 */
export async function decide(
  request: AuthorizationRequest,
  decision: 'approve' | 'deny',
  nowMs: number,
): Promise<string> {
  if (decision === 'deny' || !request.isForHolder) return refusalLocation(request, 'access_denied');
  return locationOf(request, { code: await issueCode(request, nowMs) });
}
