import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pagesFor } from './pages.mjs';
import { PkiRefusal } from './pki.mjs';
import { openVisits } from './visits.mjs';

const MAX_BODY_BYTES = 200_000; // a certificate and a signature
const STYLE = readFileSync(new URL('./style.css', import.meta.url));

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const page = (body) => ({ status: 200, type: 'text/html; charset=utf-8', body });
const json = (value, more = {}) => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(value),
  ...more,
});

/** The server of a login: gives a challenge to sign, asks the PKI core who signed it, and logs that person in. */
export function createLogin({ pki, scripts }) {
  const visits = openVisits();

  // The state stays here, with the visit of the browser that asked. Login CSRF: a signature from another browser, or a
  // state that leaked, opens nothing.
  async function prepare(_, visitId) {
    visits.end(visitId);
    const { state, toSign } = await pki.prepare();
    const { data, hash } = toSign;
    return json({ data, hash }, { visitId: visits.begin({ state }) });
  }

  async function complete({ certificate, signature }, visitId) {
    const { state } = visits.find(visitId) ?? {};
    if (!state) return json({ entered: false, reason: 'StaleSession' });
    const answer = await pki.complete({ state, certificate, signature });
    visits.end(visitId);
    if (!answer.success) return json({ entered: false, reason: answer.failure });
    // The identity comes from the certificate, after it was verified. Session fixation: the visit gets a new cookie.
    const { subjectDisplayName: name, subjectIdentifier: identifier } = answer.certificate;
    return json({ entered: true }, { visitId: visits.begin({ person: { name, identifier } }) });
  }

  async function leave(_, visitId) {
    visits.end(visitId);
    return json({});
  }

  const acts = { 'POST /prepare': prepare, 'POST /complete': complete, 'POST /leave': leave };

  async function answer(request) {
    const { pathname } = new URL(request.url, 'http://localhost');
    const visitId = visitOf(request);
    const act = acts[`${request.method} ${pathname}`];
    if (act) return isOwnPage(request) ? act(await bodyOf(request), visitId) : { status: 403 };
    if (request.method !== 'GET') return { status: 405 };
    if (pathname === '/style.css') return { status: 200, type: 'text/css', body: STYLE };
    if (scripts.has(pathname)) return { status: 200, type: 'text/javascript', body: scripts.get(pathname) };
    if (pathname !== '/') return { status: 404 };
    const { person } = visits.find(visitId) ?? {};
    const pages = pagesFor(request.headers['accept-language']);
    return page(person ? pages.inside(person) : pages.enter());
  }

  return createServer(async (request, response) => {
    const { status, type, body, visitId } = await answer(request).catch(answerFailure);
    response.writeHead(status, {
      ...HEADERS,
      ...(type && { 'content-type': type }),
      // On https, add `Secure`.
      ...(visitId && { 'set-cookie': `visit=${visitId}; HttpOnly; SameSite=Strict; Path=/` }),
    });
    response.end(body);
  });
}

// CSRF: a form of another site can send a cookie, but not JSON.
const isOwnPage = ({ headers }) =>
  headers['content-type'] === 'application/json' && headers['sec-fetch-site'] !== 'cross-site';

const visitOf = ({ headers }) => /(?:^|; )visit=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '')?.[1];

async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new PkiRefusal('InvalidRequest', 'The request is too large.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** The answer to a failure. Failures that the visitor did not cause are logged. */
function answerFailure(error) {
  if (error instanceof PkiRefusal) return json({ entered: false, reason: error.code });
  if (error instanceof SyntaxError) return { status: 400 };
  console.error(`A login failed: ${error.message}`);
  return { status: 502 };
}
