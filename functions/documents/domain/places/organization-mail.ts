import type { Caller } from '../../../../shared/access/caller.ts';
import { hasMailServer } from '../../../../shared/mail/queue.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import {
  findOrganization,
  forgetRecentOrganization,
  isActiveOrganization,
  type MailOptions,
  organizationNotFound,
  organizations,
} from './organization.ts';

/**
 * Sets the mail of an organization. Without a mail server nothing can be turned on: nobody would be told, or could get a
 * code.
 */
export async function updateOrganizationMail(
  caller: Pick<Caller, 'registered'>,
  id: string,
  mail: MailOptions,
): Promise<MailOptions> {
  await findOrganization(caller, id);
  if ((mail.enabled || mail.requiresCode) && !hasMailServer(settings)) throw errors.refuse('MailNotEnabled');
  await retryOnConflict(async () => {
    const stored = await organizations.get(id);
    if (!stored || !isActiveOrganization(stored)) throw organizationNotFound(id);
    await organizations.change(stored, { mail });
  });
  forgetRecentOrganization(id);
  return mail;
}
