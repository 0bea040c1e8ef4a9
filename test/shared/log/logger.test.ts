import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logger } from '../../../shared/log/logger.ts';

let printed: string[] = [];

beforeEach(() => {
  printed = [];
  const keep = (text: string | Uint8Array): boolean => printed.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const lines = (): Record<string, unknown>[] => printed.map((line) => JSON.parse(line));

test('a line is JSON with its level, service, message and fields', () => {
  logger('session').warn('The vault is slow.', { waitedMs: 900 });
  expect(lines()).toEqual([
    {
      level: 'WARN',
      message: 'The vault is slow.',
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/),
      service: 'session',
      waitedMs: 900,
    },
  ]);
});

test('test runs print warnings and errors only, by their setting', () => {
  const log = logger('hub');
  log.debug('a');
  log.info('b');
  log.warn('c');
  log.error('d');
  expect(lines().map((line) => line.message)).toEqual(['c', 'd']);
});

test('the setting Log:Level decides the least level, and a change is seen by a logger already made', () => {
  const log = logger('hub');
  vi.stubEnv('Log__Level', 'DEBUG');
  log.debug('seen');
  vi.stubEnv('Log__Level', 'ERROR');
  log.warn('unseen');
  expect(lines().map((line) => line.message)).toEqual(['seen']);
});

test('an unknown level is refused with the name of the setting', () => {
  vi.stubEnv('Log__Level', 'LOUD');
  expect(() => logger('hub').info('x')).toThrow(/Log:Level/);
});

test('fields given to a derived logger do not reach the logger it came from', () => {
  const log = logger('pki');
  const derived = log.with({ requestId: 'r-1' }).with({ step: 2 });
  derived.warn('inside');
  log.warn('outside');
  expect(lines()[0]).toMatchObject({ requestId: 'r-1', step: 2 });
  expect(lines()[1]).not.toHaveProperty('requestId');
});

test('an error is printed with name, message, stack and cause, and its secrets are not', () => {
  const cause = new TypeError('connect refused');
  const error = Object.assign(new RangeError('too far', { cause }), { accessToken: 'tok-77', code: 'E_FAR' });
  logger('pki').error('It failed.', { error });
  expect(lines()[0]?.error).toMatchObject({
    name: 'RangeError',
    message: 'too far',
    stack: expect.stringContaining('logger.test.ts'),
    code: 'E_FAR',
    accessToken: '[redacted]',
    cause: { name: 'TypeError', message: 'connect refused' },
  });
});

test('secrets given in the message, in fields at any depth or in carried fields are not printed', () => {
  const log = logger('session').with({ headers: { 'X-API-Key': 'leak-1', cookie: 'leak-2' } });
  log.warn('Refused {"pin":"leak-3"}', {
    request: { body: 'leak-4', parts: [{ userPin: 'leak-5', file: { content: Buffer.from('leak-6') } }] },
    error: new Error('GET https://s3/x?X-Amz-Signature=leak-7 with Bearer leak-8'),
  });
  expect(printed).toHaveLength(1);
  expect(printed[0]).not.toContain('leak-');
});
