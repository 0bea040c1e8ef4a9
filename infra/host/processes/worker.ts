// A process of the host: it serves HTTP, or brings queues and schedules to their functions.
import type { Socket } from 'node:net';
import { SQSClient } from '@aws-sdk/client-sqs';
import { runStopWork } from '../../../shared/async/on-stop.ts';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { answeredHere } from '../../../shared/embedded/provided.ts';
import { logger } from '../../../shared/log/logger.ts';
import { shareMetrics } from '../../../shared/metrics/processes.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import { checkReachable, findUnreachable } from '../../../shared/store/availability.ts';
import { recordStart } from '../../../shared/store/start-check.ts';
import { shareOf } from '../../runtime/events/share.ts';
import { startEventSources } from '../../runtime/events/sources.ts';
import { readTriggers } from '../../runtime/events/triggers.ts';
import { functionLoader, localInvoker } from '../../runtime/functions/invoke.ts';
import { clientReader } from '../../runtime/http/client.ts';
import { createHandler } from '../../runtime/http/handle.ts';
import { createRouter } from '../../runtime/http/router.ts';
import { hostFunctions, routesOf } from '../../runtime/http/routes.ts';
import { startServer } from '../../runtime/http/server.ts';
import { readDeclared } from '../../runtime/resources/read.ts';
import { socketFunction } from '../../runtime/sockets/function.ts';
import { startSocketGateway } from '../../runtime/sockets/gateway.ts';
import { type HostStores, useHostStores } from '../stores.ts';
import type { FromWorker, Role, ToWorker, WorkerOrder } from './orders.ts';

/** Their readiness is red for the life of an instance that began without their store. */
const WITH_READINESS = ['batch', 'compact'] as const;
/** How long an answer about the stores counts. Probes may come often, and from several places. */
const READINESS_KEPT_MS = 1_000;

type Work = {
  readonly hear: (message: ToWorker, socket: Socket | undefined) => void;
  /** Finishes the work that has begun, and takes no more. */
  readonly finish: () => Promise<void>;
};

const log = logger('host');
const tell = (message: FromWorker): void => void (process.connected && process.send?.(message));

// The parent decides when a worker ends. A signal to the whole group must not be quicker.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
// However the parent ends, kill -9 included.
process.on('disconnect', () => process.exit(0));
process.on('warning', (warning) => log.warn('warning of Node', { error: warning }));
// One function's mistake. The calls of all others go on.
process.on('unhandledRejection', (error) => log.error('promise rejected and not handled', { error }));
process.on('uncaughtException', (error) => {
  log.error('error not caught', { error });
  process.exit(1);
});

let work: Promise<Work> | undefined;
process.on('message', (message: ToWorker, socket: Socket | undefined) => {
  if ('order' in message) work = begin(message.order);
  else void work?.then(({ hear }) => hear(message, socket));
});

async function begin(order: WorkerOrder): Promise<Work> {
  try {
    process.chdir(order.root);
    const stores = useHostStores(order.config);
    shareMetrics();
    const { role } = order;
    const begun = role.kind === 'http' ? await serve(order, stores) : await bringEvents(order, role, stores);
    tell({ ready: true });
    const finish = async () => {
      await begun.finish();
      await runStopWork();
      stores.close();
      process.exit(0);
    };
    return {
      ...begun,
      hear: (message, socket) => ('finish' in message ? void finish() : begun.hear(message, socket)),
    };
  } catch (error) {
    tell({ failed: reasonOf(error) });
    log.error('worker did not start', { error });
    process.exit(1);
  }
}

async function serve({ root, buildDir, config }: WorkerOrder, { answerLink }: HostStores): Promise<Work> {
  recordStart({ unreachable: await findUnreachable(WITH_READINESS) });
  const declared = hostFunctions(root);
  const routes = routesOf(declared);
  const load = functionLoader(declared, buildDir);
  // All of them now: a worker that is ready answers its first call as fast as any other.
  await Promise.all([...new Set(routes.map(({ key }) => key))].map(load));
  let isStopping = false;
  const handle = createHandler({
    stage: config.stage,
    find: createRouter(routes),
    load,
    clientOf: clientReader(config.trustedProxies),
    whyNotReady: async () => (isStopping ? ['The host is stopping.'] : whyNotReady()),
    answerLink,
  });
  const sockets =
    config.stores === 'embedded'
      ? await startSocketGateway({
          invoke: socketFunction(buildDir),
          report: (error) => log.error('WebSocket event failed', { error }),
        })
      : undefined;
  const { cert, key } = config.listen;
  const tls = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  const server = startServer({ tls, handle, sockets, onClosed: () => tell({ closed: true }) });
  return {
    hear(message, socket) {
      if ('take' in message) {
        tell({ taken: true });
        // It may have ended on its way.
        if (socket) server.take(socket);
        else tell({ closed: true });
      } else if ('announceStop' in message) {
        isStopping = true;
        server.closeAfterAnswers();
      } else if ('renewCertificate' in message) server.renewCertificate();
    },
    finish: server.drain,
  };
}

let known: { readonly atMs: number; readonly reasons: Promise<readonly string[]> } | undefined;

/** A line for each service whose store does not answer. */
function whyNotReady(): Promise<readonly string[]> {
  if (!known || Date.now() - known.atMs > READINESS_KEPT_MS) known = { atMs: Date.now(), reasons: look() };
  return known.reasons;
}

async function look(): Promise<string[]> {
  const found = await Promise.all(
    SERVICES.map(async (service) => ({ service, ...(await checkReachable(service)) })),
  );
  return found.flatMap(({ service, ok, detail }) => (ok ? [] : [`${service}: ${detail}`]));
}

async function bringEvents(
  { root, buildDir, config: { stage } }: WorkerOrder,
  role: Extract<Role, { kind: 'queues' }>,
  { collect }: HostStores,
): Promise<Work> {
  const declared = hostFunctions(root);
  const triggers = readTriggers(declared, stage, readDeclared(root, stage));
  const sources = await startEventSources(shareOf(triggers, role), {
    // Not the functions' own client, which gives up long before a long poll ends.
    sqs: answeredHere('queues', new SQSClient({ useQueueUrlAsEndpoint: false })),
    invoke: localInvoker(declared, stage, buildDir),
    account: process.env.AWS_ACCOUNT_ID ?? '',
    region: process.env.AWS_REGION ?? '',
    // Rates follow the clock of the wall: a host that starts again goes on where it was.
    anchorMs: 0,
    report: (line) => log.error(line),
  });
  const collector = role.index === 0 ? collect() : undefined;
  return {
    hear: () => undefined,
    async finish() {
      await sources.stop();
      await collector?.stop();
    },
  };
}
