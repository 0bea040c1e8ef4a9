import { s3 } from '../../shared/files/client.ts';
import { sqs } from '../../shared/queue/client.ts';
import { dynamo } from '../../shared/store/client.ts';

/** What every call of a process that was killed gets: nothing comes back, and nothing more goes out. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

type Moment = 'before' | 'after';

const READS = /^(Get|BatchGet|Query|Scan|Head|List|Receive)/;

type Next = (args: never) => Promise<unknown>;
type Context = { readonly commandName?: string };
type Stack = {
  add(
    middleware: (next: Next, context: Context) => Next,
    options: { readonly step: 'initialize'; readonly name: string },
  ): void;
  remove(name: string): boolean;
};

/**
 * Runs something as a process that is killed at its nth write to a store or queue: just before that write, or
 * right after it took effect and before anybody was told. A write that is refused and sent again counts once. Tells
 * whether it came that far.
 */
export async function killedAt(write: number, moment: Moment, run: () => Promise<unknown>): Promise<boolean> {
  let seen = 0;
  let dead = false;
  const middleware =
    (next: Next, { commandName = '' }: Context): Next =>
    async (args) => {
      if (dead) throw new Killed(commandName);
      const isTheOne = !READS.test(commandName) && ++seen === write;
      if (isTheOne && moment === 'before') dead = true;
      else {
        // A write that the store refuses has no effect and does not count: its repetition is the nth then.
        const answer = await next(args).catch((error: unknown) => {
          if (!READS.test(commandName)) seen--;
          throw error;
        });
        if (!isTheOne) return dead ? Promise.reject(new Killed(commandName)) : answer;
        dead = true;
      }
      throw new Killed(commandName);
    };
  // Lists fold their counters after a write in sixteen, by chance: every run must have the same writes.
  const { random } = Math;
  Math.random = () => 0.9;
  const stacks = [dynamo(), s3(), sqs()].map((client) => client.middlewareStack as unknown as Stack);
  for (const stack of stacks) stack.add(middleware, { step: 'initialize', name: 'killed' });
  try {
    await run().catch((error: unknown) => {
      if (!dead) throw error;
    });
  } finally {
    Math.random = random;
    for (const stack of stacks) stack.remove('killed');
  }
  return dead;
}

/**
 * Tries something killed before its first write, and then after each of them until it ends alive: to be killed before a
 * later write leaves what was there after the one before it. Answers the number of writes.
 * @example const writes = await beforeFirstAndAfterEach((write, moment) => killedAt(write, moment, run));
 */
export async function beforeFirstAndAfterEach(
  attempt: (write: number, moment: Moment) => Promise<boolean>,
): Promise<number> {
  await attempt(1, 'before');
  for (let write = 1; ; write++) if (!(await attempt(write, 'after'))) return write - 1;
}
