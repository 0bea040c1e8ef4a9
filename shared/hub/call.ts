import * as z from 'zod';
import { type Deadline, leftMs } from '../async/deadline.ts';
import { askJson } from '../net/ask-json.ts';
import { FetchFailed } from '../net/errors.ts';
import { HubRefused, HubUnreachable } from './errors.ts';

/** Where the hub is, and by which key it is called. The values are read at each call. */
export type HubAccess = { readonly address: string; readonly apiKey: string };

type HubRequest<S extends z.ZodType> = {
  readonly path: string;
  /** A body makes it a POST. */
  readonly json?: unknown;
  readonly answer: S;
  /** Of this call, within the deadline. */
  readonly timeoutMs: number;
};

// The largest answer is a certificate, or a list of providers.
const MAX_ANSWER_BYTES = 262_144;

/** One call to the hub. Throws HubRefused or HubUnreachable. */
export async function callHub<S extends z.ZodType>(
  access: HubAccess,
  { path, json, answer, timeoutMs }: HubRequest<S>,
  deadline: Deadline,
): Promise<z.output<S>> {
  const remainingMs = Math.min(leftMs(deadline), timeoutMs);
  if (remainingMs === 0) throw new HubUnreachable('No time is left to ask the hub.');
  const { status, value } = await askJson({
    url: `${access.address}${path}`,
    json,
    apiKey: access.apiKey,
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: remainingMs,
  }).catch((error: unknown) => {
    throw error instanceof FetchFailed ? new HubUnreachable(error.message, { cause: error }) : error;
  });
  if (status >= 200 && status < 300) {
    const read = answer.safeParse(value);
    if (read.success) return read.data;
    throw new HubUnreachable('The hub answered in another shape.', { status, cause: read.error });
  }
  const code = codeIn(value);
  // A temporary failure, or a problem with our own key, says nothing about the session.
  if (status >= 500 || [401, 403, 408, 429].includes(status) || status < 400)
    throw new HubUnreachable(`The hub answered ${status}.`, { status, ...(code && { code }) });
  throw new HubRefused(status, code ?? String(status));
}

// It goes into logs: a word, and nothing that could forge a line.
const Code = z.string().regex(/^\w{1,100}$/);
const Refusal = z.union([Code, z.object({ code: Code }).transform(({ code }) => code)]);

/** The code of a refusal: `{code}`, or a bare JSON string at 500. */
const codeIn = (value: unknown): string | undefined => Refusal.safeParse(value).data;
