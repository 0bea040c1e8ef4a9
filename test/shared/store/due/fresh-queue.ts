import { commit } from '../../../../shared/store/commit.ts';
import {
  type DueKind,
  dueMessage,
  forget,
  HEAD_START_MS,
  type Send,
} from '../../../../shared/store/due/message.ts';
import { sendDue } from '../../../../shared/store/due/sweep.ts';

export const SERVICE = 'compact';
export const MINUTE_MS = 60_000;

type SweepOptions = Pick<Parameters<typeof sendDue>[0], 'hasTime' | 'share'>;

// A sweep takes all that is due in the table. Each test has a queue of its own and looks at that alone, and
// a year of its own, long past, so that it takes nothing that another test waits for.
let year = 1971;
export function freshQueue() {
  const startMs = Date.UTC(year++, 0);
  const queue = crypto.randomUUID();
  const received: { body: unknown; id: string }[] = [];
  const buried: { body: unknown; sends: number }[] = [];
  /** The sizes of the batches that were sent. */
  const batches: number[] = [];
  /** A queue whose worker is killed: what is sent is never done. */
  const sendToNobody: Send = async (to, messages) => {
    if (to !== queue) return new Map();
    batches.push(messages.length);
    received.push(...messages.map(({ body, record: { id } }) => ({ body, id })));
    return new Map();
  };
  /** A queue whose worker does at once what it receives. */
  const send: Send = async (to, messages) => {
    await sendToNobody(to, messages);
    if (to === queue) for (const { record } of messages) await forget({ service: SERVICE, ...record });
    return new Map();
  };
  const failing: Send = async (to) => {
    if (to === queue) throw new Error('queue gone');
    return new Map();
  };
  const bury = async (to: string, body: unknown, _: unknown, sends: number) => {
    if (to === queue) buried.push({ body, sends });
  };
  const at = (ms: number) => () => startMs + ms;
  const message = (body: unknown, dueMs = HEAD_START_MS, id?: string, kind?: DueKind) =>
    dueMessage({ service: SERVICE, queue, body, id, kind, dueAtMs: startMs + dueMs });
  /** Commits a message and sends it to a worker that is killed. */
  const sendInVain = async (body: unknown): Promise<void> => {
    const write = message(body);
    await commit([write]);
    await sendToNobody(queue, [{ body, record: write.message }]);
  };
  const sweep = (ms: number, sender = send, options: SweepOptions = {}) =>
    sendDue({ service: SERVICE, send: sender, bury, now: at(ms), ...options });
  return { queue, received, buried, batches, send, sendToNobody, sendInVain, failing, message, sweep, at };
}
