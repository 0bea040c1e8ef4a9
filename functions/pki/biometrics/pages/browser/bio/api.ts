import type * as z from 'zod';
import { apiAt } from '../../../../../../shared/ui/browser/api.ts';
import type { BegunCapture, BioReturn, JudgedCapture } from '../../../contract/page.ts';

export type Begun = z.infer<typeof BegunCapture>;
export type Capture = Begun['capture'];
export type Judged = z.infer<typeof JudgedCapture>;
export type Return = z.infer<typeof BioReturn>;

/** The calls of one session. Each carries its token. */
export function apiOf(sessionId: string, token: string) {
  const api = apiAt(sessionId);
  const post = <T>(path: string, body: object = {}): Promise<T> => api(path, { token, ...body });
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
