import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { commandFor } from '../../../cli/admin/commands.ts';
import { createDeclared } from '../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import { queueUrl, sqs } from '../../../shared/queue/client.ts';
import { sendToDeadLetter } from '../../../shared/queue/dead-letter.ts';
import { queueName, type ServiceName } from '../../../shared/settings/names.ts';
import { ownStores } from '../../functions/own-stores.ts';
import { command } from '../../infra/child.ts';

let stop: () => Promise<void>;

beforeAll(async () => {
  stop = await ownStores();
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => stop());

const NONE = { permissions: [], expires: undefined, identifier: undefined, owner: undefined };
const PIN = { file: undefined, variable: undefined };

/** What a command says when done, run in this process. */
const done = (service: ServiceName, words: readonly string[], dryRun = false): Promise<string> => {
  const { run, rest } = commandFor(words);
  return run({ ...NONE, pin: PIN, service, dryRun }, ...rest);
};

const FAILED_AT_MS = Date.UTC(2026, 10, 15, 12);

const bury = async (service: ServiceName, queue: string, bodies: readonly string[]): Promise<void> => {
  for (const body of bodies) {
    const letter = { body, messageId: body, dedupe: `of-${body}` };
    await sendToDeadLetter(service, queue, letter, {
      reason: 'Failed 5 times.',
      attempts: 5,
      failedAtMs: FAILED_AT_MS,
    });
  }
};

async function take(service: ServiceName, queue: string) {
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl: await queueUrl(queueName(service, queue)),
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages.map(({ Body, MessageAttributes }) => ({
    body: Body,
    attributes: Object.keys(MessageAttributes ?? {}),
    dedupe: MessageAttributes?.dedupe?.StringValue,
  }));
}

describe('npm run admin -- queues list', () => {
  test('shows every queue with its messages and dead letters, and looking changes nothing', async () => {
    await bury('documents', 'uploads', ['a', 'b']);
    const QueueUrl = await queueUrl(queueName('documents', 'uploads'));
    await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: 'c' }));
    const lines = (await done('documents', ['queues', 'list'])).split('\n');
    expect(await done('documents', ['queues', 'list'])).toBe(lines.join('\n'));
    expect(lines.map((line) => line.split('  ')[0])).toEqual([
      'documents generations',
      'documents mail',
      'documents schedule-dead',
      'documents tasks',
      'documents uploads',
      'documents webhooks',
      'documents webhooks-slow',
    ]);
    expect(lines).toContain('documents tasks  0 waiting, 0 in work, 0 delayed; dead letters: 0');
    const uploads = lines.find((line) => line.startsWith('documents uploads')) ?? '';
    const [, oldest = ''] = /1 waiting, .*; dead letters: 2 \(oldest seen: (.*)\)$/.exec(uploads) ?? [];
    expect(Math.abs(Date.parse(oldest) - Date.now())).toBeLessThan(60_000);
  });

  test('shows those of every service unless one is named', async () => {
    const admin = command('cli/admin/admin.ts');
    const [all, one] = await Promise.all([
      admin('queues', 'list'),
      admin('queues', 'list', '--service', 'pki'),
    ]);
    expect(all.out).toContain('The hub service has no queues.');
    expect(all.out).toContain('documents webhooks  ');
    expect(all.out).toContain(one.out);
    expect(one.out.split('\n')).toEqual([
      'pki schedule-dead  0',
      'pki signature-sessions  0 waiting, 0 in work, 0 delayed; dead letters: 0',
      'pki webhooks  0 waiting, 0 in work, 0 delayed; dead letters: 0',
      'pki webhooks-slow  0 waiting, 0 in work, 0 delayed; dead letters: 0',
    ]);
  });
});

describe('npm run admin -- queues redrive', () => {
  test('moves the dead letters back to their queue, without the reason of the last time', async () => {
    const bodies = Array.from({ length: 12 }, (_, at) => `{"at":${at}}`);
    await bury('documents', 'tasks', bodies);
    const what = '12 messages of sinete-local-documents-tasks-dead back to sinete-local-documents-tasks.';
    expect(await done('documents', ['queues', 'redrive', 'tasks'], true)).toBe(`Would move ${what}`);
    expect(await done('documents', ['queues', 'redrive', 'tasks'])).toBe(`Moved ${what}`);
    expect(await done('documents', ['queues', 'redrive', 'tasks'])).toBe(
      'sinete-local-documents-tasks-dead is empty: there is nothing to move.',
    );
    const moved = [...(await take('documents', 'tasks')), ...(await take('documents', 'tasks'))];
    expect(moved.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted());
    for (const { body, attributes, dedupe } of moved)
      expect({ attributes, dedupe }).toEqual({ attributes: ['dedupe'], dedupe: `of-${body}` });
  });

  test('has SQS move them on a deployed stage', async () => {
    vi.stubEnv('STAGE', 'prod');
    await createDeclared(readDeclared(process.cwd(), 'prod'));
    await bury('pki', 'signature-sessions', ['x']);
    const asked: unknown[] = [];
    sqs().middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== 'StartMessageMoveTaskCommand') return next(args);
          asked.push(args.input); // not every store has this call
          return { output: { $metadata: {} }, response: {} };
        },
      { step: 'initialize', name: 'moving' },
    );
    expect(await done('pki', ['queues', 'redrive', 'signature-sessions'])).toBe(
      'SQS is moving 1 message of sinete-prod-pki-signature-sessions-dead back to sinete-prod-pki-signature-sessions. What is left: queues list --service pki',
    );
    sqs().middlewareStack.remove('moving');
    expect(asked).toEqual([
      {
        SourceArn: expect.stringMatching(/:sinete-prod-pki-signature-sessions-dead$/),
        DestinationArn: expect.stringMatching(/:sinete-prod-pki-signature-sessions$/),
      },
    ]);
  });

  test.each([
    ['a queue that is not there', 'nothing', /^There is no queue "nothing" with dead letters in documents\./],
    ['the dead letters of schedules', 'schedule', /keeps scheduled runs that failed. They are not run again/],
  ])('says no to %s', async (_, queue, complaint) => {
    await expect(done('documents', ['queues', 'redrive', queue])).rejects.toThrow(complaint);
  });

  test('asks for the service', async () => {
    const { code, error } = await command('cli/admin/admin.ts')('queues', 'redrive', 'tasks');
    expect([code, error]).toEqual([1, expect.stringMatching(/^Name a --service: session, hub, pki, batch/)]);
  });
});
