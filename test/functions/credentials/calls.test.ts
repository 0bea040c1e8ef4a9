import { afterAll, expect, test, vi } from 'vitest';
import { TASKS_QUEUE } from '../../../functions/credentials/flows/domain/tasks.ts';
import { WEBHOOKS_QUEUE } from '../../../functions/credentials/webhooks/domain/engine.ts';
import { handler as deliverWebhooks } from '../../../functions/credentials/workers/deliver-webhooks.ts';
import { handler as runTask } from '../../../functions/credentials/workers/run-task.ts';
import { WEBHOOKS_QUEUE as PLATFORM_WEBHOOKS } from '../../../functions/documents/domain/document/webhook-engine.ts';
import { handler as deliverEvents } from '../../../functions/documents/workers/deliver-webhooks.ts';
import { forFile } from '../../runner/for-file.ts';
import { startServer } from '../../shared/net/a-server.ts';
import { runTasks } from '../documents/stage/run-tasks.ts';
import { drainQueue } from '../drain-queue.ts';
import { always, callLimits } from '../limit-calls.ts';
import { ANA, BRUNO, flowStage } from './flows/stage.ts';

const { requireAtMost, save } = callLimits();

const receiver = await forFile(startServer((_, response) => void response.end()));
const stage = await forFile(flowStage({ webhookUrl: receiver.url }));
await forFile(stage.listen());
// Other degrees keep the process warm, also in the minute that this one waits.
vi.stubEnv('Access__CacheSeconds', '300');
// One commit in 32 folds a ledger. These do not.
vi.spyOn(Math, 'random').mockReturnValue(0.9);
afterAll(() => save('credentials'));

const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
const tasks = () => drainQueue('credentials', TASKS_QUEUE, runTask);
const ownWebhooks = () => drainQueue('credentials', WEBHOOKS_QUEUE, deliverWebhooks);
const platformEvents = () => drainQueue('documents', PLATFORM_WEBHOOKS, deliverEvents);

/** A degree from its creation to the webhook of its conclusion. The events of all signatures arrive together. */
async function issueDegree(): Promise<void> {
  const { id } = await stage.create();
  await ownWebhooks();
  await tasks();
  await platformEvents();
  for (const documentId of await stage.documentsOf(id))
    for (const cpf of [ANA, BRUNO]) await stage.sign(documentId, cpf);
  await runTasks();
  await platformEvents();
  wait(2);
  stage.platform.calls.length = 0;
  expect(await tasks()).toEqual([{ task: 'event', kind: 'degree', id }]);
  expect(stage.platform.calls.filter((call) => call.endsWith('/content'))).toHaveLength(2);
  await ownWebhooks();
  // The events of the conclusions come a minute later, and find nothing to do.
  wait(60);
  expect(await platformEvents()).toHaveLength(2);
  wait(2);
  expect(await tasks()).toEqual([]);
}

test('a degree of two files and two signers takes at most 111 calls of all services, and one look for all its events', () =>
  requireAtMost(
    { calls: 111, items: 126 },
    'credentials: a degree, 2 files, 2 signers',
    always(issueDegree),
    // The hosts' receives and deletes, and this test's own read.
    { ReceiveMessage: Infinity, DeleteMessage: Infinity, GetItem: 1 },
    { warmUps: 1, rounds: 3, varyBy: 3 },
  ));
