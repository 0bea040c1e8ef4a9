import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFlight } from '../../../../../functions/batch/pipeline/domain/flight.ts';
import { SANDBOX_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { externalEndpoints, useStores } from '../../../../../infra/local/stores/endpoints.ts';
import { newRing } from '../../../../../infra/local/stores/ring-file.ts';
import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { startAwsServer } from '../../../../servers/aws-server.ts';
import { cleanUp, type EngineProcess, startEngineProcess } from '../engine-process.ts';
import { type StoreProxy, startStoreProxy } from '../store-proxy.ts';
import { type BatchApi, batchApi, type DetailedJob } from './batch-crash/api.ts';
import { waitUntilFinished } from './batch-crash/run.ts';

const MIN_JOBS = 200;
// Both are at work by then.
const MIN_COMPLETED = 40;
const MAX_CONCURRENCY = 6;
const HEARTBEAT_SECONDS = 4;
const STALE_SECONDS = 20;
const START_MS = 120_000;

let stores: Awaited<ReturnType<typeof startAwsServer>>;
let reach: Record<string, string>;
let storeOfNorth: StoreProxy;
let north: EngineProcess;
let south: EngineProcess;

type StartOptions = { port?: number; dataDir?: string };

const start = async (name: string, endpoint: string, again: StartOptions = {}) => {
  const env = {
    ...reach,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
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
  stores = await startAwsServer();
  reach = { ...externalEndpoints({ AWS_ENDPOINT_URL: stores.endpoint }), Sealing__Keys: newRing() };
  useStores(reach);
  storeOfNorth = await startStoreProxy(stores.endpoint);
  south = await start('south', stores.endpoint);
  north = await start('north', storeOfNorth.url);
}, 2 * START_MS);
afterAll(async () => {
  // An engine that cannot reach its store does not stop in order.
  storeOfNorth.mend();
  await cleanUp();
  storeOfNorth.stop();
  await stores.stop();
}, START_MS);

async function statesOf(engine: EngineProcess): Promise<Record<string, string>> {
  const answer = await fetch(`${engine.url}/batch/api/cluster`, { headers: { 'x-api-key': SANDBOX_KEY } });
  const { instances } = (await answer.json()) as { instances: { name: string; state: string }[] };
  return Object.fromEntries(instances.map(({ name, state }) => [name, state]));
}

const untilBothLive = () => expect.poll(() => statesOf(south)).toEqual({ north: 'Live', south: 'Live' });

const slotsOf = async (name: string) =>
  (await readFlight()).slots.filter(({ instance }) => instance === name);

const inFlightOn = async (name: string) => (await slotsOf(name)).length;

const untilInFlightOn = (name: string) =>
  expect.poll(() => inFlightOn(name), { interval: 5, timeout: 30_000 }).toBeGreaterThan(0);

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
    await untilInFlightOn(name);
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

const by = (name: string) => [`Picked up by ${name}.`];

/** How a job ended, and who had picked it up. */
const endOf = ({ status, errorCode, history }: DetailedJob) => [
  status,
  errorCode,
  history.filter((entry) => entry.status === 'Processing').map(({ message }) => message),
];

const takenOverJobs = async (api: BatchApi) =>
  (await api.events('?type=JobTakenOver')).items.map(({ jobId }) => jobId).toSorted();

let uploads = 0;

async function uploadOne(api: BatchApi): Promise<string> {
  uploads += 1;
  const content = Buffer.from(`content ${uploads}`);
  const answer = await api.upload({ name: `file-${uploads}.bin`, profile: 'default', content });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as { jobId: string }).jobId;
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
    const uploaded: string[] = [];
    const uploading = forEachConcurrently(8, Array(8).fill(api), async () => {
      while (!isKilled || uploaded.length < MIN_JOBS) uploaded.push(await uploadOne(api));
    });
    const kill = async (): Promise<void> => {
      const completed = () => api.countJobs('?status=Completed');
      await expect.poll(completed, { timeout: 60_000 }).toBeGreaterThan(MIN_COMPLETED);
      await killAmidJobs('north', north);
    };
    await kill().finally(() => {
      isKilled = true;
    });
    await uploading;
    await expect.poll(() => inFlightOn('north'), { timeout: START_MS }).toBe(0);
    await waitUntilFinished(api);

    const { items } = await api.jobs();
    const jobs = await api.details(items.map(({ id }) => id));
    expect(jobs).toHaveLength(uploaded.length);
    const ended = jobs.map(endOf);
    // Each was picked up once.
    for (const each of ended)
      expect([
        ['Completed', null, by('north')],
        ['Completed', null, by('south')],
        ['Failed', 'job.interrupted', by('north')],
      ]).toContainEqual(each);
    const interrupted = jobs.filter(({ status }) => status === 'Failed').map(({ id }) => id);
    expect(interrupted.length).toBeGreaterThan(0);
    expect(await takenOverJobs(api)).toEqual(interrupted.toSorted());
    expect(await statesOf(south)).toEqual({ north: 'Stale', south: 'Live' });

    north = await start('north', storeOfNorth.url, north);
    await untilBothLive();
  },
  3 * START_MS,
);

const toldOfNorth = async (api: BatchApi) =>
  (await api.events('?text=instance north')).items
    .map(({ type }) => type)
    .filter((type) => type.startsWith('Instance'));

/** Cuts an instance off from its store while jobs are in flight on it. Answers these jobs. */
async function cutAmidJobs(name: string, store: StoreProxy): Promise<string[]> {
  for (;;) {
    await untilInFlightOn(name);
    await store.cut();
    const caught = await slotsOf(name);
    if (caught.length > 0) return caught.map(({ jobId }) => jobId);
    store.mend();
  }
}

//   store of north   |-----------|-------------- cut off --------------|----------------------------
//   north            |--signs----|-- its requests hang ---- Stale -----|--resumes--|--late writes: refused--|--signs--|
//   south            |--signs-----------------------|--ends the jobs of north--|--signs alone--|
test(
  'an engine whose store is cut off stands down, loses its jobs to the other once, and resumes',
  async () => {
    await untilBothLive();
    const api = batchApi(south.url);
    const [before, toldBefore] = [await takenOverJobs(api), await toldOfNorth(api)];
    let isCut = false;
    const uploading = forEachConcurrently(4, [1, 2, 3, 4], async () => {
      while (!isCut) await uploadOne(api);
    });
    const caught = await cutAmidJobs('north', storeOfNorth).finally(() => {
      isCut = true;
    });
    await uploading;

    await expect.poll(() => inFlightOn('north'), { timeout: START_MS }).toBe(0);
    expect(await statesOf(south)).toEqual({ north: 'Stale', south: 'Live' });
    expect(await takenOverJobs(api)).toEqual([...before, ...caught].toSorted());
    const meanwhile: string[] = [];
    for (let n = 0; n < MAX_CONCURRENCY; n++) meanwhile.push(await uploadOne(api));
    await waitUntilFinished(api);
    for (const job of await api.details(meanwhile))
      expect(endOf(job)).toEqual(['Completed', null, by('south')]);

    storeOfNorth.mend();
    await expect.poll(() => statesOf(south), { timeout: 90_000 }).toEqual({ north: 'Live', south: 'Live' });
    // The newest is the first.
    const told = ['InstanceResumed', 'InstanceStoodDown', ...toldBefore];
    expect(await toldOfNorth(api)).toEqual(told);
    expect(await takenOverJobs(api)).toEqual([...before, ...caught].toSorted());

    // Alone it has every job to itself.
    south.process.kill('SIGTERM');
    await south.exited;
    const alone = batchApi(north.url);
    expect(await statesOf(north)).toEqual({ north: 'Live', south: 'Stopped' });
    const again = await uploadOne(alone);
    await waitUntilFinished(alone);
    expect((await alone.details([again])).map(endOf)).toEqual([['Completed', null, by('north')]]);
    // Nothing that it still did for these was written.
    for (const job of await alone.details(caught))
      expect(endOf(job)).toEqual(['Failed', 'job.interrupted', by('north')]);
  },
  3 * START_MS,
);
