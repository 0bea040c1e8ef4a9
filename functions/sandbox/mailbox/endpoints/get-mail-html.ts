import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { html } from '../../../../shared/http/response/answer.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { errors } from '../../errors.ts';
import { sandbox } from '../../service.ts';
import { MailParams } from '../contract.ts';
import { findMail } from '../domain/mailbox.ts';

// XSS: anybody may have written the message. It has an origin of its own, runs nothing and sends no form; its links open
// in another window.
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src http: https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

const HEAD = /<head[^>]*>/i;
const IN_ANOTHER_WINDOW = '<base target="_blank">';

export const handler = pageEndpoint(sandbox, ANYBODY)(
  {
    route: 'GET /mailbox/{address}/{id}/html',
    summary: 'The HTML of a message, for a frame',
    params: MailParams,
    answers: { 200: PAGE },
    refuses: ['MailNotFound'],
  },
  async ({ params: { address, id } }) => {
    const mail = await findMail(address, id);
    if (mail?.html === undefined) throw errors.refuse('MailNotFound');
    const shown = HEAD.test(mail.html)
      ? mail.html.replace(HEAD, (head) => `${head}${IN_ANOTHER_WINDOW}`)
      : `${IN_ANOTHER_WINDOW}${mail.html}`;
    return html(shown, {
      headers: { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' },
    });
  },
);
