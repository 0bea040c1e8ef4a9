import { dynamo } from '../../../shared/store/client.ts';

/** Counts what is sent to DynamoDB while `work` runs, by the name of the command. */
export async function requestsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const sent: Record<string, number> = {};
  const name = `count-${crypto.randomUUID()}`;
  dynamo().middlewareStack.add(
    (next, context) => (args) => {
      const command = String(context.commandName).replace('Command', '');
      sent[command] = (sent[command] ?? 0) + 1;
      return next(args);
    },
    { step: 'initialize', name },
  );
  try {
    await work();
  } finally {
    dynamo().middlewareStack.remove(name);
  }
  return sent;
}

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
