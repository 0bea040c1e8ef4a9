import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { Problem, type Refusal } from '../../../shared/errors/errors.ts';
import { jsonBody } from '../../../shared/http/body/reader.ts';
import { type Answer, isAnswer } from '../../../shared/http/response/answer.ts';
import { call, lambdaContext } from '../../requests/http-event.ts';
import { logOf } from './log-of.ts';
import { answeredOnOwnClock } from './own-clock.ts';
import { errors, sample, someAddress } from './sample.ts';

const told: (number | string)[] = [];
const onAnswer = async (answer: Answer | Refusal): Promise<void> => {
  told.push(isAnswer(answer) ? answer.status : answer.code);
};
beforeEach(() => {
  told.length = 0;
});

const Empty = z.object({});
const service = sample<'One'>({ rates: { One: () => ({ limit: 1, windowSeconds: 3_600 }) } });
const declaration = {
  route: 'POST /thing',
  summary: 'Thing',
  access: 'public',
  body: jsonBody(Empty),
  answers: { 200: Empty },
  onAnswer,
} as const;

test('an endpoint is told of each answer once, and of those that others give before it', async () => {
  const limited = service.endpoint({ ...declaration, rate: 'One' }, async () => ({}));
  const address = someAddress();
  expect((await call(limited, { json: {}, address })).status).toBe(200);
  expect((await call(limited, { json: {}, address })).status).toBe(429);
  expect((await call(limited, { json: [], address: someAddress() })).status).toBe(400);
  const keyed = service.endpoint({ ...declaration, access: 'key' }, async () => ({}));
  expect((await call(keyed, { json: {} })).status).toBe(401);
  const refusing = service.endpoint({ ...declaration, refuses: ['Refused'] }, async () => {
    throw errors.refuse('Refused');
  });
  expect((await call(refusing, { json: {} })).status).toBe(422);
  expect(told).toEqual([200, 'TooMany', 'Invalid', 'Unauthorized', 'Refused']);
});

test('an answer that came too late is told as what went out in its place', async () => {
  const late = Promise.withResolvers<Record<string, never>>();
  const slow = service.endpoint(declaration, () => late.promise);
  const { result } = await logOf(() => call(slow, { json: {} }, lambdaContext(400)));
  late.resolve({});
  expect([result.status, told]).toEqual([503, ['Unavailable']]);
});

test('an answer goes out although the endpoint fails to hear of it, or never ends to', async () => {
  const failing = { ...declaration, onAnswer: () => Promise.reject(new Error('full')) };
  const failed = await logOf(() =>
    call(
      service.endpoint(failing, async () => ({})),
      { json: {} },
    ),
  );
  expect(failed.result.status).toBe(200);
  expect(failed.lines).toEqual([
    expect.objectContaining({ error: expect.objectContaining({ message: 'full' }) }),
  ]);
  const hanging = { ...declaration, onAnswer: () => new Promise<never>(() => undefined) };
  const hung = await answeredOnOwnClock(async () => {
    const context = lambdaContext(500);
    const endpoint = service.endpoint(hanging, async () => ({}));
    const { result } = await logOf(() => call(endpoint, { json: {} }, context));
    return { status: result.status, leftMs: context.getRemainingTimeInMillis() };
  });
  expect([hung.status, hung.leftMs > 0]).toEqual([200, true]);
});

test('an operation may have its own codes for refusals of the framework', async () => {
  const own = service.endpoint(
    {
      ...declaration,
      maxBodyBytes: () => 10,
      situations: { tooLarge: 'Invalid', unexpected: 'Unavailable' },
    },
    async () => {
      throw new Problem('unexpected');
    },
  );
  const tooLarge = await call(own, { json: { long: 'enough' } });
  expect([tooLarge.status, tooLarge.json()]).toMatchObject([400, { code: 'Invalid' }]);
  const unexpected = await call(own, { json: {} });
  expect([unexpected.status, unexpected.json()]).toMatchObject([503, { code: 'Unavailable' }]);
  expect(told).toEqual(['Invalid', 'Unavailable']);
});
