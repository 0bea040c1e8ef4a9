import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  isOutdated,
  SIGNER_QUEUE,
  type SignerMessage,
  scheduleLooks,
} from '../../../../functions/batch/external-signer/domain/signer-message.ts';
import { handler } from '../../../../functions/batch/external-signer/workers/look-at-signer.ts';
import { sqs } from '../../../../shared/queue/client.ts';
import { send } from '../../../../shared/queue/send.ts';
import { forFile } from '../../../runner/for-file.ts';
import { drainQueue } from '../../drain-queue.ts';
import { signerStage } from './stage.ts';

const stage = await forFile(signerStage());
beforeEach(() => {
  vi.stubEnv('Signer__PollIntervalSeconds', '20');
  vi.stubEnv('Signer__FolderSweepSeconds', '150');
});
afterEach(() => {
  vi.restoreAllMocks();
});

const MINUTE_MS = 60_000;
// A multiple of both intervals.
const START_MS = 1_800_000_000_000;

describe('a look', () => {
  test.each([
    ['poll', 20_000],
    ['sweep', 150_000],
  ] as const)('of the kind %s is late after its interval', (look, intervalMs) => {
    expect(isOutdated({ look, dueAtMs: START_MS }, START_MS + intervalMs)).toBe(false);
    expect(isOutdated({ look, dueAtMs: START_MS }, START_MS + intervalMs + 1)).toBe(true);
  });

  test('that somebody wants now is never late, nor are checks', () => {
    expect(isOutdated({ look: 'poll' }, START_MS)).toBe(false);
    expect(isOutdated({ look: 'checks', dueAtMs: 0 }, START_MS)).toBe(false);
  });

  test('of the interval before a restart is none of this schedule: the interval is kept from the start', () => {
    const perMinute = Array.from({ length: 12 }, (_, look) => START_MS + look * 5_000);
    const made = perMinute.filter((dueAtMs) => !isOutdated({ look: 'poll', dueAtMs }, dueAtMs));
    expect(made).toEqual([START_MS, START_MS + 20_000, START_MS + 40_000]);
  });

  test('that is late is dropped', async () => {
    const job = await stage.dispatched('late.pdf');
    const path = `GET /api/documents/${stage.documentOf(job).id}`;
    const look = async (message: SignerMessage): Promise<string[]> => {
      stage.platform.calls.length = 0;
      await send('batch', SIGNER_QUEUE, message);
      await drainQueue('batch', SIGNER_QUEUE, handler as (event: SQSEvent) => ReturnType<typeof handler>);
      return stage.platform.calls.filter((call) => call === path);
    };
    const dueAtMs = Math.floor(Date.now() / 20_000) * 20_000;
    expect(await look({ look: 'poll', dueAtMs: dueAtMs - 20_000 })).toEqual([]);
    expect(await look({ look: 'poll', dueAtMs })).toEqual([path]);
  });
});

/** Schedules the looks of a minute. Answers them with their delays. */
async function looksOf(nowMs: number): Promise<string[]> {
  const sent = vi.spyOn(sqs(), 'send');
  await scheduleLooks(nowMs);
  const commands = sent.mock.calls.map(([command]) => command as unknown);
  sent.mockRestore();
  return commands
    .filter((command) => command instanceof SendMessageBatchCommand)
    .flatMap(({ input }) => input.Entries ?? [])
    .map(({ MessageBody = '', DelaySeconds = 0 }) => {
      const { look, dueAtMs = 0 } = JSON.parse(MessageBody) as SignerMessage;
      expect(dueAtMs).toBe(nowMs + DelaySeconds * 1_000);
      return `${look} +${DelaySeconds}`;
    });
}

describe('the looks of a minute', () => {
  test('are several of an interval under a minute, and at most one of an interval over it', async () => {
    expect(await looksOf(START_MS)).toEqual(['poll +0', 'poll +20', 'poll +40', 'sweep +0']);
    expect(await looksOf(START_MS + MINUTE_MS)).toEqual(['poll +0', 'poll +20', 'poll +40']);
    expect(await looksOf(START_MS + 2 * MINUTE_MS)).toEqual(['poll +0', 'poll +20', 'poll +40', 'sweep +30']);
  });

  test('come at the multiples of their intervals, also where the schedule is late', async () => {
    expect(await looksOf(START_MS + 5_000)).toEqual(['poll +15', 'poll +35', 'poll +55']);
  });

  test('are in an hour as many as the intervals say', async () => {
    const looks: string[] = [];
    for (let minute = 0; minute < 60; minute++) looks.push(...(await looksOf(START_MS + minute * MINUTE_MS)));
    expect(looks.filter((look) => look.startsWith('poll'))).toHaveLength(180);
    expect(looks.filter((look) => look.startsWith('sweep'))).toHaveLength(24);
  });

  test('are polls only where no service is configured: jobs that wait there must end', async () => {
    vi.stubEnv('Signer__ApiKey', '');
    vi.stubEnv('Signer__BaseAddress', undefined);
    expect(await looksOf(START_MS)).toEqual(['poll +0', 'poll +20', 'poll +40']);
    vi.stubEnv('Signer__ApiKey', 'app|secret');
    vi.stubEnv('Signer__BaseAddress', stage.platform.url);
  });
});
