import * as z from 'zod';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { formBody } from '../../../../shared/http/body/reader.ts';
import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { frameAncestorsOf } from '../../../../shared/ui/frame-origins.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { KeyParams } from '../../contract/signing/signing.ts';
import { requestCode, verifyCode } from '../../domain/links/link-code.ts';
import { embedOriginsOf } from '../../domain/places/embedding.ts';
import type { CodeNotice } from '../../pages/action/code-page.ts';
import { deadLinkOf, deadLinkPage } from '../../pages/action/dead-link.ts';
import { documents } from '../../service.ts';

const CodeForm = z.object({
  ticket: z.string().max(200),
  embedded: z.string().optional(),
  /** Without one, a code is sent. */
  code: z.string().max(40).optional(),
});

const MAX_FORM_BYTES = 4_096;

const PROBLEMS: Readonly<Record<string, CodeNotice>> = {
  CodeWrong: 'wrong',
  CodeExpired: 'expired',
  TooManyRequests: 'tooMany',
  MailNotEnabled: 'impossible',
  EmailAddressRequired: 'impossible',
};

/**
 * Sends a code, or opens the document for one: by a ticket that the browser is led on with. Whatever comes of it, the browser
 * is led to the page of the link: what is loaded again or restored there sends nothing again.
 */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /document/key/{key}/code',
    summary: 'Send a code by mail, or open the document for it',
    params: KeyParams,
    body: formBody(CodeForm),
    maxBodyBytes: () => MAX_FORM_BYTES,
    answers: { 303: REDIRECT, 404: PAGE, 410: PAGE },
  },
  async ({ params: { key }, body: { ticket, embedded, code } }, { language }) => {
    const isEmbedded = embedded === 'true';
    const frame = isEmbedded && { frameAncestors: frameAncestorsOf(embedOriginsOf(undefined)) };
    const leadTo = (query: Record<string, string>) =>
      redirect(`${isEmbedded ? 'embed' : 'action'}?${new URLSearchParams({ ...query, lang: language })}`, {
        status: 303,
      });
    try {
      if (code !== undefined) return leadTo({ ticket: await verifyCode(key, ticket, code, Date.now()) });
      await requestCode(key, ticket, Date.now);
      return leadTo({ ticket, code: 'sent' });
    } catch (error) {
      const dead = deadLinkOf(error);
      if (dead) return deadLinkPage(dead, { language, isEmbedded, ...frame });
      const notice = error instanceof Refusal ? PROBLEMS[error.code] : undefined;
      if (!notice) throw error;
      return leadTo({ ticket, notice });
    }
  },
);
