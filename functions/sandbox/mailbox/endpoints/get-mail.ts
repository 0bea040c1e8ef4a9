import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { accepts } from '../../../../shared/http/request/accepts.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { errors } from '../../errors.ts';
import { sandbox } from '../../service.ts';
import { MailParams, ReceivedMail } from '../contract.ts';
import { findMail } from '../domain/mailbox.ts';
import { mailPage } from '../pages/mail-page.ts';

export const handler = pageEndpoint(sandbox, ANYBODY)(
  {
    route: 'GET /mailbox/{address}/{id}',
    summary: 'One message that was sent to an address',
    description: 'A page for a caller that accepts `text/html`, which is a browser.',
    params: MailParams,
    answers: { 200: ReceivedMail },
    refuses: ['MailNotFound'],
    undocumented: false,
  },
  async ({ params: { address, id }, headers }, { language }) => {
    const mail = await findMail(address, id);
    if (!mail) throw errors.refuse('MailNotFound');
    return accepts(headers.accept, 'text/html') ? mailPage(address, mail, language) : mail;
  },
);
