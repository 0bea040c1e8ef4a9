import { sandbox } from '../../service.ts';
import { Mailbox, MailboxParams } from '../contract.ts';
import { listMail } from '../domain/mailbox.ts';

export const handler = sandbox.endpoint(
  {
    route: 'GET /mailbox/{address}',
    summary: 'The mail that was sent to an address, the newest first',
    params: MailboxParams,
    answers: { 200: Mailbox },
    access: 'public',
  },
  async ({ params }) => ({ items: await listMail(params.address) }),
);
