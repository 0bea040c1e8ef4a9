import { expect, test } from 'vitest';
import * as z from 'zod';
import { batch } from '../../../functions/batch/service.ts';
import { compact } from '../../../functions/compact/service.ts';
import { credentials } from '../../../functions/credentials/service.ts';
import { documents } from '../../../functions/documents/service.ts';
import { hub } from '../../../functions/hub/service.ts';
import { pki } from '../../../functions/pki/service.ts';
import { session } from '../../../functions/session/service.ts';
import type { Service } from '../../../shared/http/endpoint.ts';
import { call } from '../../requests/http-event.ts';
import { logOf } from './log-of.ts';

const services = [session, hub, pki, batch, compact, documents, credentials] as unknown as Service[];
const SECRET = 'hunter2-of-the-vault';
const TELLTALE = /hunter2|vault|\/work\/|node_modules|\.ts\b|Error:|at async|ECONN|stack|cause/i;

const failures: [what: string, error: unknown][] = [
  ['an error', new Error(`cannot open /srv/keys/operator.pfx with ${SECRET}`)],
  ['an error with a cause', new Error('outer', { cause: new Error(SECRET) })],
  ['several errors', new AggregateError([new Error(SECRET)], SECRET)],
  [
    'an error of the system',
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', path: SECRET }),
  ],
  [
    'an error that calls itself a refusal',
    Object.assign(new Error(SECRET), { name: 'Refusal', status: 418, code: 'X' }),
  ],
  [
    'an error that knows how to be JSON',
    Object.assign(new Error('x'), { toJSON: () => SECRET, details: { SECRET } }),
  ],
  ['a text', SECRET],
  ['an object', { message: SECRET, statusCode: 200, body: SECRET }],
  ['nothing', undefined],
  ['null', null],
];

const failing = (of: Service, error: unknown) =>
  of.endpoint(
    { route: 'GET /thing', summary: 'Thing', answers: { 200: z.object({}) }, access: 'public' },
    async () => Promise.reject(error),
  );
const told = async (of: Service, error: unknown) => {
  const { result, lines } = await logOf(() => call(failing(of, error)));
  const id = result.headers['x-correlation-id'] ?? '';
  expect(lines.map((line) => [line.level, line.correlationId])).toEqual([['ERROR', id]]);
  return {
    status: result.status,
    text: result.text.replaceAll(id, 'ID'),
    headers: Object.keys(result.headers),
  };
};

const usual = new Map();
for (const of of services) usual.set(of.name, await told(of, new Error('usual')));

test.each(failures)('%s leaves nothing of itself in the answer of any service', async (_, error) => {
  for (const of of services) {
    const answer = await told(of, error);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(TELLTALE);
    expect(answer).toEqual(usual.get(of.name));
  }
});

// As the clients of AWS fail after all their tries.
const slow: [what: string, error: Error][] = [
  [
    'that does not answer',
    Object.assign(new Error(SECRET), { name: 'TimeoutError', $metadata: { attempts: 5 } }),
  ],
  ['out of reach', Object.assign(new Error(SECRET), { code: 'ECONNREFUSED', $metadata: { attempts: 5 } })],
  ['that throttles', Object.assign(new Error(SECRET), { name: 'ThrottlingException', $metadata: {} })],
  ['that fails', Object.assign(new Error(SECRET), { $metadata: { httpStatusCode: 500 } })],
  [
    'in which transactions meet',
    Object.assign(new Error(SECRET), {
      name: 'TransactionCanceledException',
      $metadata: { httpStatusCode: 400 },
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    }),
  ],
];

test.each(slow)('a store %s is a 503 with Retry-After in the style of any service', async (_, error) => {
  for (const of of services) {
    const { result } = await logOf(() => call(failing(of, error)));
    expect([of.name, result.status, result.headers['retry-after']]).toEqual([of.name, 503, '5']);
    expect(result.text).not.toMatch(TELLTALE);
    expect(result.text).not.toBe(usual.get(of.name)?.text);
  }
});

test('a store that refuses what it was asked is no matter of time', async () => {
  const error = Object.assign(new Error(SECRET), {
    name: 'ValidationException',
    $metadata: { httpStatusCode: 400 },
  });
  for (const of of services) expect(await told(of, error)).toEqual(usual.get(of.name));
});
