import * as z from 'zod';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { firstFile, multipartBody } from '../../../../shared/http/body/multipart.ts';
import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { validate } from '../../../../shared/http/validate.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { KeyParams } from '../../contract/signing/signing.ts';
import { setUpApp } from '../../domain/electronic/set-up-app.ts';
import { beginLiveness } from '../../domain/electronic/show-face.ts';
import { readDocumentName, requestCodesByLink, signByLink } from '../../domain/electronic/signers.ts';
import { locationIn, senderOf } from '../../http/electronic-signature.ts';
import { agreementOf, type ElectronicNotice } from '../../pages/action/electronic-panel.ts';
import { documents } from '../../service.ts';

const Fields = z.object({
  ticket: z.string().max(200),
  embedded: z.string().optional(),
  step: z.enum(['face', 'app', 'code', 'sign']),
  emailCode: z.string().max(40).optional(),
  smsCode: z.string().max(40).optional(),
  appCode: z.string().max(40).optional(),
  agree: z.string().optional(),
  shown: z.string().max(40).default('').describe('An older page, which does not say it, is shown again.'),
  location: z.string().max(100).optional(),
});

// A photograph of a telephone, from a browser without scripts: it is refused with words.
const MAX_FILE_BYTES = 400_000;

const NOTICES: Readonly<Record<string, ElectronicNotice>> = {
  CodeWrong: 'wrong',
  AuthenticationRequired: 'missing',
  CodeExpired: 'expired',
  CodesLocked: 'locked',
  TooManyRequests: 'tooMany',
  SmsUnavailable: 'notSent',
  MailNotEnabled: 'notSent',
  EmailAddressRequired: 'notSent',
  PhoneRequired: 'notSent',
  FactorNotOffered: 'notSent',
  SignatureImageNotUsable: 'imageUnusable',
  InvalidSignatureToken: 'changed',
  AuthenticatorNotSetUp: 'noApp',
  LivenessUnavailable: 'noFace',
  LivenessFailed: 'noFace',
};

// The page says by itself why nothing is left to do, or that the link opens nothing.
const SHOWN_BY_PAGE: ReadonlySet<string> = new Set([
  'InvalidFlowAction',
  'InvalidDocumentStatus',
  'ElectronicSignatureNotAllowed',
  'CodeRequired',
  'DocumentInvalidKey',
  'InvalidTicket',
]);

function noticeOf(error: unknown): ElectronicNotice | undefined {
  if (!(error instanceof Refusal)) throw error;
  const notice = NOTICES[error.code];
  if (!notice && !SHOWN_BY_PAGE.has(error.code)) throw error;
  return notice;
}

/**
 * Sends the codes of an electronic signature, or signs. It needs no script. Whatever comes of it, the browser is led to the
 * page of the link: what is loaded again or restored there gives no code again.
 */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /document/key/{key}/electronic',
    summary: 'Send the codes of an electronic signature, or sign',
    params: KeyParams,
    body: multipartBody({ maxFiles: () => 1, maxFileBytes: () => MAX_FILE_BYTES, schema: {} }),
    answers: { 303: REDIRECT },
  },
  async ({ params: { key }, body, clientAddress, headers }, { language }) => {
    const given: Record<string, string> = {};
    const image = await firstFile(body, async ({ content }) => Buffer.concat(await content.toArray()), given);
    const { ticket, embedded, step, emailCode, smsCode, appCode, agree, shown, location } = validate(
      Fields,
      given,
    );
    const isEmbedded = embedded === 'true';
    const link = { key, ticket };
    const leadTo = (query: Record<string, string> = {}) => {
      const target = new URLSearchParams({ ticket, lang: language, ...query });
      return redirect(`${isEmbedded ? 'embed' : 'action'}?${target}#electronic`, { status: 303 });
    };
    try {
      if (step === 'face') {
        const { sessionUrl, cookie } = await beginLiveness(link, Date.now);
        return redirect(sessionUrl, { status: 303, cookies: [cookie] });
      }
      if (step === 'app') {
        await setUpApp(link, Date.now());
        return leadTo();
      }
      if (step === 'code') {
        await requestCodesByLink(link, Date.now);
        return leadTo({ code: 'sent' });
      }
      if (agree !== 'yes') return leadTo({ notice: 'disagreed' });
      const agreement = agreementOf(await readDocumentName(link, Date.now()), language);
      const signature = {
        ...senderOf({ clientAddress, headers }),
        codes: { Email: emailCode, SMS: smsCode, AuthenticatorApp: appCode },
        shown,
        agreement,
        ...(image && image.length > 0 && { image }),
        geolocation: locationIn(location),
        userTimeZoneOffset: null,
      };
      await signByLink(link, null, signature, Date.now());
      return leadTo();
    } catch (error) {
      const notice = noticeOf(error);
      return leadTo(notice && { notice });
    }
  },
);
