import { jitteredBackoff } from '../async/retry.ts';

// The stores of this process, opened by whoever runs the functions: the local engine, the host, a command, a test. A
// function on AWS has none, and its bundle holds nothing of them.

/** Answers the commands of one AWS service by their names. */
type Answering = { readonly run: (command: string, input: never) => Promise<object> };
export type Service = 'tables' | 'objects' | 'queues';
export type ProvidedStores = Readonly<Partial<Record<Service, Answering>>>;

// Not by processWide(), whose values tests forget with each file.
const KEY = Symbol.for('sinete-stores');
const provided = globalThis as { [KEY]?: ProvidedStores | undefined };

/**
 * Has the clients of this process answered by these stores from now on, or by AWS again. Gives back those before.
 * @example provideStores(openStores({ folder }));
 */
export function provideStores(stores: ProvidedStores | undefined): ProvidedStores | undefined {
  const before = provided[KEY];
  provided[KEY] = stores;
  return before;
}

export const hasProvidedStores = (): boolean => provided[KEY] !== undefined;

type Handler = (args: { input: never }) => Promise<{ output: object; response: unknown }>;
type Client = {
  readonly middlewareStack: {
    add(
      middleware: (next: Handler, context: { commandName?: string }) => Handler,
      options: { step: 'initialize'; priority: 'low'; name: string },
    ): void;
  };
};

/**
 * A client of the AWS SDK whose commands are answered by the stores of this process, where there are some: without a
 * request, its signature and its text.
 * @example client ??= answeredHere('tables', new DynamoDBClient({}));
 */
export function answeredHere<C>(service: Service, client: C): C {
  // The stack's own type has the commands of one service.
  (client as Client).middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const store = provided[KEY]?.[service];
        if (!store) return next(args);
        return { output: await answer(store, commandName.replace(/Command$/, ''), args.input), response: {} };
      },
    { step: 'initialize', priority: 'low', name: 'answeredHere' },
  );
  return client;
}

// As the SDK repeats a request that was throttled.
const MAX_ATTEMPTS = 5;
const PAUSES = jitteredBackoff(25);
const THROTTLED = 'ProvisionedThroughputExceededException';

async function answer(store: Answering, command: string, input: never): Promise<object> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { $metadata: { httpStatusCode: 200, attempts: attempt }, ...(await store.run(command, input)) };
    } catch (error) {
      const failure = asServiceError(error, attempt);
      if (failure.name !== THROTTLED || attempt === MAX_ATTEMPTS) throw failure;
      await new Promise((resolve) => setTimeout(resolve, PAUSES(attempt)));
    }
  }
}

// The SDK's classes know an error by its name and these two properties, whichever copy of the SDK made it.
function asServiceError(error: unknown, attempts: number): Error {
  const { name, message, status, more } = error as Error & { status?: number; more?: object };
  if (status === undefined) return error as Error;
  return Object.assign(new Error(message, { cause: error }), {
    name,
    $fault: status < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode: status, attempts },
    ...more,
  });
}
