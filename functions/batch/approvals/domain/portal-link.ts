import { createHmac, timingSafeEqual } from 'node:crypto';
import { isSecret } from '../../../../shared/access/secrets.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { addressOf, listApprovers } from '../../profiles/domain/approvers.ts';
import { settings } from '../../settings.ts';

const tokenOf = (secret: string, address: string): Buffer =>
  createHmac('sha256', secret).update(addressOf(address)).digest();

/**
 * The link of an approver to the portal, or to one job in it. Undefined where ApproverPortal:LinkSecret is not set: there
 * are no links then.
 */
export function portalLinkOf(address: string, jobId?: string): string | undefined {
  const secret = settings['ApproverPortal:LinkSecret'];
  if (secret === '') return undefined;
  const token = tokenOf(secret, address).toString('base64url');
  const job = jobId === undefined ? '' : `?job=${encodeURIComponent(jobId)}`;
  return `${commonSettings['Http:PublicUrl']}/batch/approvals/link/${token}${job}`;
}

/**
 * The address that a link stands for. The token is a code of the address: it opens nothing else, lasts until the secret
 * changes, and is the same for every job. Timing: every known address is compared, in constant time each.
 */
export async function findAddress(token: string): Promise<string | undefined> {
  const secret = settings['ApproverPortal:LinkSecret'];
  if (secret === '' || !isSecret(token)) return undefined;
  const offered = Buffer.from(token, 'base64url');
  const known = await listApprovers();
  return known.filter(({ address }) => timingSafeEqual(tokenOf(secret, address), offered))[0]?.address;
}
