import { FetchFailed } from '../../../../shared/net/errors.ts';
import { guardedFetch } from '../../../../shared/net/guarded.ts';
import type { GuardedAnswer } from '../../../../shared/net/request.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { settings } from '../../settings.ts';
import { type Deadline, leftMs } from '../deadline.ts';

/** The platform did not answer, or not in its protocol. It may have done what it was asked. */
export class PlatformUnreachable extends Error {
  override readonly name = 'PlatformUnreachable';
}

/** The platform refused the request. Code and message are its own. */
export class PlatformRefused extends Error {
  override readonly name = 'PlatformRefused';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const platformAddress = (): string =>
  settings['Signer:BaseAddress'] ?? `${commonSettings['Http:PublicUrl']}/documents`;

export type PlatformRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: { readonly contentType: string; readonly bytes: Uint8Array | string };
  readonly deadline: Deadline;
};

// JSON answers only: signed files are streamed.
const MAX_ANSWER_BYTES = 4_194_304;

/** One call to the platform, within Signer:RequestTimeout and the deadline. */
export async function callPlatform({ method, path, body, deadline }: PlatformRequest): Promise<unknown> {
  const remainingMs = leftMs(deadline);
  if (remainingMs <= 0) throw new PlatformUnreachable('No time is left to ask the signature service.');
  const answer = await guardedFetch({
    url: `${platformAddress()}${path}`,
    method,
    headers: {
      'x-api-key': settings['Signer:ApiKey'],
      accept: 'application/json',
      ...(body && { 'content-type': body.contentType }),
    },
    ...(body && { body: body.bytes }),
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: Math.min(remainingMs, settings['Signer:RequestTimeout'] * 1000),
    // The address comes from the settings, not from a caller.
    allowPrivateAddresses: true,
  }).catch((error: unknown) => {
    throw error instanceof FetchFailed ? new PlatformUnreachable(error.message, { cause: error }) : error;
  });
  return parseAnswer(answer);
}

/** The JSON of an answer. Throws PlatformRefused for a refusal, PlatformUnreachable for anything else. */
export function parseAnswer({ status, bytes }: Pick<GuardedAnswer, 'status' | 'bytes'>): unknown {
  if (status >= 200 && status < 300) return bytes.length === 0 ? undefined : parseJson(bytes);
  // A temporary failure or a problem with our own key says nothing about the document.
  if (status >= 500 || status === 401 || status === 403 || status === 429 || status < 400)
    throw new PlatformUnreachable(`The signature service answered ${status}.`);
  if (!isJson(bytes)) throw new PlatformUnreachable(`The signature service answered ${status} without JSON.`);
  const { code, message } = parseJson(bytes) as { code?: unknown; message?: unknown };
  throw new PlatformRefused(status, String(code ?? status), String(message ?? 'It gave no reason.'));
}

const isJson = (bytes: Buffer): boolean => bytes.subarray(0, 1).toString() === '{';

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new PlatformUnreachable('The signature service answered something that is not JSON.', { cause });
  }
}
