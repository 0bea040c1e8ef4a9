import { dynamo } from '../../../../shared/store/client.ts';

/**
 * Runs `work` right before the next command of this name is sent. Where it throws, the command is never sent. Answers a
 * function that calls it off.
 */
export function interrupt(command: string, work: () => Promise<unknown>): () => void {
  const name = `interrupt-${crypto.randomUUID()}`;
  let isDone = false;
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (!isDone && commandName === `${command}Command`) {
          isDone = true;
          dynamo().middlewareStack.remove(name);
          await work();
        }
        return next(args);
      },
    { step: 'initialize', name },
  );
  return () => dynamo().middlewareStack.remove(name);
}

/** The same before the nth command of this name. */
export function interruptNth(n: number, command: string, work: () => Promise<unknown>): void {
  interrupt(command, async () => (n === 1 ? work() : interruptNth(n - 1, command, work)));
}

/** The process of the next fold is killed after it has added the records to the counts, before it deletes them. */
export const killNextFold = (): (() => void) =>
  interrupt('BatchWriteItem', async () => {
    throw new Error('killed');
  });
