import { FetchFailed } from '../../../../shared/net/errors.ts';
import { guardedFetch } from '../../../../shared/net/guarded.ts';
import type { GuardedAnswer } from '../../../../shared/net/request.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { settings } from '../../settings.ts';

/** The platform could not be asked: nothing is known of what it did. */
export class PlatformUnreachable extends Error {
  override readonly name = 'PlatformUnreachable';
}

/** The platform said no, in its own words. */
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
  readonly deadlineAtMs: number;
};

// An answer of the interface; files are asked for another way.
const MAX_ANSWER_BYTES = 4_194_304;

/** One call to the platform, within its own time-out and the time that is left. */
export async function callPlatform({ method, path, body, deadlineAtMs }: PlatformRequest): Promise<unknown> {
  const leftMs = Math.floor(deadlineAtMs - Date.now());
  if (leftMs <= 0) throw new PlatformUnreachable('No time is left to ask the signature service.');
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
    timeoutMs: Math.min(leftMs, settings['Signer:RequestTimeout'] * 1000),
    // An operator chose this address, in the settings.
    allowPrivateAddresses: true,
  }).catch((error: unknown) => {
    throw error instanceof FetchFailed ? new PlatformUnreachable(error.message, { cause: error }) : error;
  });
  return read(answer);
}

/** Its JSON, or its refusal. An answer that is neither says that something else stands in its place. */
export function read({ status, bytes }: Pick<GuardedAnswer, 'status' | 'bytes'>): unknown {
  if (status >= 200 && status < 300) return bytes.length === 0 ? undefined : parsed(bytes);
  // What it may answer better in a moment, and what is wrong with our own key, is no word on the document.
  if (status >= 500 || status === 401 || status === 403 || status === 429 || status < 400)
    throw new PlatformUnreachable(`The signature service answered ${status}.`);
  if (!isJson(bytes)) throw new PlatformUnreachable(`Something else answered ${status} in its place.`);
  const { code, message } = parsed(bytes) as { code?: unknown; message?: unknown };
  throw new PlatformRefused(status, String(code ?? status), String(message ?? 'It gave no reason.'));
}

const isJson = (bytes: Buffer): boolean => bytes.subarray(0, 1).toString() === '{';

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new PlatformUnreachable('The signature service answered something that is not JSON.', { cause });
  }
}
