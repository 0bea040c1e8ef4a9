import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { type Hub, NoAnswer, Refused } from '@sinete/client';
import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import { type Document, openDocuments } from './documents.ts';
import { type Pages, pagesFor } from './pages.ts';
import { signPdf } from './sign-pdf.ts';

const MAX_PDF_BYTES = 10 * 1_048_576;
const STYLE = readFileSync(new URL('./style.css', import.meta.url));

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'",
  // The return address holds the session.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

type AppOptions = {
  readonly hub: Hub;
  readonly chain: readonly Certificate[];
  readonly redirectUri: string;
};
type Answer = {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
};

const shown = (page: object, status = 200): Answer => ({
  status,
  type: 'text/html; charset=utf-8',
  body: String(page),
});

/** The application: takes a PDF, sends its visitor to a provider, and signs when they come back. */
export function createApp({ hub, chain, redirectUri }: AppOptions): Server {
  const documents = openDocuments();

  async function upload(request: IncomingMessage, visitor: string, pages: Pages): Promise<Answer> {
    if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MAX_PDF_BYTES)
      return shown(pages.problem('tooLarge'), 413);
    const form = await formOf(request);
    const file = form.get('file');
    if (!(file instanceof File)) return shown(pages.problem('noPdf'), 400);
    const pdf = Buffer.from(await file.arrayBuffer());
    if (pdf.subarray(0, 5).toString('latin1') !== '%PDF-') return shown(pages.problem('noPdf'), 400);
    const { id } = documents.keep(visitor, file.name, pdf);
    // The hub takes a CPF or a CNPJ without punctuation, and people type it with punctuation.
    const identifier = String(form.get('identifier')).replace(/[.\-/\s]/g, '');
    // The providers with a certificate of it, each with the address to send the holder to.
    const { services } = await hub.createSession({
      body: { type: 'SingleSignature', identifier, redirectUri, customState: id },
    });
    return shown(pages.providers(services));
  }

  async function comeBack(query: URLSearchParams, visitor: string, pages: Pages): Promise<Answer> {
    const session = query.get('session');
    if (!session && query.get('error') === 'access_denied') return shown(pages.problem('notAllowed'), 403);
    if (!session) return shown(pages.problem('providerFailed'), 502);
    // CSRF: the document must be one that this browser uploaded. A link of somebody else signs nothing here.
    const document = documents.find(visitor, (await hub.getCustomState({ session })) ?? '');
    if (document?.state !== 'waiting') return shown(pages.problem('nothingWaits'), 400);
    document.state = 'signing';
    try {
      Object.assign(document, await signPdf(document.pdf, { hub, session, chain }), { state: 'signed' });
    } catch (error) {
      document.state = 'failed';
      throw error;
    }
    return { status: 303, headers: { location: `/documents/${document.id}` } };
  }

  const download = ({ signed }: Document): Answer => ({
    status: 200,
    type: 'application/pdf',
    headers: { 'content-disposition': 'attachment' },
    body: signed,
  });

  async function answer(request: IncomingMessage, visitor: string, pages: Pages): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', redirectUri);
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

const visitorOf = ({ headers }: IncomingMessage): string | undefined =>
  /(?:^|; )visitor=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '')?.[1];

const formOf = (request: IncomingMessage): Promise<FormData> =>
  new Response(Readable.toWeb(request) as ReadableStream, {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();

/** The answer to a failure. Failures that they did not cause are logged, without the session. */
function answerFailure(error: Error, pages: Pages): Answer {
  if (error instanceof Refused && error.status < 500) return shown(pages.problem('refused'), 400);
  console.error(error.message);
  const isHubs = error instanceof Refused || error instanceof NoAnswer;
  return isHubs ? shown(pages.problem('hubFailed'), 502) : shown(pages.problem('failed'), 500);
}
