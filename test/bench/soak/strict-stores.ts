import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Counts } from '../../../shared/embedded/tables/strict.ts';

export type StrictStores = Awaited<ReturnType<typeof startStrictStores>>;

/** Stores that behave like AWS under load, in a process of their own as on AWS. This process works on them. */
export async function startStrictStores() {
  const child = fork(new URL('./stores.ts', import.meta.url));
  const [env] = (await once(child, 'message')) as [Record<string, string>];
  Object.assign(process.env, env, { STAGE: 'local' });
  return {
    /** Sets how long a transaction has its items, and gives the counts so far. */
    async hold(holdMs: number): Promise<Counts> {
      const answered = once(child, 'message');
      child.send({ holdMs });
      return ((await answered) as [Counts])[0];
    },
    stop: () => child.disconnect(),
  };
}
