import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a module in a process of its own, whose clients know one store, and answers what it sends. What it prints goes to
 * the other stream.
 */
export async function runPart<T>(module: URL, args: readonly string[] = []): Promise<T> {
  const child = fork(module, args, {
    env: { ...process.env, Log__Level: 'WARN' },
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${module.pathname} ${args.join(' ')} ended with ${code}.`);
  });
  ended.catch(() => undefined);
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return result;
}
