import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eachLine, errorLine, type Log } from './log.ts';
import type { FromMember, MemberOrder } from './member.ts';

/** For work in progress to end. Events that are cut off come again. */
const STOP_MS = 7000;

type MemberOptions = {
  readonly root: string;
  /** For compiled code. */
  readonly cacheDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly print: (line: string) => void;
};

export type Member<Order> = {
  /** Resolves when its work has begun, which waits for the order. Rejects with the reason why it has not. */
  begin(order: Order): Promise<void>;
  /** Resolves with a line if it ends by itself. */
  readonly died: Promise<string>;
  stop(): Promise<void>;
};

export const scriptOf = (name: 'routes' | 'events'): URL => new URL(`./${name}-process.ts`, import.meta.url);

/** Starts a process of the engine. It loads its code at once, and works when it is told to. */
export function startMember<Order extends MemberOrder>(
  name: string,
  script: URL,
  { root, cacheDir, env, log, print }: MemberOptions,
): Member<Order> {
  const child = fork(script, {
    cwd: root,
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...env, NODE_COMPILE_CACHE: join(cacheDir, 'compiled') },
  });
  let isStopping = false;
  let shown = '';
  const onLine = (line: string) => {
    log.write(line);
    const error = errorLine(line);
    // A failure is logged each time, and printed once while it repeats.
    if (error !== undefined && error !== shown) print(error);
    shown = error ?? shown;
  };
  for (const stream of [child.stdout, child.stderr]) if (stream) eachLine(stream, onLine);
  const exited = once(child, 'close');
  const died = exited.then(() =>
    isStopping
      ? new Promise<never>(() => undefined)
      : `${name} ended by itself. Its last lines are in ${log.path}.`,
  );
  return {
    died,
    async begin(order) {
      const answered = once(child, 'message') as Promise<[FromMember]>;
      child.send(order);
      const lost = died.then((line) => Promise.reject(new Error(line)));
      const [answer] = await Promise.race([answered, lost]);
      if ('failed' in answer) throw new Error(answer.failed);
    },
    async stop() {
      isStopping = true;
      if (child.connected) child.send({ stop: true });
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
