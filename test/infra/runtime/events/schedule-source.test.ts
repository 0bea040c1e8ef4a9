import { afterEach, describe, expect, test } from 'vitest';
import { readSchedule } from '../../../../infra/runtime/events/schedule-expression.ts';
import {
  type ScheduleTrigger,
  startScheduleSource,
} from '../../../../infra/runtime/events/schedule-source.ts';
import type { Invocation } from '../../../../infra/runtime/functions/invoke.ts';
import { playedClock } from './played-clock.ts';

const START = Date.parse('2026-03-01T10:00:30Z');
const at = (time: string) => Date.parse(`2026-03-01T${time}Z`);
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const source of running.splice(0)) await source.stop();
});

function start(
  expression: string,
  answer: (call: number) => Promise<Invocation> | Invocation = () => ({ ok: true, answer: null }),
  changes: Partial<ScheduleTrigger> = {},
) {
  const clock = playedClock(START);
  const calls: { time: string; event: unknown }[] = [];
  const problems: string[] = [];
  const trigger = {
    functionName: 'sinete-local-sweep',
    expression,
    next: readSchedule(expression),
    retries: 2,
  };
  const source = startScheduleSource(
    { ...trigger, ...changes },
    async (_functionName, event) => {
      calls.push({ time: new Date(clock.now()).toISOString().slice(11, 19), event });
      return answer(calls.length);
    },
    {
      clock,
      anchorMs: START,
      account: '000000000000',
      region: 'us-east-1',
      report: (line) => problems.push(line),
    },
  );
  running.push(source);
  return { clock, calls, problems, source, times: () => calls.map(({ time }) => time) };
}

describe('a schedule source', () => {
  test('a rate first runs one period after its making, then every period', async () => {
    const { clock, times } = start('rate(5 minutes)');
    await clock.advanceTo(at('10:16:00'));
    expect(times()).toEqual(['10:05:30', '10:10:30', '10:15:30']);
  });

  test('a rate that runs at the start runs again when messages of the engine before are due, then by its period', async () => {
    const { clock, times } = start('rate(1 minute)', undefined, { runsAtStart: true });
    await clock.advanceTo(at('10:02:40'));
    expect(times()).toEqual(['10:00:30', '10:00:46', '10:01:30', '10:02:30']);
  });

  test('a cron expression runs on the minute', async () => {
    const { clock, times } = start('cron(0/20 * * * ? *)');
    await clock.advanceTo(at('11:00:00'));
    expect(times()).toEqual(['10:20:00', '10:40:00', '11:00:00']);
  });

  test('the event is the one that EventBridge sends', async () => {
    const { clock, calls } = start('cron(0 12 * * ? *)');
    await clock.advanceTo(at('12:00:00'));
    expect(calls[0]?.event).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: '2026-03-01T12:00:00Z',
      region: 'us-east-1',
      resources: ['arn:aws:events:us-east-1:000000000000:rule/sinete-local-sweep'],
      detail: {},
    });
  });

  test('a declared input is the whole event', async () => {
    const { clock, calls } = start('rate(1 minute)', undefined, { input: { mode: 'full' } });
    await clock.advanceTo(at('10:01:30'));
    expect(calls[0]?.event).toEqual({ mode: 'full' });
  });

  test('a failed run is tried again after one minute and after two more, then given up', async () => {
    const { clock, times, problems } = start('cron(0 12 * * ? *)', () => ({ ok: false, reason: 'no table' }));
    await clock.advanceTo(at('13:00:00'));
    expect(times()).toEqual(['12:00:00', '12:01:00', '12:03:00']);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toBe('sinete-local-sweep failed a scheduled run: no table');
  });

  test('a run that the stop of the engine cuts off has not failed', async () => {
    const cut = Promise.withResolvers<Invocation>();
    const { clock, problems, source } = start('rate(5 minutes)', () => cut.promise);
    await clock.advanceTo(at('10:05:30'));
    const stopped = source.stop();
    cut.resolve({ ok: false, reason: 'read ECONNRESET' });
    await stopped;
    expect(problems).toEqual([]);
  });

  test('a run that succeeds at the second attempt is not tried a third time', async () => {
    const answer = (call: number): Invocation =>
      call === 1 ? { ok: false, reason: 'no table' } : { ok: true, answer: null };
    const { clock, times } = start('cron(0 12 * * ? *)', answer);
    await clock.advanceTo(at('13:00:00'));
    expect(times()).toEqual(['12:00:00', '12:01:00']);
  });

  test('a function that wants no retries gets none', async () => {
    const { clock, times } = start('cron(0 12 * * ? *)', () => ({ ok: false, reason: 'x' }), { retries: 0 });
    await clock.advanceTo(at('13:00:00'));
    expect(times()).toEqual(['12:00:00']);
  });

  test('a run starts while the one before still goes on, but no more than five pile up', async () => {
    const { promise: hang, resolve: letGo } = Promise.withResolvers<Invocation>();
    const { clock, times, problems } = start('rate(1 minute)', () => hang);
    await clock.advanceTo(at('10:08:00'));
    expect(times()).toEqual(['10:01:30', '10:02:30', '10:03:30', '10:04:30', '10:05:30']);
    expect(problems).toHaveLength(2);

    letGo({ ok: true, answer: null });
    await clock.advanceTo(at('10:09:00'));
    expect(times()).toHaveLength(6);
  });

  // The machine sleeps from 10:02 to 13:00: its clock jumps, no timer fires in between.
  //
  //   runs  |--10:01:30--|--------- asleep ---------|--13:00:00 (late, once)--13:00:30--|
  test('moments that passed while the machine slept are run once', async () => {
    let nowMs = START;
    const clock = playedClock(START);
    const times: string[] = [];
    const source = startScheduleSource(
      {
        functionName: 'sinete-local-sweep',
        expression: 'rate(1 minute)',
        next: readSchedule('rate(1 minute)'),
        retries: 0,
      },
      async () => {
        times.push(new Date(nowMs).toISOString().slice(11, 19));
        return { ok: true, answer: null };
      },
      {
        clock: { now: () => nowMs, wait: clock.wait },
        anchorMs: START,
        account: '0',
        region: 'x',
        report: () => {},
      },
    );
    running.push(source);
    for (const moment of ['10:01:30', '13:00:00', '13:00:10', '13:00:30', '13:00:40']) {
      nowMs = at(moment);
      await clock.advanceTo(clock.now() + 3_600_000);
    }
    expect(times).toEqual(['10:01:30', '13:00:00', '13:00:30']);
  });

  test('stopping gives up a retry that is still to come', async () => {
    const { clock, times, source } = start('cron(0 12 * * ? *)', () => ({ ok: false, reason: 'x' }));
    await clock.advanceTo(at('12:00:10'));
    await source.stop();
    await clock.advanceTo(at('12:30:00'));
    expect(times()).toEqual(['12:00:00']);
  });

  test('an expression with no moment left ends by itself', async () => {
    const { clock, calls } = start('cron(0 0 1 1 ? 2025)');
    await clock.advanceTo(at('23:00:00'));
    expect(calls).toEqual([]);
  });
});
