import { setTimeout as pause } from 'node:timers/promises';
import { Pushed, SOCKET_PATH, type SocketClosing } from '../shared/workstation/messages.ts';
import { openAnswer } from '../shared/workstation/signed-answer.ts';
import { signRequest } from '../shared/workstation/signed-request.ts';
import { type Identity, isEncrypted } from './identity.ts';

type SocketOptions = {
  readonly identity: Identity;
  readonly url: string;
  readonly signal: AbortSignal;
  /** The body of a poll, as it is now. */
  readonly poll: () => { readonly working: readonly string[]; readonly pinInUse: boolean };
  readonly onConnected: () => void;
  readonly take: (pushed: Pushed) => void;
};

/** How a connection ended. `unavailable`: there was none, because something on the way does not let it through. */
export type SocketEnd = 'unavailable' | 'ended' | SocketClosing;

export type Socket = {
  /** Resolves when the connection has ended. */
  readonly run: () => Promise<SocketEnd>;
  /** Tells the server the agent's state, which has changed. */
  readonly renew: () => void;
};

// An answer takes a moment. A connection without one is dead, and nobody has noticed yet. A server that was started again
// has all its agents connect at once, and an agent that gave up would only come again.
const ANSWER_WITHIN_MS = 30_000;
const FIRST_ANSWER_WITHIN_MS = 60_000;
// API Gateway ends a connection that was idle for ten minutes. It forwards each message to a function, so there are few.
const HEARTBEAT_MS = 570_000;

/** One WebSocket connection to the server: a poll that is answered whenever there is something to do. */
export function socketOf({ identity, url, signal, poll, onConnected, take }: SocketOptions): Socket {
  const ended = Promise.withResolvers<SocketEnd>();
  const taken = new Set<string>();
  let connection: WebSocket | undefined;
  let isConnected = false;
  // While an answer is awaited no other message is sent: the server would see them in any order.
  let awaited: NodeJS.Timeout | undefined;
  let hasChanged = false;

  const end = (how: SocketEnd): void => {
    clearTimeout(awaited);
    ended.resolve(isConnected || how !== 'ended' ? how : 'unavailable');
    connection?.close();
  };

  const say = (hello: boolean): void => {
    if (connection?.readyState !== WebSocket.OPEN) return;
    const body = JSON.stringify({ ...poll(), hello });
    const { headers } = signed(identity, 'MESSAGE', body);
    connection.send(JSON.stringify({ headers, body }));
    expectAnswer();
  };

  const expectAnswer = (): void => {
    clearTimeout(awaited);
    awaited = setTimeout(() => end('ended'), isConnected ? ANSWER_WITHIN_MS : FIRST_ANSWER_WITHIN_MS);
  };

  const renew = (): void => {
    hasChanged = awaited !== undefined;
    if (!hasChanged) say(false);
  };

  const hear = (text: string, nonce: string): void => {
    const read = Pushed.safeParse(openAnswer(identity.serverKey, nonce, parseJson(text)));
    // Not from the server, or damaged: nothing on this connection can be trusted.
    if (!read.success) return void end('ended');
    clearTimeout(awaited);
    awaited = undefined;
    if (read.data.closing) return void end(read.data.closing);
    if (!isConnected) onConnected();
    isConnected = true;
    // Replay: all messages of a connection are bound to one number, so each task counts once.
    const tasks = read.data.tasks.filter(({ id }) => !taken.has(id));
    for (const { id } of tasks) taken.add(id);
    take({ ...read.data, tasks });
    if (hasChanged) renew();
  };

  return {
    renew,
    async run() {
      if (!isEncrypted(url)) return 'unavailable';
      const { headers, nonce } = signed(identity, 'GET', '');
      const opened = new WebSocket(url, { headers: { ...headers, 'user-agent': 'sinete-agent' } });
      connection = opened;
      expectAnswer();
      opened.addEventListener('open', () => say(true));
      opened.addEventListener('message', ({ data }) => hear(String(data), nonce));
      opened.addEventListener('error', () => end('ended'));
      opened.addEventListener('close', () => end('ended'));
      const over = new AbortController();
      signal.addEventListener('abort', () => end('ended'), { signal: over.signal });
      void heartbeat(over.signal);
      try {
        return await ended.promise;
      } finally {
        over.abort();
      }
    },
  };

  async function heartbeat(over: AbortSignal): Promise<void> {
    const next = () => pause(HEARTBEAT_MS * (0.9 + Math.random() / 10), true, { signal: over, ref: false });
    while (await next().catch(() => false)) renew();
  }
}

const signed = ({ ed25519, agentId }: Identity, method: 'GET' | 'MESSAGE', body: string) =>
  signRequest(ed25519, { method, path: SOCKET_PATH, agentId, body });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
