import { accepts } from '../../../../shared/http/accepts.ts';
import { languageFor } from '../../../../shared/ui/languages.ts';
import { sandbox } from '../../service.ts';
import { Mailbox, MailboxParams } from '../contract.ts';
import { listMail } from '../domain/mailbox.ts';
import { mailboxPage } from '../pages/mailbox-page.ts';

export const handler = sandbox.endpoint(
  {
    route: 'GET /mailbox/{address}',
    summary: 'The mail that was sent to an address, the newest first',
    description: 'A page for a caller that accepts `text/html`, which is a browser.',
    params: MailboxParams,
    answers: { 200: Mailbox },
    access: 'public',
  },
  async ({ params, query, headers }) => {
    const items = await listMail(params.address);
    if (!accepts(headers.accept, 'text/html')) return { items };
    const language = languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] });
    return mailboxPage(params.address, items, language);
  },
);
