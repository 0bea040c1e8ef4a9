import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { handler as getPipeline } from '../../../functions/batch/pipeline/endpoints/get-pipeline-state.ts';
import { handler as pausePipeline } from '../../../functions/batch/pipeline/endpoints/pause-pipeline.ts';
import { handler as getOrganization } from '../../../functions/documents/endpoints/organizations/get-organization.ts';
import { handler as upload } from '../../../functions/documents/endpoints/uploads/create-upload.ts';
import { handler as uploadBytes } from '../../../functions/documents/endpoints/uploads/create-upload-from-bytes.ts';
import { handler as getCustomState } from '../../../functions/hub/endpoints/get-custom-state.ts';
import { handler as getAuthentication } from '../../../functions/pki/authentication/endpoints/get-authentication.ts';
import { handler as getClientReturn } from '../../../functions/sandbox/providers/endpoints/get-client-return.ts';
import { handler as listDeliveries } from '../../../functions/sandbox/receiver/endpoints/list-deliveries.ts';
import { handler as receive } from '../../../functions/sandbox/receiver/endpoints/receive.ts';
import { handler as getReference } from '../../../functions/session/endpoints/get-reference.ts';
import { handler as getStatus } from '../../../functions/session/endpoints/get-status.ts';
import { handler as unknownRoute } from '../../../functions/session/endpoints/refuse-unknown-route.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { ServiceName } from '../../../shared/settings/names.ts';
import { runs } from '../../faults/fuzz.ts';
import { call, lambdaContext, type Request } from '../../requests/http-event.ts';
import { BOUNDARY, FORM_TYPE, field, filePart, formData } from './body/form-data.ts';
import { givenKey, someAddress } from './sample.ts';

const OPERATOR_KEY = 'an-operator-key-of-the-tests';
const keys = new Map<ServiceName, string>();

vi.stubEnv('Auth__ApiKey', OPERATOR_KEY);
const registered = { organizations: [crypto.randomUUID()] };
for (const name of ['session', 'hub', 'pki', 'documents'] as const) {
  keys.set(name, (await givenKey(name, { registered })).text);
}
afterAll(() => {
  vi.unstubAllEnvs();
});

// Longer than any of these calls takes. A call that hangs is ended by then, with a 500.
const LIFE_MS = 10_000;

/** Whatever is sent, the answer is one that the service meant to give. */
async function holds(handler: Endpoint, request: Request): Promise<number> {
  const key = keys.get(handler.service.name) ?? OPERATOR_KEY;
  const headers = { 'X-API-Key': key, ...request.headers };
  const answered = await call(
    handler,
    { address: someAddress(), ...request, headers },
    lambdaContext(LIFE_MS),
  );
  expect(answered.status).toBeLessThan(500);
  expect(answered.headers['x-correlation-id']).toHaveLength(36);
  if (request.method === 'HEAD') expect(answered.text).toBe('');
  else if (answered.headers['content-type']?.includes('json')) answered.json();
  return answered.status;
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc.constantFrom(
    '',
    '%',
    '%00',
    '%E0%A4',
    '../..',
    '\0',
    '__proto__',
    'constructor',
    '{}',
    'x'.repeat(5_000),
  ),
);
const values = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }));
const record = (...names: string[]) =>
  fc.dictionary(fc.oneof(text, fc.constantFrom(...names)), values, { maxKeys: 6 });

const reading: Endpoint[] = [
  getStatus,
  getCustomState,
  getAuthentication,
  getOrganization,
  getPipeline,
  listDeliveries,
  getClientReturn,
  getReference,
  unknownRoute,
];
const requests = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE'),
  path: text,
  query: record('sessionId', 'session', 'page'),
  params: fc.dictionary(fc.constantFrom('orgId', 'name', 'path', 'proxy'), text),
});

test('no path, query or path parameter is unexpected', async () => {
  const property = fc.asyncProperty(fc.constantFrom(...reading), requests, async (handler, request) => {
    await holds(handler, request);
  });
  await fc.assert(property, { numRuns: runs(200) });
});

test('no header or cookie is unexpected, the ones that the framework reads least of all', async () => {
  const names = [
    'X-API-Key',
    'x-api-key',
    'Accept',
    'Cookie',
    'Content-Type',
    'Content-Length',
    'Accept-Encoding',
  ];
  const cookies = fc
    .array(fc.tuple(text, text), { maxLength: 5 })
    .map((pairs) => ({ Cookie: pairs.map(([name, value]) => `${name}=${value}`).join('; ') }));
  const headers = fc.oneof(record(...names), cookies);
  const property = fc.asyncProperty(fc.constantFrom(...reading), headers, async (handler, given) => {
    await holds(handler, {
      headers: given,
      query: { sessionId: 'x', session: 'x' },
      params: { orgId: 'x', name: 'x' },
    });
  });
  await fc.assert(property, { numRuns: runs(200) });
});

const JSON_TYPES = ['application/json', 'text/json', 'application/x+json', 'text/plain', ''];
const taking: Endpoint[] = [pausePipeline, uploadBytes, receive];
const jsonish = fc.oneof(
  fc.json({ maxDepth: 5 }),
  fc.jsonValue().map((reason) => JSON.stringify({ reason, bytes: reason })),
  fc.string({ unit: 'binary' }).map((reason) => JSON.stringify({ reason, bytes: btoa(encodeURI(reason)) })),
  fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0dD8e1-. ntrf\0') }),
  fc.constantFrom(
    '{"reason":"\\ud800"}',
    '['.repeat(200_000),
    '{"a":'.repeat(100_000),
    '1e999',
    '-0',
    '"\\u0000"',
  ),
);

test('no JSON is unexpected, well formed or not', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...taking),
    fc.constantFrom(...JSON_TYPES),
    jsonish,
    async (handler, type, body) => {
      await holds(handler, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
        params: { name: 'fuzz' },
      });
    },
  );
  await fc.assert(property, { numRuns: runs(200) });
});

test('no bytes are unexpected, whatever they are called', async () => {
  const types = [
    ...JSON_TYPES,
    FORM_TYPE['Content-Type'],
    'application/x-www-form-urlencoded',
    'application/pdf',
  ];
  const property = fc.asyncProperty(
    fc.constantFrom(...taking, upload),
    fc.oneof(fc.constantFrom(...types), text),
    fc.uint8Array({ maxLength: 2_000 }),
    async (handler, type, body) => {
      await holds(handler, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
        params: { name: 'fuzz' },
      });
    },
  );
  await fc.assert(property, { numRuns: runs(200) });
});

const partText = fc.oneof(
  text,
  fc.constantFrom('form-data', 'a"b', "UTF-8''%C3%A7", '\r\n', `\r\n--${BOUNDARY}`),
);
const anyPart = fc.oneof(
  fc.tuple(partText, partText).map(([name, value]) => field(name, value)),
  fc
    .tuple(fc.uint8Array({ maxLength: 500 }), partText, partText)
    .map(([content, name, type]) => filePart(content, { disposition: `filename="${name}"`, type })),
  fc.tuple(fc.array(partText), partText).map(([headers, content]) => ({ headers, content })),
);

/** Cuts a slice out, puts one in, or turns bytes over, a few times. */
const damage = fc.array(
  fc.record({ at: fc.nat(), length: fc.nat({ max: 40 }), put: fc.uint8Array({ maxLength: 40 }) }),
  { maxLength: 4 },
);
const damaged = (whole: Buffer, blows: readonly { at: number; length: number; put: Uint8Array }[]): Buffer =>
  blows.reduce((body, { at, length, put }) => {
    const from = at % (body.length + 1);
    return Buffer.concat([body.subarray(0, from), put, body.subarray(from + length)]);
  }, whole);

const chunked = (body: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(body.length / size) }, (_, n) => body.subarray(n * size, (n + 1) * size)),
    { objectMode: false },
  );

test('no form is unexpected, whole or damaged, in one piece or in many', async () => {
  const property = fc.asyncProperty(
    fc.array(anyPart, { maxLength: 4 }),
    damage,
    fc.integer({ min: 1, max: 300 }),
    async (parts, blows, size) => {
      const body = damaged(formData(...parts), blows);
      const whole = await holds(upload, { method: 'POST', headers: FORM_TYPE, body });
      const pieces = await holds(upload, { headers: FORM_TYPE, bodyStream: chunked(body, size) });
      expect(pieces).toBe(whole);
    },
  );
  await fc.assert(property, { numRuns: runs(150) });
});

test('no boundary is unexpected', async () => {
  const body = formData(field('a', 'b'), filePart('content'));
  const property = fc.asyncProperty(text, async (boundary) => {
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
    await holds(upload, { method: 'POST', headers, body });
    await holds(upload, {
      method: 'POST',
      headers,
      body: body.toString('latin1').replaceAll(BOUNDARY, boundary),
    });
  });
  await fc.assert(property, { numRuns: runs(100) });
});
