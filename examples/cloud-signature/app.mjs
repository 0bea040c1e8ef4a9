import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { openDocuments } from './documents.mjs';
import { HubRefusal } from './hub.mjs';
import { pagesFor } from './pages.mjs';
import { signPdf } from './sign-pdf.mjs';

const MAX_PDF_BYTES = 10 * 1_048_576;
const STYLE = readFileSync(new URL('./style.css', import.meta.url));

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'",
  // The return address holds the session.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const shown = (page, status = 200) => ({ status, type: 'text/html; charset=utf-8', body: String(page) });
const elsewhere = (location) => ({ status: 303, headers: { location }, body: '' });

/** The application: takes a PDF, sends its visitor to a provider, and signs when they come back. */
export function createApp({ hub, chain, redirectUri }) {
  const documents = openDocuments();

  async function upload(request, visitor, pages) {
    if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MAX_PDF_BYTES)
      return shown(pages.problem('tooLarge'), 413);
    const form = await formOf(request);
    const file = form.get('file');
    const pdf = Buffer.from(file instanceof Blob ? await file.arrayBuffer() : '');
    if (pdf.subarray(0, 5).toString('latin1') !== '%PDF-') return shown(pages.problem('noPdf'), 400);
    const { id } = documents.keep(visitor, file.name, pdf);
    // The hub takes a CPF or a CNPJ without punctuation, and people type it with punctuation.
    const identifier = String(form.get('identifier')).replace(/[.\-/\s]/g, '');
    const { services } = await hub.createSession({ identifier, redirectUri, customState: id });
    return shown(pages.providers(services));
  }

  async function comeBack(query, visitor, pages) {
    const session = query.get('session');
    if (!session && query.get('error') === 'access_denied') return shown(pages.problem('notAllowed'), 403);
    if (!session) return shown(pages.problem('providerFailed'), 502);
    // CSRF: the document must be one that this browser uploaded. A link of somebody else signs nothing here.
    const document = documents.find(visitor, await hub.customState(session));
    if (document?.state !== 'waiting') return shown(pages.problem('nothingWaits'), 400);
    document.state = 'signing';
    try {
      const { signed, signer } = await signPdf(document.pdf, { hub, session, chain });
      Object.assign(document, { state: 'signed', signed, signer });
    } catch (error) {
      document.state = 'failed';
      throw error;
    }
    return elsewhere(`/documents/${document.id}`);
  }

  function download(document) {
    const body = document.signed;
    return { status: 200, type: 'application/pdf', headers: { 'content-disposition': 'attachment' }, body };
  }

  async function answer(request, visitor, pages) {
    const { pathname, searchParams } = new URL(request.url, redirectUri);
    const route = `${request.method} ${pathname}`;
    if (route === 'GET /') return shown(pages.start());
    if (route === 'GET /style.css') return { status: 200, type: 'text/css', body: STYLE };
    if (route === 'POST /documents') return upload(request, visitor, pages);
    if (route === 'GET /return') return comeBack(searchParams, visitor, pages);
    const [, id, file] = /^GET \/documents\/([\w-]+)(\/signed\.pdf)?$/.exec(route) ?? [];
    const document = documents.find(visitor, id);
    if (document?.state !== 'signed') return shown(pages.problem('nothing'), 404);
    return file ? download(document) : shown(pages.signed(document));
  }

  return createServer(async (request, response) => {
    const visitor = visitorOf(request) ?? randomBytes(32).toString('base64url');
    const pages = pagesFor(request.headers['accept-language']);
    const { status, type, headers, body } = await answer(request, visitor, pages).catch((error) =>
      answerFailure(error, pages),
    );
    response.writeHead(status, {
      ...HEADERS,
      'set-cookie': `visitor=${visitor}; HttpOnly; SameSite=Lax; Path=/`,
      ...(type && { 'content-type': type }),
      ...headers,
    });
    response.end(body);
  });
}

const visitorOf = ({ headers }) => /(?:^|; )visitor=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '')?.[1];

const formOf = (request) =>
  new Response(Readable.toWeb(request), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();

/** The answer to a failure. Failures that they did not cause are logged, without the session. */
function answerFailure(error, pages) {
  if (error instanceof HubRefusal && error.isCallers) return shown(pages.problem(error.message), 400);
  console.error(error);
  const isHubs = error instanceof HubRefusal;
  return shown(pages.problem(isHubs ? error.message : 'failed'), isHubs ? 502 : 500);
}
