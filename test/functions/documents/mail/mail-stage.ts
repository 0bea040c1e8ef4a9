import { vi } from 'vitest';
import { documentMails } from '../../../../functions/documents/domain/mail/document-mails.ts';
import { updateOrganizationMail } from '../../../../functions/documents/domain/places/organization-mail.ts';
import { handler as sendMailWorker } from '../../../../functions/documents/workers/send-mail.ts';
import { MAIL_QUEUE } from '../../../../shared/mail/queue.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { startSmtpServer } from '../../../servers/smtp-server.ts';
import { drainQueue } from '../../drain-queue.ts';
import { ownOrganization } from '../own-organization.ts';
import { callerFor, someDocuments } from '../sample-documents.ts';

export const ANA = 'ana@sandbox.example';
export const BIA = 'bia@sandbox.example';
export const CAIO = 'caio@sandbox.example';

const NAMES: Readonly<Record<string, string>> = { [ANA]: 'Ana', [BIA]: 'Bia', [CAIO]: 'Caio' };

/** An action in which this address approves. */
export const approval = (email: string, step = 1) => ({
  type: 'Approver',
  step,
  user: { name: NAMES[email] ?? email, email },
});

/** Works on all mail that is on the queue, and on what that leads to. */
export const workOnMail = () => drainQueue('documents', MAIL_QUEUE, sendMailWorker);

/** The same, after the sweep of that time has sent the due messages. */
export async function sweepMail(atMs: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: atMs });
  await scheduleHandler('documents', 'send-due', sendDueMessages('documents'), () => atMs)();
  return workOnMail();
}

/** An organization that sends mail to a server of its own. */
export async function mailStage(mail: { readonly requiresCode?: boolean } = {}) {
  const smtp = await startSmtpServer();
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  const { orgId, key } = await ownOrganization({ name: 'ACME Ltda' });
  const caller = callerFor(orgId);
  const turn = (enabled: boolean, requiresCode = mail.requiresCode ?? false) =>
    updateOrganizationMail(caller, orgId, { enabled, requiresCode });
  await turn(true);
  return {
    smtp,
    orgId,
    key,
    caller,
    turn,
    /** Creates a document whose people approve, and answers its id. */
    async created(flowActions: readonly object[] = [approval(ANA)], more: object = {}) {
      const [id = ''] = await someDocuments(orgId, { names: ['Contrato'], flowActions, ...more });
      return id;
    },
    /** Whom mail went to since the last time this was asked, with the subjects. */
    arrived: () =>
      smtp
        .forget()
        .map(({ to, mail: { subject } }) => [to, subject])
        .toSorted(),
    record: (about: string, name: string) => documentMails.get({ about, name }),
    stop: () => smtp.stop(),
  };
}

/** The address that the button of a message leads to. */
export function linkIn(html: string | undefined): string {
  const [, href = ''] = /<a [^>]*href="([^"]+)"/.exec(html ?? '') ?? [];
  return href.replaceAll('&amp;', '&');
}
