import { dynamo } from '../../../shared/store/client.ts';
import { countCalls } from '../../calls.ts';

/** Counts what is sent to DynamoDB while `work` runs, by the name of the command. */
export const requestsOf = async (work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> =>
  (await countCalls(work, [dynamo()])).byCommand;

/** The first answer to `command` is lost on its way back: the write has landed, the writer cannot know. */
export function loseNextAnswer(command: string): void {
  const name = `lose-${crypto.randomUUID()}`;
  let lost = false;
  dynamo().middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (lost || context.commandName !== `${command}Command`) return answer;
      lost = true;
      dynamo().middlewareStack.remove(name);
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    },
    { step: 'deserialize', name, priority: 'low' },
  );
}
