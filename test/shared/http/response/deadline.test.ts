import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { fileOf } from '../../../../shared/http/declaration.ts';
import { file } from '../../../../shared/http/response/answer.ts';
import { call, lambdaContext } from '../../../requests/http-event.ts';
import { logOf } from '../log-of.ts';
import { answeredOnOwnClock } from '../own-clock.ts';
import { sample } from '../sample.ts';

const never = new Promise<never>(() => undefined);
const soon = () => lambdaContext(500);
const within = { route: 'POST /slow/{token}', summary: 'Slow', access: 'public' } as const;
const answers = { 200: z.object({}) };

test('a function that does not finish is answered in style before the host ends it', async () => {
  const slow = sample().endpoint({ ...within, answers }, () => never);
  const { result, lines, leftMs } = await answeredOnOwnClock(async () => {
    const context = soon();
    const logged = await logOf(() => call(slow, { path: '/sandbox/slow/s3cret-token' }, context));
    return { ...logged, leftMs: context.getRemainingTimeInMillis() };
  });
  expect(leftMs).toBeGreaterThan(0);
  expect([result.status, result.json()]).toMatchObject([503, { code: 'Unavailable' }]);
  expect(result.headers['retry-after']).toBe('5');
  expect(lines).toEqual([
    expect.objectContaining({
      correlationId: result.headers['x-correlation-id'],
      route: 'POST /slow/{token}',
      error: expect.objectContaining({ message: expect.stringContaining('time of the function was over') }),
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('s3cret-token');
});

test('so is a caller whose key, or whose body, never arrives', async () => {
  const asks = sample({ authenticate: { schemes: {}, identify: () => never } });
  const unknown = asks.endpoint({ route: 'GET /slow', summary: 'Slow', answers }, async () => ({}));
  const { result: noKey } = await logOf(() => call(unknown, {}, soon()));
  expect([noKey.status, noKey.json()]).toMatchObject([503, { code: 'Unavailable' }]);

  const reads = sample().endpoint({ ...within, answers, body: jsonBody(z.object({})) }, async () => ({}));
  const bodyStream = new Readable({ read() {} });
  const headers = { 'Content-Type': 'application/json' };
  const { result: noBody } = await logOf(() => call(reads, { headers, bodyStream }, soon()));
  expect([noBody.status, noBody.json()]).toMatchObject([503, { code: 'Unavailable' }]);
});

test('so is a file whose bytes stop coming', async () => {
  const stalls = sample().endpoint({ ...within, answers: { 200: fileOf('text/plain') } }, async () =>
    file(new Readable({ read() {} }), 'text/plain'),
  );
  const { result, lines } = await logOf(() => call(stalls, {}, soon()));
  expect([result.status, result.json()]).toMatchObject([503, { code: 'Unavailable' }]);
  expect(lines).toHaveLength(1);
});

test('a function is told when its time is over', async () => {
  const asked = sample().endpoint(
    { ...within, answers: { 200: z.object({ leftMs: z.number() }) } },
    async ({ deadlineAtMs }) => ({ leftMs: deadlineAtMs - Date.now() }),
  );
  const answer = await answeredOnOwnClock(() => call(asked, {}, lambdaContext(5_000)));
  const { leftMs } = answer.json() as { leftMs: number };
  expect(leftMs).toBeGreaterThan(4_000);
  expect(leftMs).toBeLessThanOrEqual(5_000);
});

test('a host that sets no end, or one beyond what timers can count, ends nothing', async () => {
  const takesAMoment = sample().endpoint({ ...within, answers }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return {};
  });
  const endless = { ...lambdaContext(), getRemainingTimeInMillis: () => 2 ** 40 };
  expect((await call(takesAMoment, {}, endless)).status).toBe(200);
  const { getRemainingTimeInMillis: _, ...silent } = lambdaContext();
  expect((await call(takesAMoment, {}, silent as typeof endless)).status).toBe(200);
});

test('what a late function does after all harms nobody', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const late = Promise.withResolvers<never>();
  const slow = sample().endpoint({ ...within, answers }, () => late.promise);
  const { result } = await logOf(() => call(slow, {}, lambdaContext(320)));
  expect(result.status).toBe(503);
  late.reject(new Error('too late'));
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
