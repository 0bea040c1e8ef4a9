import { s3 } from '../../../../../shared/files/client.ts';
import { dynamo } from '../../../../../shared/store/client.ts';

type Input = { readonly Key?: string; readonly Delete?: { readonly Objects?: { readonly Key?: string }[] } };
type Answer = { output: { ExportDescription?: object } };
type Next = (args: { readonly input: Input }) => Promise<Answer>;
type Stack = {
  add(
    middleware: (next: Next, context: { readonly commandName?: string }) => Next,
    options: { readonly step: 'initialize'; readonly name: string },
  ): void;
  remove(name: string): boolean;
};

/** Every such request is answered by `act`, until the function that is answered here is called. */
function onCall(stack: Stack, command: string, act: Next | ((...of: Parameters<Next>) => void)) {
  const name = `on ${command}`;
  stack.add(
    (next, { commandName }) =>
      async (args) => {
        const changed = commandName === command ? await act(args) : undefined;
        const answer = await next(args);
        return changed ? { ...answer, output: { ...answer.output, ...changed.output } } : answer;
      },
    { step: 'initialize', name },
  );
  return () => void stack.remove(name);
}

const tables = () => dynamo().middlewareStack as unknown as Stack;
const objects = () => s3().middlewareStack as unknown as Stack;

/** Such requests of files fail. */
export const failFiles = (command: string, isMeant: (key: string) => boolean = () => true) =>
  onCall(objects(), command, ({ input: { Key = '', Delete } }) => {
    if (isMeant(Delete?.Objects?.[0]?.Key ?? Key)) throw new Error('no space left');
  });

/** Exports take long, as on AWS. */
export const holdExports = () =>
  onCall(tables(), 'DescribeExportCommand', async () => ({
    output: { ExportDescription: { ExportStatus: 'IN_PROGRESS' } },
  }));

/** The store answers a request for an export by this error. */
export const refuseExports = (name: string) =>
  onCall(tables(), 'ExportTableToPointInTimeCommand', () => {
    throw Object.assign(new Error(name), { name });
  });
