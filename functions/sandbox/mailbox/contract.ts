import * as z from 'zod';

export const MailboxParams = z.object({ address: z.string().min(1).max(254) });

export const MailParams = MailboxParams.extend({ id: z.string().min(1).max(100) });

export const ReceivedMail = z.object({
  id: z.string(),
  receivedAt: z.iso.datetime(),
  from: z.string(),
  to: z.array(z.string()).describe('As the message itself names them.'),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
});

export const Mailbox = z.object({ items: z.array(ReceivedMail) });

export const Mailboxes = z.object({
  items: z.array(z.object({ address: z.string(), receivedAt: z.iso.datetime().describe('Of the newest.') })),
});
