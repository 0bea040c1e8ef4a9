import { Readable } from 'node:stream';
import { type SetCookie, stringifySetCookie } from 'cookie';
import { contentDisposition } from '../../files/safe-name.ts';

export type Cookie = SetCookie & { readonly value: string };

/** What goes back to the caller. A handler returns a plain value, or one of these where that is not enough. */
export type Answer = {
  readonly [ANSWER]: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  readonly body: AnswerBody;
};

export type AnswerBody =
  /** With its text, where that has been made. */
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes?: Uint8Array }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array | Readable }
  | { readonly kind: 'empty' };

type Options = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
};

const ANSWER: unique symbol = Symbol('answer');
export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && ANSWER in value;

const make = (status: number, body: AnswerBody, { headers = {}, cookies = [] }: Options): Answer => ({
  [ANSWER]: true,
  status,
  headers,
  cookies,
  body,
});

/** JSON with a status of its own. @example return json(accepted, { status: 202 }); */
export const json = (value: unknown, options: Options = {}): Answer =>
  make(options.status ?? 200, { kind: 'json', value }, options);

/**
 * JSON that is the same for every caller: its text is made once, and all of them are sent the same bytes.
 * @example const contract = constantJson(document); // once, and then: return contract;
 */
export const constantJson = (value: object): Answer =>
  make(200, { kind: 'json', value, bytes: Buffer.from(JSON.stringify(value)) }, {});

/** Nothing but a status. @example return empty(204); */
export const empty = (status = 204, options: Options = {}): Answer =>
  make(status, { kind: 'empty' }, options);

/** Text that is no page. @example return plainText(lines.join('\n')); */
export const plainText = (text: string, options: Options = {}): Answer =>
  make(
    options.status ?? 200,
    { kind: 'text', text },
    { ...options, headers: { 'content-type': 'text/plain; charset=utf-8', ...options.headers } },
  );

// Cross-window attacks: a page of another site that opened this one, or was opened by it, has no hold on it.
const OWN_WINDOW = { 'cross-origin-opener-policy': 'same-origin' };

/** A page. @example return html(page, { headers: { 'content-security-policy': policy } }); */
export const html = (text: string, options: Options = {}): Answer =>
  make(
    options.status ?? 200,
    { kind: 'text', text },
    {
      ...options,
      headers: { 'content-type': 'text/html; charset=utf-8', ...OWN_WINDOW, ...options.headers },
    },
  );

/**
 * Headers of a file that callers or a service wrote. Stored XSS: it must not run as a page of this site, whatever a
 * browser does with the download.
 * @example return file(stream, mediaType, { name, headers: CANNOT_RUN });
 */
export const CANNOT_RUN = { 'content-security-policy': "sandbox; default-src 'none'" };

/**
 * A file, whole or as a stream. With `length`, the bytes of a stream, a caller sees how far its download is.
 * @example return file(stream, 'application/pdf', { name: 'contrato.pdf', length });
 */
export function file(
  bytes: Uint8Array | Readable,
  contentType: string,
  options: Options & { name?: string; inline?: boolean; length?: number } = {},
): Answer {
  const disposition: Record<string, string> = options.name
    ? { 'content-disposition': contentDisposition(options.name, options.inline ? 'inline' : 'attachment') }
    : {};
  // The host measures bytes itself.
  const length: Record<string, string> =
    options.length !== undefined && isStream(bytes) ? { 'content-length': String(options.length) } : {};
  const headers = { 'content-type': contentType, ...disposition, ...length, ...options.headers };
  return make(options.status ?? 200, { kind: 'bytes', bytes }, { ...options, headers });
}

/** Sends the caller elsewhere. 303 turns a POST into a GET. @example return redirect(returnUrl); */
export const redirect = (location: string, options: Options = {}): Answer =>
  make(options.status ?? 302, { kind: 'empty' }, { ...options, headers: { location, ...options.headers } });

/** The `Set-Cookie` value; safe by default: not for scripts, this site only, and https outside the local stage. */
export const cookieHeader = (cookie: Cookie, secure: boolean): string =>
  stringifySetCookie({ httpOnly: true, sameSite: 'lax', path: '/', secure, ...cookie });

export const isStream = (bytes: string | Uint8Array | Readable): bytes is Readable =>
  bytes instanceof Readable;
