import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { qrCode } from '../../../../shared/ui/qr-code.ts';
import type { ActionDetails } from '../../contract/signing/action-details.ts';
import type { AppView } from '../../domain/electronic/set-up-app.ts';
import type { FaceView } from '../../domain/electronic/show-face.ts';
import type { readProgress } from '../../domain/electronic/signers.ts';
import { electronicWords } from './electronic-words.ts';

/** What the page says of the last try. */
export const ELECTRONIC_NOTICES = [
  ...['sent', 'wrong', 'missing', 'expired', 'locked', 'tooMany', 'notSent'],
  ...['imageUnusable', 'disagreed', 'changed', 'noApp', 'noFace'],
] as const;
export type ElectronicNotice = (typeof ELECTRONIC_NOTICES)[number];

export type Progress = Awaited<ReturnType<typeof readProgress>>;

type PanelVisit = {
  readonly details: ActionDetails;
  readonly ticket: string;
  readonly language: Language;
  readonly isEmbedded: boolean;
  /** The document as the page shows it: nothing else is signed by its form. */
  readonly shown: string;
  readonly notice: ElectronicNotice | undefined;
  readonly progress: Progress;
  /** The authenticator app of the person, where the action asks for one. */
  readonly app: AppView | undefined;
  /** Whether they were present, where it asks for that. */
  readonly face: FaceView | undefined;
};

/** The sentence that a person agrees to. The evidence holds it as it was shown. */
export const agreementOf = (name: string, language: Language): string =>
  electronicWords(language).agreement(name);

// Plain forms: they work without scripts. Only drawing and the location need one, and are hidden without it.

/** The form by which a person signs without a certificate: first the button that sends the codes, then the rest. */
export function electronicPanel(visit: PanelVisit): Markup {
  const { details, language, notice } = visit;
  const words = electronicWords(language);
  const codes = details.action.electronic?.codes ?? [];
  const places = codes.flatMap(({ to }) => to ?? []);
  // The mail is on its way before its code is kept.
  const isSent = places.length === 0 || notice === 'sent' || visit.progress.isSent;
  const needsFace = visit.face !== undefined && visit.face !== 'passed';
  const needsApp = !needsFace && visit.app?.state === 'none';
  const isReady = !needsFace && !needsApp;
  return html`<div id="electronic">
<p class="faint">${words.kind}</p>
${places.length > 0 && html`<p class="faint">${words.sendsTo(places.join(' · '))}</p>`}
${noticeOf(visit)}
${needsFace && faceForm(visit)}
${needsApp && appForm(visit)}
${isSent && isReady && signForm(visit)}
${places.length > 0 && isReady && codeForm(visit, isSent)}
</div>`;
}

function noticeOf({ notice, progress, language }: PanelVisit): Markup | '' {
  const words = electronicWords(language);
  const { isSent, isLocked, attemptsLeft } = progress;
  const said = isLocked ? 'locked' : notice;
  if (said === undefined) return isSent ? html`<p role="status">${words.sentBefore}</p>` : '';
  if (said === 'sent') return html`<p role="status">${words.sent}</p>`;
  const text = said === 'wrong' ? words.wrong(attemptsLeft) : words[said];
  return html`<p class="problem" role="alert" tabindex="-1" id="electronic-problem">${text}</p>`;
}

const hidden = ({ ticket, isEmbedded }: PanelVisit, step: 'face' | 'app' | 'code' | 'sign'): Markup =>
  html`<input type="hidden" name="ticket" value="${ticket}"><input type="hidden" name="embedded" value="${String(isEmbedded)}"><input type="hidden" name="step" value="${step}">`;

const codeForm = (visit: PanelVisit, isSent: boolean): Markup => {
  const words = electronicWords(visit.language);
  return html`<form class="form again" method="post" action="electronic?lang=${visit.language}" enctype="multipart/form-data">
${hidden(visit, 'code')}
<button class="button wide${isSent ? ' quiet' : ''}">${isSent ? words.sendAgain : words.send}</button>
</form>`;
};

/** Leads to a biometric session. A frame has no camera, so it is in a window of its own. */
const faceForm = (visit: PanelVisit): Markup => {
  const words = electronicWords(visit.language);
  return html`<form class="form" method="post" action="electronic?lang=${visit.language}" enctype="multipart/form-data"${visit.isEmbedded ? html` target="_blank"` : ''}>
${hidden(visit, 'face')}
<p>${visit.face === 'failed' ? words.faceFailed : words.faceNeeded}</p>
<button class="button wide">${words.showFace}</button>
</form>`;
};

/** Begins to set the app up. The secret is made for a click only: mail scanners open links. */
const appForm = (visit: PanelVisit): Markup => {
  const words = electronicWords(visit.language);
  return html`<form class="form" method="post" action="electronic?lang=${visit.language}" enctype="multipart/form-data">
${hidden(visit, 'app')}
<p>${words.appNeeded}</p>
<button class="button wide">${words.setUpApp}</button>
</form>`;
};

/** The secret of an app that no code has confirmed yet: for a camera, and to be typed. */
const appSecret = (app: AppView | undefined, language: Language): Markup | '' => {
  if (app?.state !== 'pending') return '';
  const words = electronicWords(language);
  return html`<div class="app-secret"><p>${words.scanApp}</p>
${qrCode(app.uri, words.scanApp)}
<p class="faint">${words.typeSecret} <code>${app.secret}</code></p></div>`;
};

const FIELDS = {
  Email: 'emailCode',
  SMS: 'smsCode',
  AuthenticatorApp: 'appCode',
  Liveness: 'appCode',
} as const;

function signForm(visit: PanelVisit): Markup {
  const { details, language, notice } = visit;
  const words = electronicWords(language);
  const { codes = [] } = details.action.electronic ?? {};
  const typed = codes.filter(({ factor }) => factor !== 'Liveness');
  const isWrong = notice === 'wrong' || notice === 'missing';
  const code = ({ factor }: (typeof codes)[number]): Markup => {
    const name = FIELDS[factor];
    const label = words[name];
    return html`${factor === 'AuthenticatorApp' ? appSecret(visit.app, language) : ''}<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required inputmode="numeric" autocomplete="one-time-code" maxlength="20" aria-describedby="${isWrong ? 'electronic-problem ' : ''}code-hint"${isWrong ? html` aria-invalid="true"` : ''}>
</div>`;
  };
  return html`<form class="form" method="post" action="electronic?lang=${language}" enctype="multipart/form-data">
${hidden(visit, 'sign')}<input type="hidden" name="shown" value="${visit.shown}">
${typed.map(code)}
${typed.length > 0 && html`<p class="faint" id="code-hint">${codes.some(({ to }) => to) ? words.codeHint : words.appHint}</p>`}
${imageFields(details.action.person.name, language)}
${locationFields(language)}
<label class="agreement"><input type="checkbox" name="agree" value="yes" required> <span>${agreementOf(details.name, language)}</span></label>
<p class="faint">${words.recorded}</p>
<button class="button wide">${words.sign}</button>
</form>`;
}

const imageFields = (name: string, language: Language): Markup => {
  const words = electronicWords(language);
  return html`<fieldset class="signature-image">
<legend>${words.image}</legend>
<div class="drawing" hidden>
<canvas width="600" height="200" role="img" aria-label="${words.draw}"></canvas>
<p class="faint">${words.draw}</p>
<button class="button quiet" type="button">${words.clear}</button>
<div class="field"><label for="typed-name">${words.typed}</label>
<input id="typed-name" autocomplete="name" maxlength="60" placeholder="${name}"></div>
</div>
<div class="field"><label for="signature-image">${words.upload}</label>
<input id="signature-image" name="image" type="file" accept="image/png,image/jpeg"></div>
</fieldset>`;
};

/** The browser is asked for the location once the person ticks the box, and not before. */
const locationFields = (language: Language): Markup => {
  const words = electronicWords(language);
  return html`<div class="location" hidden>
<label class="agreement"><input type="checkbox" id="give-location" aria-describedby="location-status"> <span>${words.location}</span></label>
<p class="faint" id="location-status" role="status"></p>
<input type="hidden" name="location" value="">
</div>`;
};
