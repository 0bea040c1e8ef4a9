import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { Problem } from '../../../shared/errors/errors.ts';
import { EMPTY, fileOf } from '../../../shared/http/declaration.ts';
import { empty, file, json } from '../../../shared/http/response/answer.ts';
import { call } from '../../requests/http-event.ts';
import { logOf } from './log-of.ts';
import { errors, sample } from './sample.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const endpoint = (run: () => Promise<unknown>) =>
  sample().endpoint(
    {
      route: 'GET /thing',
      summary: 'Thing',
      answers: {
        200: z.object({ name: z.string(), inner: z.object({ at: z.iso.datetime() }).optional() }),
        202: fileOf('application/pdf'),
        204: EMPTY,
      },
      refuses: ['Refused'],
      access: 'public',
    },
    run as never,
  );

const off: [why: string, says: RegExp, run: () => Promise<unknown>, statusWhenNotChecked: number][] = [
  ['a field of another type', /breaks its contract/, async () => ({ name: 7 }), 200],
  ['a field too few', /breaks its contract/, async () => ({}), 200],
  ['a field too many', /fields that its contract does not name/, async () => ({ name: 'a', pin: '1' }), 200],
  [
    'a field too many deep inside',
    /fields that its contract does not name/,
    async () => ({ name: 'a', inner: { at: '2026-11-14T00:00:00Z', pin: '1' } }),
    200,
  ],
  ['no value at all', /breaks its contract/, async () => undefined, 200],
  [
    'an undeclared status',
    /no answer with status 201/,
    async () => json({ name: 'a' }, { status: 201 }),
    201,
  ],
  ['JSON where a file is declared', /no JSON for status 202/, async () => json({}, { status: 202 }), 202],
  ['JSON where nothing is declared', /no JSON for status 204/, async () => json({}, { status: 204 }), 204],
  [
    'bytes where JSON is declared',
    /JSON for status 200/,
    async () => file(Buffer.from('{}'), 'text/plain'),
    200,
  ],
  ['nothing where JSON is declared', /JSON for status 200/, async () => empty(200), 200],
  [
    'an undeclared refusal',
    /no refusal Undeclared/,
    async () => Promise.reject(errors.refuse('Undeclared')),
    409,
  ],
];

test.each(off)('%s is an unexpected failure when answers are checked', async (_, says, run) => {
  const { result, lines } = await logOf(() => call(endpoint(run)));
  expect([result.status, result.json()]).toMatchObject([500, { code: 'Unexpected' }]);
  expect(lines).toEqual([
    expect.objectContaining({ error: expect.objectContaining({ message: expect.stringMatching(says) }) }),
  ]);
  expect(JSON.stringify(lines)).toContain('GET /thing');
});

test.each(off)('%s passes when answers are not checked', async (_, __, run, status) => {
  vi.stubEnv('Http__CheckAnswers', 'false');
  expect((await call(endpoint(run))).status).toBe(status);
});

test.each<[string, () => Promise<unknown>, number]>([
  ['what is declared', async () => ({ name: 'a' }), 200],
  ['an undefined optional field', async () => ({ name: 'a', inner: undefined }), 200],
  ['a declared refusal', async () => Promise.reject(errors.refuse('Refused')), 422],
  ["one of the framework's own refusals", async () => Promise.reject(errors.refuse('NoSuchRoute')), 404],
  ['a situation', async () => Promise.reject(new Problem('invalid')), 400],
  ['a declared file', async () => file(Buffer.from('%PDF'), 'application/pdf', { status: 202 }), 202],
  ['a declared empty answer', async () => empty(204), 204],
])('%s is on its contract', async (_, run, status) => {
  expect((await call(endpoint(run))).status).toBe(status);
});

test('a code that is never an answer cannot be refused with', () => {
  const table = { ...errors, rows: errors.rows };
  expect(() => table.refuse('Refused', undefined, { status: 418 })).toThrow(
    'The error table does not answer Refused with status 418.',
  );
});
