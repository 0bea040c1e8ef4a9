import type * as z from 'zod';
import type { BegunCapture, BioReturn, JudgedCapture } from '../../../contract/page.ts';

/** The server said no, in its own vocabulary. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** No answer came. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

export type Begun = z.infer<typeof BegunCapture>;
export type Capture = Begun['capture'];
export type Judged = z.infer<typeof JudgedCapture>;
export type Return = z.infer<typeof BioReturn>;

// Longer than any function of the server may take.
const PATIENCE_MS = 40_000;

/** The calls of one session. Each carries its token; refusals are thrown as Refused, silence as Lost. */
export function apiOf(sessionId: string, token: string) {
  const post = async <T>(path: string, body: object = {}): Promise<T> => {
    const answer = await answered(`${sessionId}/${path}`, { token, ...body });
    if (answer.status === 204) return undefined as T;
    const read: unknown = await answer.json().catch(() => ({}));
    if (answer.ok) return read as T;
    throw new Refused(String((read as { code?: unknown }).code ?? answer.status));
  };
  return {
    begin: () => post<Begun>('captures'),
    submit: (taken: { readonly frames?: readonly string[]; readonly document?: string | undefined }) =>
      post<Judged>('captures/current', taken),
    abort: (reason: 'Aborted' | 'CameraUnavailable') => post<void>('abortion', { reason }),
    locate: (location: object) => post<void>('location', location),
    goOn: () => post<Return>('return'),
  };
}

export type Api = ReturnType<typeof apiOf>;

async function answered(path: string, body: object): Promise<Response> {
  try {
    return await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (cause) {
    throw new Lost('No answer came.', { cause });
  }
}
