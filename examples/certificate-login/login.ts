import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { type Pki, Refused } from '@sinete/client';
import { pagesFor } from './pages.ts';
import { openVisits } from './visits.ts';

const MAX_BODY_BYTES = 200_000; // a certificate and a signature
const STYLE = readFileSync(new URL('./style.css', import.meta.url));

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

type LoginOptions = {
  readonly pki: Pick<Pki, 'prepareAuthentication' | 'completeAuthentication'>;
  readonly securityContextId?: string | undefined;
  readonly scripts: ReadonlyMap<string, Uint8Array>;
};
type Proof = { readonly certificate: string; readonly signature: string };
type Answer = {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | Uint8Array | undefined;
  /** The new cookie of the browser. */
  readonly visitId?: string;
};

const json = (value: object, visitId?: string): Answer => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(value),
  ...(visitId && { visitId }),
});

/** The server of a login: gives a challenge to sign, asks the PKI core who signed it, and logs that person in. */
export function createLogin({ pki, securityContextId, scripts }: LoginOptions): Server {
  const visits = openVisits();

  // The state stays here, with the visit of the browser that asked. Login CSRF: a signature from another browser, or a
  // state that leaked, opens nothing.
  async function prepare(visitId?: string): Promise<Answer> {
    visits.end(visitId);
    const { state, toSign } = await pki.prepareAuthentication({
      body: securityContextId === undefined ? {} : { securityContextId },
    });
    return json({ data: toSign.data, hash: toSign.hash }, visits.begin({ state }));
  }

  async function complete({ certificate, signature }: Proof, visitId?: string): Promise<Answer> {
    const { state } = visits.find(visitId) ?? {};
    if (!state) return json({ entered: false, reason: 'StaleSession' });
    const answer = await pki.completeAuthentication({ body: { state, certificate, signature } });
    visits.end(visitId);
    if (!answer.success || !answer.certificate) return json({ entered: false, reason: answer.failure });
    // The identity comes from the certificate, after it was verified. Session fixation: the visit gets a new cookie.
    const { subjectDisplayName: name, subjectIdentifier: identifier } = answer.certificate;
    return json({ entered: true }, visits.begin({ person: { name, identifier } }));
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const visitId = visitOf(request);
    if (request.method === 'POST') {
      if (!isOwnPage(request)) return { status: 403 };
      if (pathname === '/prepare') return prepare(visitId);
      if (pathname === '/complete') return complete(await bodyOf(request), visitId);
      if (pathname === '/leave') return json({ left: visits.end(visitId) });
    }
    if (request.method !== 'GET') return { status: 405 };
    if (pathname === '/style.css') return { status: 200, type: 'text/css', body: STYLE };
    if (scripts.has(pathname)) return { status: 200, type: 'text/javascript', body: scripts.get(pathname) };
    if (pathname !== '/') return { status: 404 };
    const { person } = visits.find(visitId) ?? {};
    const pages = pagesFor(request.headers['accept-language']);
    const body = person ? pages.inside(person) : pages.enter();
    return { status: 200, type: 'text/html; charset=utf-8', body };
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
const isOwnPage = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === 'application/json' && headers['sec-fetch-site'] !== 'cross-site';

const visitOf = ({ headers }: IncomingMessage): string | undefined =>
  /(?:^|; )visit=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '')?.[1];

async function bodyOf(request: IncomingMessage): Promise<Proof> {
  // A browser always says how long its JSON is.
  if (Number(request.headers['content-length'] ?? Number.NaN) <= MAX_BODY_BYTES)
    return (await readJson(request)) as Proof;
  throw new SyntaxError('The request is too large.');
}

/** The answer to a failure. Failures that the visitor did not cause are logged. */
function answerFailure(error: Error): Answer {
  if (error instanceof Refused && error.status < 500) return json({ entered: false, reason: error.code });
  if (error instanceof SyntaxError) return { status: 400 };
  console.error(`A login failed: ${error.message}`);
  return { status: 502 };
}
