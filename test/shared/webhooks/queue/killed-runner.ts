import { logger } from '../../../../shared/log/logger.ts';
import { createGuardedFetch, type GuardedRequest } from '../../../../shared/net/guarded.ts';
import { runQueue } from '../../../../shared/webhooks/queue/run.ts';
import { POLICY, sealingKey } from '../an-engine.ts';

// Run by kill.test.ts in a process of its own, which kills itself at a moment of its first attempt.
// argv: owner, webhook, and the moment.

const [, , owner = '', webhookId = '', moment] = process.argv;
const die = () => process.kill(process.pid, 'SIGKILL');

const connect = () => {
  const fetch = createGuardedFetch();
  const call = async (request: GuardedRequest) => {
    if (moment === 'before the call') die();
    const answering = fetch(request);
    if (moment === 'during the call') setTimeout(die, 200);
    const answer = await answering;
    if (moment === 'after the answer') die();
    return answer;
  };
  return Object.assign(call, { close: fetch.close });
};

const engine = {
  service: 'documents',
  queue: 'webhooks',
  policy: () => POLICY,
  sealingKey,
  connect,
} as const;
await runQueue(engine, { owner, webhookId }, 'new', 'quick', logger('documents'));
