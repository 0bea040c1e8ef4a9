import { html } from 'hono/html';
import type { Answer } from '../../http/response/answer.ts';
import { certificateFields } from '../../ui/certificate-fields.ts';
import { sessionIn } from '../http/session-cookie.ts';
import { noMemberPage } from './by-mail.ts';
import { entered, returnPathOf, type ShowStep, type SubmitStep } from './login.ts';
import { againLink, type LoginView, noticePage, stepPath } from './login-page.ts';
import { loginWords } from './login-words.ts';

/** The form in which the script signs what the PKI core asks for. File and password have no names: they are not sent. */
export const showCertificateForm: ShowStep = async (login, { language, query }): Promise<Answer> => {
  const view: LoginView = { login, language, returnPath: returnPathOf(login, query.ReturnUrl) };
  const words = loginWords(language);
  const { state, data } = await login.certificates.prepareCertificateLogIn();
  return noticePage(view, {
    title: words.byCertificate,
    scripts: [`${login.service}-certificate-log-in.js`],
    body: html`<noscript><p class="note">${words.needsScript}</p></noscript>
<form class="form" id="certificate-log-in" method="post" action="${stepPath(login, 'certificate')}" data-to-sign="${data}" novalidate>
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

export const enterByCertificate: SubmitStep = async (login, { language, cookies, nowMs }, form) => {
  const view = { login, language, returnPath: returnPathOf(login, form.text('ReturnUrl')) };
  const [state, certificate, signature] = [
    form.text('state'),
    form.text('certificate'),
    form.text('signature'),
  ];
  const identity = await login.certificates.completeCertificateLogIn({ state, certificate, signature });
  const words = loginWords(language);
  if (!identity)
    return noticePage(view, {
      title: words.certificateRefused,
      status: 403,
      body: html`<p role="alert">${words.certificateRefusedWhy}</p>${againLink(view)}`,
    });
  const cookie = await login.sessions.logIn({ identity, previous: sessionIn(cookies) }, nowMs);
  return cookie ? entered(login, cookie, view.returnPath) : noMemberPage(view);
};
