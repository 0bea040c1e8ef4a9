import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { handlerOf } from '../../../infra/invoke.ts';
import { toHttpEvent } from '../../../infra/runtime/events/sample-event.ts';
import { createApplication, issueKey } from '../../../shared/access/administration.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { ServiceName } from '../../../shared/settings/names.ts';
import { sampleOf } from '../../contract/samples.ts';
import { declaredFunctions } from '../../house/functions.ts';
import { call, type Request } from '../../requests/http-event.ts';
import { hostGlobal, stream } from '../../shared/http/response/streaming-host.ts';

// These answer JSON, and stream it because they may take longer than API Gateway waits for a whole answer. A caller
// must see no difference, refusals included.
const names = declaredFunctions()
  .filter(({ events }) =>
    events.some(({ http }) => http?.method === 'post' && http.response?.transferMode === 'STREAM'),
  )
  .map(({ name }) => name);

const keys = new Map<string, string>();
const [whole, streamed] = [new Map<string, Endpoint>(), new Map<string, unknown>()];
const host = globalThis as { awslambda?: unknown };

for (const service of ['session', 'hub', 'documents'] satisfies ServiceName[]) {
  const name = `streamed-${randomUUID()}`;
  await createApplication(service, { name, permissions: ['*'] });
  keys.set(service, (await issueKey(service, name)).text);
}
for (const name of names) whole.set(name, (await handlerOf(name)) as unknown as Endpoint);
// An endpoint looks for its host once, when it is loaded.
vi.resetModules();
host.awslambda = hostGlobal;
for (const name of names) streamed.set(name, await handlerOf(name));

afterAll(() => {
  delete host.awslambda;
});

/** The answer without what is another one for each call. */
const comparable = (headers: Record<string, string>, text: string) => {
  const { 'x-correlation-id': id = '', ...others } = headers;
  expect(id).not.toBe('');
  return { headers: others, text: text.replaceAll(id, '<id>') };
};

const answersOf = async (name: string, request: Request) => {
  const endpoint = whole.get(name) ?? expect.fail(name);
  const expected = await call(endpoint, request);
  const { head, body, ended } = await stream(streamed.get(name), request);
  expect(ended).toBe(true);
  return [
    { status: expected.status, ...comparable(expected.headers, expected.text) },
    { status: head?.statusCode, ...comparable(head?.headers ?? {}, body.toString()) },
  ] as const;
};

test('the calls that sign, and those that wait for a person, stream', () => {
  expect(names.toSorted()).toEqual([
    'documents/ask-for-token',
    'documents/await-token',
    'documents/complete-signature',
    'documents/complete-signature-by-key',
    'documents/create-started-document',
    'documents/sign-in-cloud',
    'documents/start-signature',
    'documents/start-signature-by-key',
    'hub/sign-hash',
    'pki/ask-for-session-token',
    'pki/await-session-token',
    'pki/sign-session-in-cloud',
    'session/create-session',
    'session/sign-batch',
    'session/sign-document',
  ]);
});

// Where there is no visit to a provider, it answers so.
const WITHOUT_VISIT = 'documents/sign-in-cloud';

describe.each(names)('%s streams the answer that it would give whole', (name) => {
  const { pathParameters, body } = toHttpEvent(sampleOf(name));
  const service = name.split('/')[0] ?? '';
  const params = (pathParameters ?? {}) as Record<string, string>;
  const headers = () => ({ 'X-API-Key': keys.get(service) ?? '', 'Content-Type': 'application/json' });

  test.each([
    ['without a key', () => ({ params, body: body ?? '' })],
    ['to a body that is not JSON', () => ({ params, headers: headers(), body: '{' })],
    ['to a body of another shape', () => ({ params, headers: headers(), json: { pin: 1 } })],
    ['to the sample', () => ({ params, headers: headers(), body: body ?? '' })],
  ])('%s', async (_, request) => {
    const [expected, sent] = await answersOf(name, { method: 'POST', ...request() });
    expect(sent).toEqual(expected);
    if (name !== WITHOUT_VISIT) expect(sent.status).toBeGreaterThanOrEqual(400);
  });
});
