import { join } from 'node:path';
import { LOCAL_STAGE } from '../../../shared/settings/names.ts';
import { readTriggers } from '../../runtime/events/triggers.ts';
import { readFunctions, requireBundles } from '../../runtime/functions/declared-functions.ts';
import { openMetricsFolder } from '../../runtime/http/metrics.ts';
import { readDeclared } from '../../runtime/resources/read.ts';
import { externalEndpoints, readAwsOptions } from '../stores/endpoints.ts';
import { type Mailbox, startMailbox } from '../stores/mailbox.ts';
import { type Stores, startStores } from '../stores/stores.ts';
import { buildFunctions, CACHE } from './build-cache.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { removeEngine, writeEngine } from './engine-file.ts';
import { enterLocalStage, environmentOfFunctions } from './environment.ts';
import type { EventsOrder } from './events-process.ts';
import { defaultDataDir, type Flags } from './flags.ts';
import { type Log, openLog } from './log.ts';
import { type Member, scriptOf, startMember } from './members.ts';
import { requirePort } from './ports.ts';
import { banner, stepPrinter } from './progress.ts';
import { removeReadyFile, requireAnswers, requireReadyFile, writeReadyFile } from './readiness.ts';
import type { RoutesOrder } from './routes-process.ts';

/** Their readiness is red for the life of an instance that began without their store. */
const WITH_READINESS = ['batch', 'compact'] as const;
/** Of queues and schedules. One would keep only one core busy with signing. */
const EVENT_PROCESSES = 2;

type Parts = {
  data?: DataFolder;
  log?: Log;
  compiler?: { stop(): Promise<void> };
  stores?: Stores;
  mailbox?: Mailbox;
  routes?: Member<RoutesOrder>;
  events?: readonly Member<EventsOrder>[];
  metrics?: { remove(): void };
};

export type Engine = {
  /** Resolves when the first request would succeed, or rejects with the reason why not. */
  ready: Promise<void>;
  /** Resolves with a line if the functions' process ends by itself. */
  died: Promise<string>;
  /** Stops the parts that have been started, the outermost first. */
  stop(): Promise<void>;
};

/**
 * Starts everything that one machine needs to run Sinete: stores, functions, queues and schedules.
 * @example const engine = startEngine(readFlags(argv, root), root, console.log); await engine.ready
 */
export function startEngine(flags: Flags, root: string, print: (line: string) => void): Engine {
  const parts: Parts = {};
  const died = Promise.withResolvers<string>();
  const failed = died.promise.then((line) => Promise.reject(new Error(line)));
  return {
    ready: Promise.race([start(parts, flags, root, print, died.resolve), failed]),
    died: died.promise,
    stop: () => stop(parts, flags),
  };
}

async function start(
  parts: Parts,
  flags: Flags,
  root: string,
  print: (line: string) => void,
  died: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  const step = stepPrinter(print);
  const { port, dataDir, fresh, readyFile } = flags;
  const url = `http://localhost:${port}`;
  requireReadyFile(readyFile);
  const external = externalEndpoints(process.env);
  const strict = readAwsOptions(process.env);
  enterLocalStage({ url, dataDir, external });
  const { checkAllSettings, unknownSettings } = await import('../../settings.ts');
  await checkAllSettings();

  const data = await openDataFolder({ dir: dataDir, port, fresh, defaultDir: defaultDataDir(root) });
  parts.data = data;
  removeReadyFile(readyFile);
  const log = openLog(join(dataDir, 'engine.log'), print);
  parts.log = log;
  await requirePort(port);
  for (const line of await unknownSettings(process.env)) print(`Warning: ${line}`);
  print(`Starting Sinete on ${url} …`);

  parts.metrics = openMetricsFolder();
  const env = environmentOfFunctions(process.env);
  const options = { root, cacheDir: join(root, CACHE), env, log, print };
  const routes = startMember<RoutesOrder>("The functions' process", scriptOf('routes'), options);
  parts.routes = routes;
  routes.died.then(died);

  const declared = readDeclared(root, LOCAL_STAGE);
  const functions = readFunctions(root);
  // What cannot be served is told before anything is built.
  readTriggers(functions, LOCAL_STAGE, declared);
  const compiling = buildFunctions({ root, ownDir: join(dataDir, 'build') }, (compiler) => {
    parts.compiler = compiler;
  });
  const building = step('Functions built', compiling);
  // Awaited below. Until then a failure is not an unhandled one.
  building.catch(() => undefined);
  const stores = await startStores({ declared, dataDir, external, strict, step });
  parts.stores = stores;
  const mailbox = await startMailbox(process.env);
  parts.mailbox = mailbox;
  const buildDir = await building;
  requireBundles(functions, buildDir);
  const { findUnreachable } = await import('../../../shared/store/availability.ts');
  const unreachable = await findUnreachable(WITH_READINESS);
  const order = { root, buildDir, env: { ...stores.env, ...mailbox.env } };
  await step('Functions served', routes.begin({ ...order, port, unreachable }));

  const events = Array.from({ length: EVENT_PROCESSES }, () =>
    startMember<EventsOrder>('A process of queues and schedules', scriptOf('events'), options),
  );
  parts.events = events;
  for (const member of events) member.died.then(died);
  const share = (index: number) => ({ index, of: EVENT_PROCESSES });
  await Promise.all(
    events.map((member, index) =>
      member.begin({ ...order, anchorMs: data.createdAtMs, share: share(index) }),
    ),
  );
  writeEngine(dataDir, { pid: process.pid, port, url, env: { STAGE: LOCAL_STAGE, ...stores.env } });
  await step('Every service answers', requireAnswers(url));
  print(banner({ url, dataDir, logPath: log.path, seconds: (performance.now() - startedAt) / 1000 }));
  writeReadyFile(readyFile, url);
}

async function stop(
  { routes, events, compiler, mailbox, stores, metrics, log, data }: Parts,
  { dataDir, readyFile }: Flags,
) {
  if (events) {
    removeEngine(dataDir);
    removeReadyFile(readyFile);
    await Promise.all(events.map((member) => member.stop()));
  }
  await compiler?.stop();
  await routes?.stop();
  await mailbox?.stop();
  await recordShutdown(stores !== undefined);
  await stores?.stop();
  metrics?.remove();
  await log?.close();
  data?.release();
}

/** Tells the batch service's event log of an orderly stop. A stop goes on without it. */
async function recordShutdown(hasStores: boolean): Promise<void> {
  if (!hasStores) return;
  const { recordServiceStopped } = await import(
    '../../../functions/batch/installation/cluster/domain/stop-instance.ts'
  );
  await recordServiceStopped(Date.now()).catch(() => undefined);
}
