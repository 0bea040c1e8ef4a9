import { expect, test, vi } from 'vitest';
import { sendHeartbeat } from '../../../../../functions/batch/installation/cluster/domain/heartbeat.ts';
import { listEvents } from '../../../../../functions/batch/operations/domain/list-events.ts';
import { claimJob } from '../../../../../functions/batch/pipeline/domain/claim-job.ts';
import { killedAt } from '../../../../faults/crash.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { folderStage } from '../../external-signer/folder-stage.ts';

const stage = await forFile(folderStage());
vi.stubEnv('Cluster__StaleAfterSeconds', '120');
// The first heartbeat and the first verdict on the certificate are writes of their own.
await stage.take(stage.put('first.pdf'));
await stage.run();

// The claim of a killed recovery ends by itself.
const NEXT_MS = 90_000;

// South looks ten minutes later each time: main is stale by then.
let laterMs = Date.now();
async function nextLook(): Promise<number> {
  laterMs += 600_000;
  await asSouth(() => sendHeartbeat(laterMs));
  return laterMs;
}

/** Strands a job of this document on the instance main: its worker is killed before its nth write. */
async function strand(fileName: string, write: number) {
  const document = stage.put(fileName);
  const { id } = await stage.take(document);
  expect(await killedAt(write, 'before', () => stage.run())).toBe(true);
  return { id, document };
}

async function asSouth<T>(work: () => Promise<T>): Promise<T> {
  vi.stubEnv('Cluster__InstanceName', 'south');
  try {
    return await work();
  } finally {
    vi.stubEnv('Cluster__InstanceName', 'main');
  }
}

const takeOversOf = async (id: string) =>
  (await listEvents({ type: 'JobTakenOver', page: 1, pageSize: 200 })).items.filter(
    ({ jobId }) => jobId === id,
  );

//   main   |--key reached--signed-- killed
//   south                                 (main is stale)  |--asks the platform--Verifying-- killed
//   south                                                                 |--Completed, JobTakenOver--|
test('a job past the key is taken over once, wherever the take-over itself is killed', async () => {
  for (let write = 1; ; write++) {
    const { id, document } = await strand(`taken-${write}.pdf`, 3);
    const atMs = await nextLook();
    const wasKilled = await asSouth(() => killedAt(write, 'after', () => claimJob(atMs)));
    await asSouth(() => claimJob(atMs + NEXT_MS));
    expect(await stage.job(id)).toMatchObject({ state: 'Completed', instance: 'main' });
    expect(document.signatures).toHaveLength(1);
    expect(await takeOversOf(id)).toHaveLength(1);
    if (!wasKilled) return expect(write).toBeGreaterThan(3);
  }
});

test('a job that never reached the key returns to the queue with the event, and another signs it', async () => {
  const { id, document } = await strand('returned.pdf', 2);
  const atMs = await nextLook();
  await asSouth(async () => {
    const claimed = await claimJob(atMs);
    expect(await takeOversOf(id)).toHaveLength(1);
    if (claimed) await stage.process(claimed);
    else await stage.run();
  });
  expect(await stage.job(id)).toMatchObject({ state: 'Completed', instance: 'south' });
  expect(document.signatures).toHaveLength(1);
  expect(await takeOversOf(id)).toHaveLength(1);
});
