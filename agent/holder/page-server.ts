import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandRefusal, causeOf } from '../../shared/command-line/reason.ts';
import { type Language, languageFor } from '../../shared/ui/languages.ts';
import type { PinKeeper } from '../pin-keeper.ts';
import type { Holder } from './holder.ts';
import { NOTES, type Note, nameOf, POLICY, renderPage } from './page.ts';
import { PAGE_SCRIPT } from './page-script.ts';

type PageOptions = {
  readonly holder: Holder;
  readonly keeper: PinKeeper;
  readonly server: string;
  readonly store: string;
  readonly lastTry: () => boolean;
  /** For `sinete-agent status`. */
  readonly status: () => object;
  /** 0 takes any that is free. */
  readonly port: number;
  readonly printError: (line: string) => void;
};

export type HolderPage = { readonly url: string; close(): void };

const HOST = '127.0.0.1';
const FORM_BYTES = 4_096;
// How long a request for news is held, and how often the state is looked at meanwhile.
const HELD_MS = 20_000;
const LOOK_EVERY_MS = 200;

const randomName = (): string => randomBytes(24).toString('base64url');

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Serves the holder's page, on this machine only and at an address that nobody guesses. CSRF: another page in the same
 * browser has neither the address nor the form's token, and its requests carry another origin.
 * @example const page = await servePage({ holder, keeper, … }); print(page.url)
 */
export async function servePage(options: PageOptions): Promise<HolderPage> {
  const path = `/${randomName()}/`;
  const formToken = randomName();
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      options.printError(`The page failed: ${causeOf(error)}`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CommandRefusal(`The page cannot be served on port ${options.port}: ${causeOf(error)}`)),
    );
    server.listen(options.port, HOST, resolve);
  });
  const host = `${HOST}:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    // DNS rebinding: a foreign name that resolves to this machine is in the Host header.
    if (request.headers.host !== host || !isSame(pathname.slice(0, path.length), path))
      return refuse(response);
    const route = `${request.method} ${pathname.slice(path.length)}`;
    if (route === 'GET ') return showPage(request, response, searchParams);
    if (route === 'GET page.js') return send(response, 'text/javascript; charset=utf-8', PAGE_SCRIPT);
    if (route === 'GET shown') return sendWhenChanged(response, searchParams.get('not'));
    if (route === 'GET status.json')
      return send(response, 'application/json', JSON.stringify(options.status()));
    if (route === 'POST answer' && request.headers.origin === origin) return takeForm(request, response);
    return refuse(response);
  }

  async function showPage(request: IncomingMessage, response: ServerResponse, query: URLSearchParams) {
    const { holder, keeper, lastTry, store } = options;
    const language = languageFor({
      lang: query.get('lang'),
      acceptLanguage: request.headers['accept-language'],
    });
    const text = await renderPage({
      language,
      question: holder.questions.list()[0],
      note: NOTES.find((note) => note === query.get('note')),
      server: options.server,
      store,
      pinInUse: keeper.inUse() !== undefined,
      unlocking: query.has('unlock'),
      lastTry: lastTry(),
      restsUntilMs: keeper.restsUntilMs(),
      formToken,
      nowMs: Date.now(),
    });
    send(response, 'text/html; charset=utf-8', text);
  }

  /** Holds the request until the page has something else to show. */
  async function sendWhenChanged(response: ServerResponse, not: string | null): Promise<void> {
    const { holder, keeper } = options;
    const name = () =>
      nameOf({ question: holder.questions.list()[0], pinInUse: keeper.inUse() !== undefined });
    const untilMs = Date.now() + HELD_MS;
    while (name() === not && Date.now() < untilMs && !response.closed) await pause(LOOK_EVERY_MS);
    send(response, 'application/json', JSON.stringify({ shown: name() }));
  }

  async function takeForm(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    if (!form || !isSame(form.get('form') ?? '', formToken)) return refuse(response);
    const language = languageFor({
      lang: form.get('lang'),
      acceptLanguage: request.headers['accept-language'],
    });
    const note = await act(form);
    redirectBack(response, language, note);
  }

  async function act(form: URLSearchParams): Promise<Note | undefined> {
    const { holder, keeper } = options;
    const id = form.get('question') ?? '';
    const action = form.get('action');
    if (action === 'forget') {
      keeper.forget();
      return 'forgotten';
    }
    // The form answers the question on the page, not one that came since.
    if (id !== '' && !holder.questions.list().some((question) => question.id === id)) return 'over';
    if (action === 'decline') return holder.decline(id) ? 'declined' : 'over';
    const pin = form.get('pin') ?? '';
    if (pin === '') return undefined;
    const typed = await holder.type(pin, id);
    if (typed.kind === 'unusable') options.printError(typed.reason);
    return typed.kind === 'resting' ? undefined : typed.kind;
  }

  options.holder.addInterface();
  return {
    url: `${origin}${path}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // The address is a secret, but a form must send its origin: with no-referrer it would send none.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

const send = (response: ServerResponse, type: string, text: string): void => {
  response.writeHead(200, { ...HEADERS, 'content-type': type }).end(text);
};

const refuse = (response: ServerResponse): void => {
  response.writeHead(404, HEADERS).end();
};

// Post/redirect/get: reloading the page does not send the PIN twice.
function redirectBack(response: ServerResponse, language: Language, note: Note | undefined): void {
  const query = new URLSearchParams({ lang: language, ...(note && { note }) });
  response.writeHead(303, { ...HEADERS, location: `./?${query}` }).end();
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FORM_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
