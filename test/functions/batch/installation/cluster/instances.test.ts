import type { SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test, vi } from 'vitest';
import { checkBatchReadiness } from '../../../../../functions/batch/domain/readiness.ts';
import { handler as listInstances } from '../../../../../functions/batch/endpoints/list-instances.ts';
import { sendHeartbeat } from '../../../../../functions/batch/installation/cluster/domain/heartbeat.ts';
import { instances, stateOf } from '../../../../../functions/batch/installation/cluster/domain/instance.ts';
import { recordServiceStopped } from '../../../../../functions/batch/installation/cluster/domain/stop-instance.ts';
import { handler as scheduleHeartbeats } from '../../../../../functions/batch/installation/cluster/workers/schedule-heartbeats.ts';
import { handler as sendHeartbeatNow } from '../../../../../functions/batch/installation/cluster/workers/send-heartbeat.ts';
import { listEvents } from '../../../../../functions/batch/operations/domain/list-events.ts';
import { withDetails } from '../../../../../functions/batch/operations/domain/readiness.ts';
import { claimJob } from '../../../../../functions/batch/pipeline/domain/claim-job.ts';
import { readPipelineGauges } from '../../../../../functions/batch/pipeline/domain/read-gauges.ts';
import { dynamo } from '../../../../../shared/store/client.ts';
import { countCalls } from '../../../../measure/calls.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { logOf } from '../../../../shared/http/log-of.ts';
import { drainQueue } from '../../../drain-queue.ts';
import { ask } from '../../jobs/operator.ts';
import { clusterStage, STALE_MS } from './cluster-stage.ts';

const stage = await forFile(clusterStage());

const WEEK_MS = 7 * 24 * 3_600_000;

/** Does something while no call reaches the store. */
async function cutOff(work: () => Promise<void>): Promise<void> {
  const store = mockClient(dynamo());
  store.rejects(Object.assign(new Error('connect ETIMEDOUT'), { name: 'TimeoutError' }));
  try {
    await work();
  } finally {
    store.restore();
  }
}

/** Does something whose first request reaches the store after a while. */
async function withSlowStore<T>(afterMs: number, work: () => Promise<T>): Promise<T> {
  let waitMs = afterMs;
  dynamo().middlewareStack.add(
    (next) => (request) => {
      vi.advanceTimersByTime(waitMs);
      waitMs = 0;
      return next(request);
    },
    { step: 'initialize', name: 'slow-store' },
  );
  try {
    return await work();
  } finally {
    dynamo().middlewareStack.remove('slow-store');
  }
}

const readinessAt = async (nowMs: number) => {
  const { ready, checks } = withDetails(await checkBatchReadiness(nowMs));
  return { ready, check: checks.find(({ name }) => name === 'cluster-instance') };
};

test.each([
  ['is Live with its heartbeat of just now', false, 0, 'Live'],
  ['is Live for a moment less than StaleAfterSeconds', false, STALE_MS - 1, 'Live'],
  ['is Stale from StaleAfterSeconds on', false, STALE_MS, 'Stale'],
  ['is Stopped after an orderly stop', true, 0, 'Stopped'],
  ['stays Stopped, however long ago it was', true, WEEK_MS, 'Stopped'],
  ['is Live while its clock is ahead', false, -5_000, 'Live'],
] as const)('the state of an instance %s', (_, isStopped, ageMs, state) => {
  const nowMs = Date.now();
  expect(stateOf({ isStopped, heartbeatAtMs: nowMs - ageMs }, nowMs)).toBe(state);
});

describe('a heartbeat', () => {
  test('is one plain write after the first', async () => {
    await stage.as('plain', async () => {
      const nowMs = Date.now();
      await sendHeartbeat(nowMs);
      const { byCommand } = await countCalls(() => sendHeartbeat(nowMs + 15_000));
      expect(byCommand).toEqual({ UpdateItem: 1 });
      expect(await instances.get('plain')).toMatchObject({
        startedAtMs: nowMs,
        heartbeatAtMs: nowMs + 15_000,
        release: '2.16.0+source',
        isStopped: false,
      });
    });
  });

  test('logs the start-up summary once for each start, with the version 2.16.0 and the build', async () => {
    const summariesOf = async (nowMs: number) => {
      vi.stubEnv('Log__Level', 'INFO');
      const { lines } = await logOf(() => sendHeartbeat(nowMs));
      vi.stubEnv('Log__Level', 'WARN');
      return lines.filter(({ message }) => message === 'The service has started.');
    };
    await stage.as('summary', async () => {
      const nowMs = Date.now();
      expect(await summariesOf(nowMs)).toMatchObject([
        { level: 'INFO', instance: 'summary', version: '2.16.0+source' },
      ]);
      expect(await summariesOf(nowMs + 15_000)).toEqual([]);
      await recordServiceStopped(nowMs + 16_000);
      expect(await summariesOf(nowMs + 17_000)).toHaveLength(1);
    });
  });

  test('comes from a schedule of its own: at once, and then every HeartbeatSeconds', async () => {
    await stage.as('scheduled', async () => {
      await scheduleHeartbeats();
      const first = await instances.get('scheduled');
      expect(first).toMatchObject({ isStopped: false });
      // The ticks of the minute come one by one. The first is there.
      const [tick] = await drainQueue<{ dueAtMs: number }>(
        'batch',
        'heartbeats',
        sendHeartbeatNow as (event: SQSEvent) => ReturnType<typeof sendHeartbeatNow>,
      );
      expect(tick?.dueAtMs).toBeGreaterThan(0);
      const second = await instances.get('scheduled');
      expect(second?.version).not.toBe(first?.version);
    });
  });

  test('of a new build or a new start of the engine is an ordinary start', async () => {
    await stage.as('restarted', async () => {
      const nowMs = Date.now();
      vi.stubEnv('Pipeline__Boot', 'first');
      await sendHeartbeat(nowMs);
      // Killed. The next start is long after StaleAfterSeconds.
      vi.stubEnv('Pipeline__Boot', 'second');
      const { id } = await stage.upload('restarted.bin', 'content');
      const claimed = await claimJob(nowMs + 10 * STALE_MS);
      expect(claimed?.job.id).toBe(id);
      if (claimed) await stage.process(claimed);
      expect(await instances.get('restarted')).toMatchObject({ startedAtMs: nowMs + 10 * STALE_MS });
      expect(await stage.eventsOf('InstanceStoodDown', 'restarted')).toEqual([]);
      vi.stubEnv('Pipeline__Boot', '');
    });
  });
});

describe('an instance whose store is cut off', () => {
  // now       |--heartbeat--|--- cut off: 61 s ---|--look: resumes--|--look: claims--|
  test('stands down, claims nothing, and says so once when it is back', async () => {
    await stage.as('cut', async () => {
      const nowMs = Date.now();
      await sendHeartbeat(nowMs);
      const { id } = await stage.upload('cut.bin', 'content');
      const backMs = nowMs + STALE_MS + 1_000;
      await cutOff(async () => {
        await expect(sendHeartbeat(nowMs + 15_000)).rejects.toThrow('ETIMEDOUT');
        await expect(claimJob(backMs)).rejects.toThrow('ETIMEDOUT');
      });
      expect(await stage.stateOf('cut', backMs)).toBe('Stale');
      expect(await readinessAt(backMs)).toEqual({
        ready: true,
        check: { name: 'cluster-instance', ok: false, detail: expect.stringContaining('has stood down') },
      });

      expect(await claimJob(backMs)).toBeUndefined();
      expect(await stage.job(id)).toMatchObject({ state: 'Queued' });
      const { items } = await listEvents({ text: 'instance cut ', page: 1, pageSize: 50 });
      expect(items.map(({ type }) => type)).toEqual(['InstanceResumed', 'InstanceStoodDown']);
      expect(items[1]?.message).toContain(`at ${new Date(nowMs + STALE_MS).toISOString()}`);

      expect(await readinessAt(backMs + 1)).toMatchObject({ check: { ok: true } });
      const claimed = await claimJob(backMs + 2_000);
      expect(claimed?.job.id).toBe(id);
      if (claimed) await stage.process(claimed);
    });
  });

  // now       |--heartbeat--|--look: hangs -------- stale --|--answered: resumes--|
  test('claims nothing by a look that began before it stood down', async () => {
    await stage.as('hanging', async () => {
      const nowMs = Date.now();
      await sendHeartbeat(nowMs);
      const { id } = await stage.upload('hanging.bin', 'content');
      expect(await withSlowStore(STALE_MS, () => claimJob(nowMs + 1_000))).toBeUndefined();
      expect(await stage.job(id)).toMatchObject({ state: 'Queued' });
      expect(await stage.eventsOf('InstanceResumed', 'instance hanging ')).toHaveLength(1);
      const claimed = await claimJob(nowMs + STALE_MS + 2_000);
      expect(claimed?.job.id).toBe(id);
      if (claimed) await stage.process(claimed);
    });
  });

  test('is not kept alive by a heartbeat that could arrive after it is stale', async () => {
    await stage.as('late', async () => {
      const nowMs = Date.now();
      await sendHeartbeat(nowMs);
      await sendHeartbeat(nowMs + STALE_MS - 1);
      expect(await stage.stateOf('late', nowMs + STALE_MS)).toBe('Stale');
      await sendHeartbeat(nowMs + STALE_MS);
      expect(await stage.stateOf('late', nowMs + STALE_MS)).toBe('Live');
      expect(await stage.eventsOf('InstanceStoodDown', 'instance late ')).toHaveLength(1);
    });
  });

  test('resumes once, however many workers and heartbeats find it at once', async () => {
    await stage.as('crowd', async () => {
      const nowMs = Date.now();
      await sendHeartbeat(nowMs);
      const backMs = nowMs + STALE_MS;
      const looks = Array.from({ length: 4 }, () => claimJob(backMs));
      await Promise.all([...looks, sendHeartbeat(backMs), sendHeartbeat(backMs)]);
      expect(await stage.eventsOf('InstanceStoodDown', 'instance crowd ')).toHaveLength(1);
      expect(await stage.eventsOf('InstanceResumed', 'instance crowd ')).toHaveLength(1);
    });
  });

  test('is kept alive by workers that look for jobs, where its ticks reach another', async () => {
    await stage.as('starved', async () => {
      const nowMs = Date.now();
      await sendHeartbeat(nowMs);
      for (let look = 1; look <= 5; look++) await claimJob(nowMs + look * (STALE_MS / 2 + 1_000));
      expect(await stage.eventsOf('InstanceStoodDown', 'starved')).toEqual([]);
    });
  });
});

describe('an orderly stop', () => {
  test('makes the instance Stopped with an event, and the next look an ordinary start', async () => {
    await stage.as('stopped', async () => {
      const nowMs = Date.now();
      await sendHeartbeat(nowMs);
      await recordServiceStopped(nowMs + 1_000);
      expect(await stage.stateOf('stopped', nowMs + 1_000)).toBe('Stopped');
      expect(await stage.eventsOf('ServiceStopped', 'instance stopped')).toHaveLength(1);
      await claimJob(nowMs + 2 * STALE_MS);
      expect(await stage.stateOf('stopped', nowMs + 2 * STALE_MS)).toBe('Live');
      expect(await stage.eventsOf('InstanceStoodDown', 'stopped')).toEqual([]);
    });
  });

  test('of an instance that never sent a heartbeat is recorded too', async () => {
    await stage.as('short-lived', () => recordServiceStopped(Date.now()));
    expect(await stage.eventsOf('ServiceStopped', 'short-lived')).toHaveLength(1);
  });
});

describe('GET /api/cluster', () => {
  test('shows every instance with its state, version, folders and jobs in flight', async () => {
    const nowMs = Date.now();
    await stage.upload('listed.bin', 'content');
    const claimed = await stage.as('listed', () => claimJob(nowMs));
    const { status, json } = await ask(listInstances);
    expect(status).toBe(200);
    const listed = (json() as { instances: { name: string }[] }).instances;
    expect(listed.find(({ name }) => name === 'listed')).toEqual({
      name: 'listed',
      state: 'Live',
      version: '2.16.0+source',
      startedAt: new Date(nowMs).toISOString(),
      lastHeartbeat: new Date(nowMs).toISOString(),
      folders: [],
      inFlight: 1,
    });
    if (claimed) await stage.as('listed', () => stage.process(claimed));
  });

  test('forgets an instance that is gone for a week', async () => {
    const nowMs = Date.now();
    await stage.as('gone', () => sendHeartbeat(nowMs));
    expect(await stage.stateOf('gone', nowMs + WEEK_MS - 1)).toBe('Stale');
    expect(await stage.stateOf('gone', nowMs + WEEK_MS)).toBeUndefined();
  });
});

test('the gauges count live and stale instances', async () => {
  const nowMs = Date.now();
  const count = ({ liveInstances, staleInstances }: Awaited<ReturnType<typeof readPipelineGauges>>) =>
    liveInstances + staleInstances;
  const before = await readPipelineGauges(nowMs);
  await stage.as('counted', () => sendHeartbeat(nowMs));
  const after = await readPipelineGauges(nowMs);
  expect([after.liveInstances - before.liveInstances, count(after) - count(before)]).toEqual([1, 1]);
  const stale = await readPipelineGauges(nowMs + STALE_MS);
  expect(stale.staleInstances).toBeGreaterThan(after.staleInstances);
});
