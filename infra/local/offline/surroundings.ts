// All that the functions need besides a gateway, in the process of serverless-offline: stores, mailbox, queues, schedules.
import { join } from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { runStopWork } from '../../../shared/async/on-stop.ts';
import { answeredHere } from '../../../shared/embedded/provided.ts';
import { logger } from '../../../shared/log/logger.ts';
import { LOCAL_STAGE } from '../../../shared/settings/names.ts';
import { startEventSources } from '../../runtime/events/sources.ts';
import { readTriggers } from '../../runtime/events/triggers.ts';
import { readFunctions, requireBundles } from '../../runtime/functions/declared-functions.ts';
import { localInvoker } from '../../runtime/functions/invoke.ts';
import { readDeclared } from '../../runtime/resources/read.ts';
import { buildFunctions } from '../engine/build-cache.ts';
import { openDataFolder } from '../engine/data-folder.ts';
import { removeEngine, writeEngine } from '../engine/engine-file.ts';
import { enterLocalStage } from '../engine/environment.ts';
import { requirePort } from '../engine/ports.ts';
import { stepPrinter } from '../engine/progress.ts';
import { externalEndpoints, readAwsOptions } from '../stores/endpoints.ts';
import { startMailbox } from '../stores/mailbox.ts';
import { startStores } from '../stores/stores.ts';
import { defaultDataDir, HOST, type OfflineOptions } from './options.ts';

export type Surroundings = {
  readonly url: string;
  /** The folder of the built functions. */
  readonly buildDir: string;
  /** Brings queues and schedules to their functions, once these can be called. */
  readonly startEvents: () => Promise<void>;
  /** Takes no more events, and waits for those in work. */
  readonly stopEvents: () => Promise<void>;
  /** Closes the rest. No function may be called any more. */
  readonly stop: () => Promise<void>;
};

type Print = (line: string) => void;

/**
 * Starts what `npm start` starts around its server. Where a part cannot, those before it are stopped.
 * @example const { buildDir, startEvents } = await startSurroundings(readOptions({}, root), root, print);
 */
export async function startSurroundings(
  options: OfflineOptions,
  root: string,
  print: Print,
): Promise<Surroundings> {
  // The last one first.
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    return { ...(await start(options, root, print, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { httpPort, websocketPort, lambdaPort, dataDir, fresh }: OfflineOptions,
  root: string,
  print: Print,
  stops: (() => unknown)[],
): Promise<Omit<Surroundings, 'stop'>> {
  const { env } = process;
  const step = stepPrinter(print);
  const url = `http://localhost:${httpPort}`;
  const external = externalEndpoints(env);
  const strict = readAwsOptions(env);
  env.Agents__SocketUrl ??= `ws://localhost:${websocketPort}`;
  // The SDK's own variable. serverless-offline takes messages for its connections at the port that has them.
  env.AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI = `http://${HOST}:${websocketPort}`;
  enterLocalStage({ url, dataDir, external });
  // Lambda sets none.
  delete env.NODE_ENV;
  const { checkAllSettings } = await import('../../settings.ts');
  await checkAllSettings();
  for (const port of [httpPort, websocketPort, lambdaPort])
    await requirePort(port, { another: 'npx serverless offline --httpPort 4200' });

  const data = await openDataFolder({
    dir: dataDir,
    port: httpPort,
    fresh,
    defaultDir: defaultDataDir(root),
  });
  stops.push(data.release);
  const declared = readDeclared(root, LOCAL_STAGE);
  const functions = readFunctions(root);
  const triggers = readTriggers(functions, LOCAL_STAGE, declared);
  const build = buildFunctions({ root, ownDir: join(dataDir, 'build') }, (compiler) => {
    stops.push(() => compiler.stop());
  });
  const building = step('Functions built', build);
  // Awaited below. Until then a failure is not an unhandled one.
  building.catch(() => undefined);
  const stores = await startStores({ declared, dataDir, external, strict, step });
  stops.push(stores.stop, () => recordStop());
  Object.assign(env, stores.env);
  const mailbox = await startMailbox(env);
  stops.push(mailbox.stop, runStopWork);
  Object.assign(env, mailbox.env);
  const buildDir = await building;
  requireBundles(functions, buildDir);

  let sources: { stop(): Promise<void> } | undefined;
  return {
    url,
    buildDir,
    async startEvents() {
      sources = await startEventSources(triggers, {
        // Not the functions' own client, which gives up long before a long poll ends.
        sqs: answeredHere('queues', new SQSClient({ useQueueUrlAsEndpoint: false })),
        invoke: localInvoker(functions, LOCAL_STAGE, buildDir),
        account: env.AWS_ACCOUNT_ID ?? '',
        region: env.AWS_REGION ?? '',
        anchorMs: data.createdAtMs,
        report: logger('engine').error,
      });
      writeEngine(dataDir, {
        pid: process.pid,
        port: httpPort,
        url,
        env: { STAGE: LOCAL_STAGE, ...stores.env },
      });
      stops.push(() => removeEngine(dataDir));
    },
    stopEvents: async () => sources?.stop(),
  };
}

/** Tells the batch service's event log of an orderly stop. A stop goes on without it. */
async function recordStop(): Promise<void> {
  const { recordServiceStopped } = await import(
    '../../../functions/batch/installation/cluster/domain/stop-instance.ts'
  );
  await recordServiceStopped(Date.now()).catch(() => undefined);
}
