import { html } from 'hono/html';
import { check, cross, lock } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { qrCode } from '../../../../shared/ui/qr-code.ts';
import type { BioSession } from '../domain/session.ts';
import { sessionUrlOf } from '../domain/start-session.ts';
import { bioWords } from './bio-words.ts';

// A hint for convenience only: clients choose their user agent.
const MOBILE = /Mobi|Android|iPhone|iPad/i;

/** The request for the page of a session. */
export type BioVisit = {
  readonly sessionId: string;
  readonly token: string;
  /** Opened by the QR code on another device, where the session goes on. */
  readonly isHandedOver: boolean;
  readonly language: Language;
  readonly userAgent: string;
  readonly isEmbedded: boolean;
};

type Words = ReturnType<typeof bioWords>;

/** All views of the page. Its script shows one at a time; without script only the first is visible. */
export function bioContent(session: BioSession, visit: BioVisit): Markup {
  const words = bioWords(visit.language);
  const isDesktop = !MOBILE.test(visit.userAgent);
  const needsPhone = isDesktop && session.platformPreference === 'RequireMobile';
  const first = firstView(session, isDesktop);
  const locates = session.geolocationType !== 'Disabled';
  return html`<main class="session" data-session="${session.sessionId}" data-token="${visit.token}" data-first="${first}" data-handed-over="${String(visit.isHandedOver)}" data-document="${String(session.wantsDocument)}" data-location="${session.geolocationType}" data-locate-here="${String(locates && isDesktop && session.geolocationPolicy === 'CollectOnAllDevices')}" data-failure="${session.outcome?.failure ?? ''}">
<div class="card">
<noscript><p class="note">${words.noScript}</p></noscript>
${intro(session, words, isDesktop, first === 'intro')}
${isDesktop ? phone(session, visit, words, needsPhone, first === 'phone') : ''}
${camera(words)}
${view('working', words.workingTitle, html`<p class="working" role="status"></p>`)}
${view('again', words.againTitle, html`<p class="problem said"></p><p class="left"></p>${choices(words.again, words.cancel)}`)}
${view('trouble', words.troubleTitle, html`<p class="problem said"></p>${choices(words.again, words.endHere)}`)}
${view('passed', html`${check} ${words.passedTitle}`, html`<p>${words.passed}</p>${onward(words)}`, 'good')}
${view('failed', html`${cross} ${words.failedTitle}`, html`<p class="said"></p>${onward(words)}`, 'bad')}
</div>
</main>`;
}

function firstView({ state, outcome, platformPreference }: BioSession, isDesktop: boolean): string {
  if (state === 'Ended' || state === 'Completed') return outcome?.success ? 'passed' : 'failed';
  return isDesktop && platformPreference !== 'NoPreference' ? 'phone' : 'intro';
}

/** A view. Its heading takes the focus when it is shown. */
const view = (name: string, title: Markup | string, content: Markup, mood = '', isShown = false): Markup =>
  html`<section class="view ${mood}" data-view="${name}"${isShown ? '' : html` hidden`}>
<h1 tabindex="-1">${title}</h1>
${content}
</section>`;

const choices = (act: string, cancel: string): Markup => html`<div class="choices">
<button type="button" class="button quiet" data-act="cancel">${cancel}</button>
<button type="button" class="button" data-act="again">${act}</button>
</div>`;

const onward = (words: Words): Markup =>
  html`<p class="where" hidden></p><div class="choices"><a class="button" data-act="onward" hidden>${words.goOn}</a></div>`;

function intro(session: BioSession, words: Words, isDesktop: boolean, isShown: boolean): Markup {
  const isEnrollment = session.kind === 'enrollment';
  const advice = [
    words.adviceLight,
    words.adviceFace,
    ...(session.wantsDocument ? [words.adviceDocument] : []),
    ...(session.geolocationType === 'Disabled' ? [] : [words.adviceLocation]),
  ];
  const usesPhone = isDesktop
    ? html`<button type="button" class="button quiet" data-act="phone">${words.usePhone}</button>`
    : '';
  return view(
    'intro',
    isEnrollment ? words.introEnrollment : words.introLiveness,
    html`<p>${isEnrollment ? words.whyEnrollment : words.whyLiveness}</p>
<ul class="advice">${advice.map((each) => html`<li>${each}</li>`)}</ul>
<p class="faint">${lock} ${isEnrollment ? words.keptEnrollment : words.kept}</p>
<div class="choices needs-script">
<button type="button" class="button quiet" data-act="cancel">${words.cancel}</button>
${usesPhone}
<button type="button" class="button" data-act="start">${words.start}</button>
</div>`,
    '',
    isShown,
  );
}

function phone(
  { sessionId }: BioSession,
  { token, language }: BioVisit,
  words: Words,
  isNeeded: boolean,
  isShown: boolean,
): Markup {
  const link = sessionUrlOf(sessionId, token, { handoff: '1', lang: language });
  const here = isNeeded
    ? ''
    : html`<button type="button" class="button quiet" data-act="here">${words.useComputer}</button>`;
  return view(
    'phone',
    words.phoneTitle,
    html`<p>${words.phoneHelp}</p>
${qrCode(link, words.phoneCode)}
<p class="faint">${words.phoneLink}: <a class="link" href="${link}" target="_blank" rel="noreferrer">${link}</a></p>
<p class="working" role="status"></p>
<div class="choices needs-script">
<button type="button" class="button quiet" data-act="cancel">${words.cancel}</button>
${here}
</div>`,
    '',
    isShown,
  );
}

const camera = (words: Words): Markup => html`<section class="view" data-view="camera" hidden>
<h1 tabindex="-1"><span class="for-face">${words.cameraTitle}</span><span class="for-document">${words.documentTitle}</span></h1>
<p class="for-face">${words.cameraHelp}</p>
<p class="for-document">${words.documentHelp}</p>
<div class="stage"><video playsinline muted aria-label="${words.videoLabel}"></video></div>
<p class="working" role="status"></p>
<div class="choices">
<button type="button" class="button quiet" data-act="cancel">${words.cancel}</button>
<button type="button" class="button for-face" data-act="begin">${words.begin}</button>
<button type="button" class="button for-document" data-act="picture">${words.takePicture}</button>
</div>
</section>`;
