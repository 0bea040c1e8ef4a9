import { randomUUID } from 'node:crypto';
import { handler as abort } from '../../../../functions/pki/biometrics/endpoints/abort-bio-session.ts';
import { handler as begin } from '../../../../functions/pki/biometrics/endpoints/begin-bio-capture.ts';
import { handler as completeEnrollment } from '../../../../functions/pki/biometrics/endpoints/complete-enrollment.ts';
import { handler as completeLiveness } from '../../../../functions/pki/biometrics/endpoints/complete-liveness.ts';
import { handler as getPage } from '../../../../functions/pki/biometrics/endpoints/get-bio-page.ts';
import { handler as getSession } from '../../../../functions/pki/biometrics/endpoints/get-bio-session.ts';
import { handler as locate } from '../../../../functions/pki/biometrics/endpoints/give-bio-location.ts';
import { handler as goOn } from '../../../../functions/pki/biometrics/endpoints/return-bio-session.ts';
import { handler as startEnrollment } from '../../../../functions/pki/biometrics/endpoints/start-enrollment.ts';
import { handler as startLiveness } from '../../../../functions/pki/biometrics/endpoints/start-liveness.ts';
import { handler as submit } from '../../../../functions/pki/biometrics/endpoints/submit-bio-capture.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { type Answered, call } from '../../../requests/http-event.ts';
import { RETURN } from './stage.ts';

export type Kind = 'liveness' | 'enrollment';

/** A JPEG as far as its first bytes tell; the rest differs from one to the next. */
export const aFrame = (): string =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(randomUUID())]).toString('base64');
const FRAMES = 5;
export const frames = (): string[] => Array.from({ length: FRAMES }, aFrame);

export const aSubject = (wish = ''): string => `${randomUUID()}${wish && `+${wish}`}@example.com`;

/** Status and code of a refusal, or status and whatever was answered. */
export const told = (answer: Answered): [number, unknown] => {
  const body: unknown = answer.bytes.length > 0 ? answer.json() : undefined;
  return [answer.status, (body as { code?: unknown } | undefined)?.code ?? body];
};

/** The calls of an application with this key. */
export const application = (key: string) => {
  const headers = { 'X-Api-Key': key };
  return {
    start: (kind: Kind, body: object = {}) =>
      call(kind === 'liveness' ? startLiveness : startEnrollment, {
        headers,
        json: { returnUrl: RETURN, ...(kind === 'enrollment' && { subjectIdentifier: aSubject() }), ...body },
      }),
    complete: (kind: Kind, ticket: string) =>
      call(kind === 'liveness' ? completeLiveness : completeEnrollment, { headers, json: { ticket } }),
    read: (kind: Kind, sessionId: string) => call(getSession, { headers, params: { kind, sessionId } }),
  };
};

/** The person at the address of a session, and the calls of the page there. */
export function visitor(started: Answered, other: { readonly token?: string } = {}) {
  const { sessionId, sessionUrl } = started.json() as { sessionId: string; sessionUrl: string };
  const token = other.token ?? new URL(sessionUrl).searchParams.get('token') ?? '';
  const params = { sessionId };
  const post = (handler: Endpoint, body: object = {}) => call(handler, { params, json: { token, ...body } });
  const person = {
    sessionId,
    sessionUrl,
    token,
    page: (headers: Record<string, string> = {}, query: Record<string, string> = {}) =>
      call(getPage, { params, query: { token, ...query }, headers }),
    begin: () => post(begin),
    submit: (body: object = { frames: frames() }) => post(submit, body),
    abort: (reason = 'Aborted') => post(abort, { reason }),
    locate: (device = 'Capture') =>
      post(locate, { device, latitude: -23.5, longitude: -46.6, accuracyMeters: 12 }),
    goOn: () => post(goOn),
    /** One whole try. */
    async attempt(body?: object): Promise<unknown> {
      const begun = await person.begin();
      return begun.status === 200 ? (await person.submit(body)).json() : begun.json();
    },
    /** The ticket that the person comes back with. */
    async ticket(): Promise<string> {
      const { completeTicket } = (await person.goOn()).json() as { completeTicket: string };
      return completeTicket;
    },
  };
  return person;
}
