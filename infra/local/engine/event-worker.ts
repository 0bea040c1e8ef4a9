// A process of the queues and schedules of the local engine: it brings their events to the functions, which run in it.
// Uploads and pages are another process's.
import { SQSClient } from '@aws-sdk/client-sqs';
import { runStopWork } from '../../../shared/async/on-stop.ts';
import { answeredHere } from '../../../shared/embedded/provided.ts';
import { shareMetrics } from '../../../shared/metrics/processes.ts';
import { LOCAL_STAGE } from '../../../shared/settings/names.ts';
import { type Share, shareOf } from '../../runtime/events/share.ts';
import { startEventSources } from '../../runtime/events/sources.ts';
import { readTriggers } from '../../runtime/events/triggers.ts';
import { readFunctions } from '../../runtime/functions/declared-functions.ts';
import { localInvoker } from '../../runtime/functions/invoke.ts';
import { readDeclared } from '../../runtime/resources/read.ts';
import { useStores } from '../stores/endpoints.ts';

/** Rates count from `anchorMs`. */
export type WorkerOrder = {
  readonly root: string;
  readonly buildDir: string;
  readonly env: Record<string, string>;
  readonly anchorMs: number;
  readonly share: Share;
};

// However the engine ends, kill -9 included, the channel to it closes.
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches every process. The engine says when the events in progress have had their time.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.once('message', async ({ root, buildDir, env, anchorMs, share }: WorkerOrder) => {
  useStores(env);
  shareMetrics();
  const functions = readFunctions(root);
  const triggers = readTriggers(functions, LOCAL_STAGE, readDeclared(root, LOCAL_STAGE));
  const sources = await startEventSources(shareOf(triggers, share), {
    // Not the functions' own client, which gives up long before a long poll ends.
    sqs: answeredHere('queues', new SQSClient({ useQueueUrlAsEndpoint: false })),
    invoke: localInvoker(functions, LOCAL_STAGE, buildDir),
    account: env.AWS_ACCOUNT_ID ?? '',
    region: env.AWS_REGION ?? '',
    anchorMs,
    report: (line) => console.error(`✖ ${line}`),
  });
  process.once('message', async () => {
    await sources.stop();
    await runStopWork();
    process.exit(0);
  });
  process.send?.({ ready: true });
});
