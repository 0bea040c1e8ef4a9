// A process of the queues and schedules: it brings their events to the functions. Uploads and pages are another process's.
import { SQSClient } from '@aws-sdk/client-sqs';
import { answeredHere } from '../../../shared/embedded/provided.ts';
import { logger } from '../../../shared/log/logger.ts';
import { LOCAL_STAGE } from '../../../shared/settings/names.ts';
import { type Share, shareOf } from '../../runtime/events/share.ts';
import { startEventSources } from '../../runtime/events/sources.ts';
import { readTriggers } from '../../runtime/events/triggers.ts';
import { readFunctions } from '../../runtime/functions/declared-functions.ts';
import { localInvoker } from '../../runtime/functions/invoke.ts';
import { readDeclared } from '../../runtime/resources/read.ts';
import { joinEngine, type MemberOrder } from './member.ts';

/** Rates count from `anchorMs`. */
export type EventsOrder = MemberOrder & { readonly anchorMs: number; readonly share: Share };

const log = logger('engine');

joinEngine(async ({ root, buildDir, env, anchorMs, share }: EventsOrder) => {
  const functions = readFunctions(root);
  const triggers = readTriggers(functions, LOCAL_STAGE, readDeclared(root, LOCAL_STAGE));
  const sources = await startEventSources(shareOf(triggers, share), {
    // Not the functions' own client, which gives up long before a long poll ends.
    sqs: answeredHere('queues', new SQSClient({ useQueueUrlAsEndpoint: false })),
    invoke: localInvoker(functions, LOCAL_STAGE, buildDir),
    account: env.AWS_ACCOUNT_ID ?? '',
    region: env.AWS_REGION ?? '',
    anchorMs,
    report: log.error,
  });
  return sources.stop;
});
