import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { type Emulators, startEmulators } from '../../../../infra/local/stores/emulators.ts';
import { batchApi } from './batch-crash/api.ts';
import { waitUntilFinished } from './batch-crash/run.ts';
import { cleanUp, type EngineProcess, startEngineProcess } from './engine-process.ts';

const UPLOADERS = 8;
// Both are at work by then.
const MIN_COMPLETED = 30;
const MAX_CONCURRENCY = 6;
const HEARTBEAT_SECONDS = 4;
const STALE_SECONDS = 20;
const START_MS = 120_000;

let stores: Emulators;
let north: EngineProcess;
let south: EngineProcess;

const start = async (name: string, again: { port?: number; dataDir?: string } = {}) => {
  const env = {
    ...stores.env,
    Cluster__InstanceName: name,
    Cluster__HeartbeatSeconds: String(HEARTBEAT_SECONDS),
    Cluster__StaleAfterSeconds: String(STALE_SECONDS),
    Pipeline__MaxConcurrency: String(MAX_CONCURRENCY),
    Pipeline__PollIntervalSeconds: '2',
    RateLimiting__Upload__PermitLimit: '100000',
  };
  const engine = await startEngineProcess({ env, ...again });
  await engine.ready();
  return engine;
};

beforeAll(async () => {
  stores = await startEmulators();
  Object.assign(process.env, stores.env);
  south = await start('south');
  north = await start('north');
}, 2 * START_MS);
afterAll(async () => {
  await cleanUp();
  await stores.stop();
}, START_MS);

async function statesOf(engine: EngineProcess): Promise<Record<string, string>> {
  const answer = await fetch(`${engine.url}/batch/api/cluster`, { headers: { 'x-api-key': SANDBOX_KEY } });
  const { instances } = (await answer.json()) as { instances: { name: string; state: string }[] };
  return Object.fromEntries(instances.map(({ name, state }) => [name, state]));
}

const untilBothLive = () => expect.poll(() => statesOf(south)).toEqual({ north: 'Live', south: 'Live' });

const inFlightOn = async (name: string) =>
  (await readFlight()).slots.filter(({ instance }) => instance === name).length;

/** A process and those that it has started. */
function treeOf(root: number): number[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [root];
  for (const pid of tree) for (const [child = 0, parent] of all) if (parent === pid) tree.push(child);
  return tree;
}

/**
 * Kills an engine and its functions while jobs are in flight on it. Jobs may end between a look and a kill, so
 * the processes are stopped first: what the store then still shows as in flight stays so.
 */
async function killAmidJobs(name: string, { process: { pid: root = 0 }, exited }: EngineProcess) {
  const signal = (pids: number[], which: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, which);
  };
  for (;;) {
    await expect.poll(() => inFlightOn(name), { interval: 5 }).toBeGreaterThan(0);
    // The root first: it starts no further process then.
    signal([root], 'SIGSTOP');
    const tree = treeOf(root);
    signal(tree, 'SIGSTOP');
    // Requests that had left the processes reach the store meanwhile.
    await pause(250);
    if ((await inFlightOn(name)) > 0) {
      signal(tree, 'SIGKILL');
      await exited;
      return;
    }
    signal(tree, 'SIGCONT');
  }
}

//   north   |--signs 6 at once-- killed                          |--starts: Live again
//   south   |--signs 6 at once------- (north is stale) |--ends the jobs of north--|--signs the rest--|
test(
  'an engine takes over the jobs of another that is killed, once, and the killed one rejoins',
  async () => {
    await untilBothLive();
    const api = batchApi(south.url);
    // New files come until the kill, so that there is work for both however fast they are.
    let isKilled = false;
    let uploaded = 0;
    const upload = async () => {
      while (!isKilled) {
        const n = uploaded++;
        const file = { name: `file-${n}.bin`, profile: 'default', content: Buffer.from(`content ${n}`) };
        expect((await api.upload(file)).status).toBe(202);
      }
    };
    const uploading = Promise.all(Array.from({ length: UPLOADERS }, upload));
    const kill = async () => {
      await expect.poll(() => api.countJobs('?status=Completed')).toBeGreaterThan(MIN_COMPLETED);
      await killAmidJobs('north', north);
    };
    const killing = kill().finally(() => {
      isKilled = true;
    });
    await Promise.all([uploading, killing]);
    await expect.poll(() => inFlightOn('north'), { timeout: START_MS }).toBe(0);
    await waitUntilFinished(api);

    const { items } = await api.jobs();
    const jobs = await api.details(items.map(({ id }) => id));
    expect(jobs).toHaveLength(uploaded);
    const ended = jobs.map(({ status, errorCode, history }) => [
      status,
      errorCode,
      // Each was picked up once.
      history.filter((entry) => entry.status === 'Processing').map(({ message }) => message),
    ]);
    const by = (name: string) => [`Picked up by ${name}.`];
    for (const each of ended)
      expect([
        ['Completed', null, by('north')],
        ['Completed', null, by('south')],
        ['Failed', 'job.interrupted', by('north')],
      ]).toContainEqual(each);
    const interrupted = jobs.filter(({ status }) => status === 'Failed').map(({ id }) => id);
    expect(interrupted.length).toBeGreaterThan(0);
    const takenOver = await api.events('?type=JobTakenOver');
    expect(takenOver.items.map(({ jobId }) => jobId).toSorted()).toEqual(interrupted.toSorted());
    expect(await statesOf(south)).toEqual({ north: 'Stale', south: 'Live' });

    north = await start('north', north);
    await untilBothLive();
  },
  3 * START_MS,
);
