import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { accepts } from '../../../../shared/http/request/accepts.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { sandbox } from '../../service.ts';
import { Mailboxes } from '../contract.ts';
import { listMailboxes } from '../domain/mailbox.ts';
import { mailboxesPage } from '../pages/mailbox-page.ts';

export const handler = pageEndpoint(sandbox, ANYBODY)(
  {
    route: 'GET /mailbox',
    summary: 'The addresses that mail was sent to',
    description: 'A page for a caller that accepts `text/html`, which is a browser.',
    answers: { 200: Mailboxes },
    undocumented: false,
  },
  async ({ headers }, { language }) => {
    const items = await listMailboxes();
    return accepts(headers.accept, 'text/html') ? mailboxesPage(items, language) : { items };
  },
);
