import { MAIL_QUEUE } from '../mail/queue.ts';
import { send } from '../queue/send.ts';
import type { ServiceName } from '../settings/names.ts';
import type { MemberMail } from './member-mail-task.ts';

/**
 * Has a link sent to an address, where it is of a member. Whether it is, the worker finds out: this does the same for every
 * address. Nothing is recorded, so that strangers cannot fill the store; whose message is lost asks again.
 */
export async function requestLogInLink(service: ServiceName, email: string, nowMs: number): Promise<void> {
  const task: MemberMail = {
    task: 'member',
    kind: 'Link',
    email,
    organizationId: null,
    requestedAtMs: nowMs,
  };
  await send(service, MAIL_QUEUE, task);
}
