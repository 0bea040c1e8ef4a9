import '../../../stores/child-stores.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { createGuardedFetch } from '../../../../shared/net/guarded.ts';
import type { GuardedRequest } from '../../../../shared/net/request.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { runMessage } from '../../../../shared/webhooks/queue/run.ts';
import { POLICY } from '../an-engine.ts';

// Run by kill.test.ts in a process of its own, which is killed at a moment of its first attempt.
// argv: owner, webhook, event, the moment.

const [, , owner = '', webhookId = '', eventId = '', moment] = process.argv;
const die = () => process.kill(process.pid, 'SIGKILL');

const connect = () => {
  const fetch = createGuardedFetch();
  const call = async (request: GuardedRequest) => {
    if (moment === 'before the call') die();
    // The receiver kills the process by this id, when it has the request.
    const headers = { ...request.headers, 'runner-pid': String(process.pid) };
    const answer = await fetch({ ...request, headers });
    if (moment === 'after the answer') die();
    return answer;
  };
  return Object.assign(call, { close: fetch.close });
};

dynamo().middlewareStack.add(
  (next, { commandName }) =>
    async (args) => {
      const result = await next(args);
      if (moment === 'after the commit' && commandName === 'TransactWriteItemsCommand') die();
      return result;
    },
  { step: 'initialize' },
);

const engine = {
  service: 'documents',
  queue: 'webhooks',
  policy: () => POLICY,
  // On a busy machine the call may last long before the kill. The webhook is no slow one by that.
  pacing: { slowAfterMs: 600_000 },
  connect,
} as const;
const message = { owner, webhookId, eventId, attempt: 1 };
await runMessage(engine, 'quick', message, { logger: logger('documents'), record: undefined });
