import { dynamo } from '../../../shared/store/client.ts';
import { countCalls } from '../../measure/calls.ts';

/** Counts what is sent to DynamoDB while `work` runs, by the name of the command. */
export const requestsOf = async (work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> =>
  (await countCalls(work, [dynamo()])).byCommand;

/** The first answer to `command` is lost on its way back, and the SDK sends the request again, as it does by itself. */
export function loseNextAnswer(command: string): void {
  const name = `lose-${crypto.randomUUID()}`;
  dynamo().middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== `${command}Command`) return next(args);
      dynamo().middlewareStack.remove(name);
      const token = command.startsWith('Transact') && { ClientRequestToken: crypto.randomUUID() };
      const sent = { ...args, input: { ...token, ...args.input } };
      await next(sent).catch(() => undefined);
      return next(sent).catch((error: { $metadata: object }) => {
        Object.assign(error.$metadata, { attempts: 2 });
        throw error;
      });
    },
    { step: 'initialize', name },
  );
}
