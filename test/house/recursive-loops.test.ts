import { readFileSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { describe, expect, test } from 'vitest';
import { functionFiles } from '../../infra/build/function-files.ts';
import { declaredFunctions } from './functions.ts';
import { imports } from './imports.ts';

// Lambda ends a chain of a function that sends to the queue it consumes, after about 16 messages, and moves the message
// to the dead-letter queue, unless the function is declared `recursiveLoop: Allow`. No emulator of SQS does so.

const sources = functionFiles();
const consumers = declaredFunctions()
  .filter(({ events }) => events.some(({ sqs }) => sqs))
  .map((declared) => ({
    ...declared,
    path: sources.find(({ service, name }) => `${service}/${name}` === declared.name)?.path ?? '',
  }));

/** The code that a worker can reach, and nothing else: esbuild leaves out the functions that nobody calls. */
async function reachableCode(path: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
    define: { SINETE_ASSETS: '{}' },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** The names in the `queue` of a consumer by which other code would send to it: `TASKS_QUEUE`, `queueOf`. */
function queueNames(path: string): string[] {
  const [, expression = ''] = /\bqueue: ([^\n]*?),? ?(?:\n|message:)/.exec(readFileSync(path, 'utf8')) ?? [];
  return [...expression.matchAll(/\w*queue\w*/gi)].map(([name]) => name);
}

/** Whether code beside the worker names the worker's queue: its declaration and the worker itself are two places. */
async function sendsToItself(path: string): Promise<boolean> {
  const code = await reachableCode(path);
  const names = queueNames(path);
  expect(names, `${path} names its queue by a constant or a function`).not.toEqual([]);
  return names.some((name) => [...code.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 2);
}

describe('a consumer of a queue', () => {
  test.each(consumers)(
    '$name is declared recursive if and only if it sends to its own queue',
    async (worker) => {
      expect(worker.recursiveLoop === 'Allow').toBe(await sendsToItself(worker.path));
    },
  );

  test('has such ones: the deletion of a folder goes on in further messages', () => {
    expect(consumers.filter(({ recursiveLoop }) => recursiveLoop).map(({ name }) => name)).toContain(
      'documents/run-task',
    );
  });

  // The outbox sends what it has recorded; an attempt of a webhook is sent beside its record; a tick
  // carries no work; a verdict stays due until it is renewed; a job waits in the store, and every tick looks for it; every
  // minute has its own scans of folders and looks at the external service; whose link to log in is lost asks again.
  const RECORDED = [
    'functions/batch/external-signer/domain/signer-message.ts',
    'functions/batch/folders/domain/schedule-scans.ts',
    'functions/batch/jobs/domain/job/create-job.ts',
    'functions/session/domain/renew-verdicts.ts',
    'shared/members/request-log-in-link.ts',
    'shared/queue/outbox.ts',
    'shared/queue/ticks.ts',
    'shared/webhooks/deliveries/delivery-message.ts',
  ];

  test('sends through the outbox, so that no message of a chain is lost with its worker', () => {
    const senders = imports().filter(({ to }) => to === 'shared/queue/send.ts');
    expect(senders.map(({ from }) => from).toSorted()).toEqual(RECORDED);
  });
});
