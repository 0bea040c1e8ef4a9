import { send } from '../queue/send.ts';
import { dueMessage } from '../store/due/message.ts';
import type { Write } from '../store/write.ts';
import { nowOf, type WebhookEngine } from './engine.ts';
import { HEAD_START_MS, MAX_QUEUE_DELAY_MS, queueOf, type Wake } from './wake-up.ts';

/** Wakes webhooks once what they are to be told is committed. */
export type Waking = {
  /** Goes into the commit, so that the webhooks are woken even if nobody lives to call `send`. */
  readonly writes: readonly Write[];
  /** Right after the commit. Never throws: what it does not manage, the sweeper does. */
  readonly send: () => Promise<void>;
};

/** The wake-up of some webhooks of one owner, now or after a delay. */
export function waking(
  engine: WebhookEngine,
  owner: string,
  webhooks: readonly { readonly id: string }[],
  delaySeconds = 0,
): Waking {
  if (webhooks.length === 0) return { writes: [], send: async () => {} };
  const { service } = engine;
  const queue = queueOf(engine, 'quick');
  const body: Wake = { owner, webhookIds: webhooks.map(({ id }) => id), look: 'new' };
  const dueAtMs = nowOf(engine) + delaySeconds * 1000 + HEAD_START_MS;
  const due = dueMessage({ service, queue, body, dueAtMs });
  const { id, token } = due.message;
  const sendIt = () => send(service, queue, body, { delaySeconds, dedupe: id, record: { id, token } });
  return {
    writes: [due],
    send: async () => {
      if (delaySeconds * 1000 <= MAX_QUEUE_DELAY_MS) await sendIt().catch(() => undefined);
    },
  };
}
