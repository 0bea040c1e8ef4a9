// A process of the host: it serves HTTP, or brings queues and schedules to their functions.
import type { Socket } from 'node:net';
import { SQSClient } from '@aws-sdk/client-sqs';
import { runStopWork } from '../../../shared/async/on-stop.ts';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { answeredHere } from '../../../shared/embedded/provided.ts';
import { waitingCalls } from '../../../shared/http/middleware/waiting-calls.ts';
import { logger } from '../../../shared/log/logger.ts';
import { shareMetrics } from '../../../shared/metrics/processes.ts';
import { findUnreachable } from '../../../shared/store/availability.ts';
import { recordStart } from '../../../shared/store/start-check.ts';
import { keepEnvironment } from '../../runtime/environment.ts';
import { shareOf } from '../../runtime/events/share.ts';
import { startEventSources } from '../../runtime/events/sources.ts';
import { readTriggers } from '../../runtime/events/triggers.ts';
import { deployedFunctions } from '../../runtime/functions/declared-functions.ts';
import { localInvoker } from '../../runtime/functions/invoke.ts';
import { gatherOutput } from '../../runtime/gather-output.ts';
import { clientReader } from '../../runtime/http/client.ts';
import { serveFunctions } from '../../runtime/http/serve.ts';
import { readDeclared } from '../../runtime/resources/read.ts';
import { measureRegularly, measureWaiting } from '../measure.ts';
import { answerOwnPaths } from '../own-paths.ts';
import { type HostStores, useHostStores } from '../stores.ts';
import type { FromWorker, Role, ToWorker, WorkerOrder } from './orders.ts';

/** Their readiness is red for the life of an instance that began without their store. */
const WITH_READINESS = ['batch', 'compact'] as const;

type Work = {
  readonly hear: (message: ToWorker, socket: Socket | undefined) => void;
  /** Finishes the work that has begun, and takes no more. */
  readonly finish: () => Promise<void>;
};

const log = logger('host');
// A parent that was killed closes the channel before that is known here: a write then fails, and without somebody who is
// told of it, as an error that nobody has caught.
const tell = (message: FromWorker): void =>
  void (process.connected && process.send?.(message, undefined, undefined, () => undefined));

keepEnvironment();
gatherOutput(process.stdout);
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
    measureRegularly(role.kind === 'http' ? () => measureWaiting(waitingCalls()) : undefined);
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
  let isStopping = false;
  const { cert, key } = config.listen;
  const server = await serveFunctions({
    declared: deployedFunctions(root),
    buildDir,
    stage: config.stage,
    clientOf: clientReader(config.trustedProxies),
    report: log.error,
    answerOwnPath: answerOwnPaths({ isStopping: () => isStopping, answerLink }),
    loadsAll: true,
    takesAgents: config.stores === 'embedded',
    tls: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    onClosed: () => tell({ closed: true }),
  });
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

async function bringEvents(
  { root, buildDir, config: { stage } }: WorkerOrder,
  role: Extract<Role, { kind: 'queues' }>,
  { collect }: HostStores,
): Promise<Work> {
  const declared = deployedFunctions(root);
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
