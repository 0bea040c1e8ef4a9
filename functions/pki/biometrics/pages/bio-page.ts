import { html } from 'hono/html';
import { matchesSecret } from '../../../../shared/access/secrets.ts';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { page } from '../../../../shared/ui/page.ts';
import { registeredAddresses } from '../../domain/registered-addresses.ts';
import { settings } from '../../settings.ts';
import { type BioSession, readSession } from '../domain/session.ts';
import { type BioVisit, bioContent } from './bio-content.ts';
import { bioWords } from './bio-words.ts';

// The page is at /bio/sessions/{sessionId}. Relative addresses work under any stage prefix.
const ROOT = '../..';
const STYLES = [assetUrl(ROOT, 'common.css'), assetUrl(ROOT, 'pki-bio.css')];

/** The page of a session, or the page for an unknown one. */
export async function bioPage(visit: BioVisit, nowMs: number): Promise<Answer> {
  const session = await readSession(visit.sessionId, nowMs);
  return session && matchesSecret(session.tokenHash, visit.token)
    ? renderSession(session, visit)
    : renderUnknown(visit);
}

async function renderSession(session: BioSession, visit: BioVisit): Promise<Answer> {
  const { language, token, isHandedOver } = visit;
  const body = bioContent(session, visit);
  const { trustedOrigin } = await registeredAddresses(session.application, session);
  const parameters = { token, ...(isHandedOver && { handoff: '1' }) };
  const inLanguage = (lang: Language) => `?${new URLSearchParams({ ...parameters, lang })}`;
  const answer = await page({
    title: bioWords(language).title,
    language,
    styles: STYLES,
    scripts: [assetUrl(ROOT, 'pki-bio.js')],
    body: visit.isEmbedded ? body : renderFrame({ language, body, inLanguage }),
    ...(trustedOrigin && { frameAncestors: trustedOrigin }),
  });
  // An application may open the page in a window, and is told the result there.
  const headers = { ...answer.headers, 'cross-origin-opener-policy': 'unsafe-none' };
  return withCaptureModule({ ...answer, headers });
}

function renderUnknown({ language }: BioVisit): Promise<Answer> {
  const { unknownTitle, unknown } = bioWords(language);
  const body = html`<main><div class="card notice"><h1>${unknownTitle}</h1><p>${unknown}</p></div></main>`;
  return page({
    title: unknownTitle,
    language,
    status: 404,
    styles: STYLES,
    body: renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` }),
  });
}

/**
 * Content security policy: allows the operator's capture module, and its calls to the provider. Without such a module
 * the page loads and calls this host alone.
 */
function withCaptureModule(answer: Answer): Answer {
  const module = settings['Biometrics:CaptureModule'];
  if (settings['Biometrics:Provider'] !== 'Rekognition' || module === undefined) return answer;
  const { origin } = new URL(module);
  const region = settings['Biometrics:Region'];
  // Credentials come from Cognito, and the video goes to Rekognition's stream.
  const sources = [
    origin,
    `https://cognito-identity.${region}.amazonaws.com`,
    `wss://streaming-rekognition.${region}.amazonaws.com`,
  ].join(' ');
  const policy = String(answer.headers['content-security-policy'])
    .replace("script-src 'self'", `script-src 'self' ${origin} 'wasm-unsafe-eval'`)
    .replace("connect-src 'self'", `connect-src 'self' ${sources}`)
    .replace("style-src 'self'", `style-src 'self' ${origin}`)
    .replace('img-src data:', `img-src data: blob: ${origin}; worker-src blob: ${origin}`);
  return { ...answer, headers: { ...answer.headers, 'content-security-policy': policy } };
}
