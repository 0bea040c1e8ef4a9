import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { certificateFields } from '../../../../shared/ui/certificate-fields.ts';
import {
  completeCertificateLogIn,
  prepareCertificateLogIn,
} from '../../domain/members/certificate-log-in.ts';
import { logIn } from '../../domain/members/sessions.ts';
import { sessionIn } from '../http/session-cookie.ts';
import { noMemberPage } from './by-mail.ts';
import { againLink, type LoginView, noticePage, stepPath } from './login-page.ts';
import { loginWords } from './login-words.ts';
import { entered, returnPathOf, type ShowStep, type SubmitStep } from './visitor.ts';

/** The form in which the script signs what the PKI core asks for. File and password have no names: they are not sent. */
export const showCertificateForm: ShowStep = async ({ language, query }): Promise<Answer> => {
  const view: LoginView = { language, returnPath: returnPathOf(query.ReturnUrl) };
  const words = loginWords(language);
  const { state, data } = await prepareCertificateLogIn();
  return noticePage(view, {
    title: words.byCertificate,
    scripts: ['documents-certificate-log-in.js'],
    body: html`<noscript><p class="note">${words.needsScript}</p></noscript>
<form class="form" id="certificate-log-in" method="post" action="${stepPath('certificate')}" data-to-sign="${data}" novalidate>
<input type="hidden" name="ReturnUrl" value="${view.returnPath}">
<input type="hidden" name="state" value="${state}">
<input type="hidden" name="certificate">
<input type="hidden" name="signature">
<fieldset disabled>
${certificateFields(language)}
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="working" role="status"></p>
<button class="button wide" type="submit">${words.enter}</button>
</fieldset>
</form>`,
  });
};

export const enterByCertificate: SubmitStep = async ({ language, cookies, nowMs }, form) => {
  const view = { language, returnPath: returnPathOf(form.text('ReturnUrl')) };
  const [state, certificate, signature] = [
    form.text('state'),
    form.text('certificate'),
    form.text('signature'),
  ];
  const identity = await completeCertificateLogIn({ state, certificate, signature });
  const words = loginWords(language);
  if (!identity)
    return noticePage(view, {
      title: words.certificateRefused,
      status: 403,
      body: html`<p role="alert">${words.certificateRefusedWhy}</p>${againLink(view)}`,
    });
  const cookie = await logIn({ identity, previous: sessionIn(cookies) }, nowMs);
  return cookie ? entered(cookie, view.returnPath) : noMemberPage(view);
};
