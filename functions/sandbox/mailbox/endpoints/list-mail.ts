import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { accepts } from '../../../../shared/http/request/accepts.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { sandbox } from '../../service.ts';
import { Mailbox, MailboxParams } from '../contract.ts';
import { listMail } from '../domain/mailbox.ts';
import { mailboxPage } from '../pages/mailbox-page.ts';

export const handler = pageEndpoint(sandbox, ANYBODY)(
  {
    route: 'GET /mailbox/{address}',
    summary: 'The mail that was sent to an address, the newest first',
    description: 'A page for a caller that accepts `text/html`, which is a browser.',
    params: MailboxParams,
    answers: { 200: Mailbox },
    undocumented: false,
  },
  async ({ params, headers }, { language }) => {
    const items = await listMail(params.address);
    if (!accepts(headers.accept, 'text/html')) return { items };
    return mailboxPage(params.address, items, language);
  },
);
