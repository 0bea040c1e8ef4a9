// Not the global one, which a test may replace by its own clock.
import { setImmediate } from 'node:timers';
import { jitteredBackoff, retry } from '../async/retry.ts';
import type { Links } from './objects/links.ts';

// The stores of this process, opened by whoever runs the functions: the local engine, the host, a command, a test. A
// function on AWS has none, and its bundle holds nothing of them.

/** Answers the commands of one AWS service by their names. */
type Answering = {
  readonly run: (command: string, input: never, options: RunOptions) => Promise<object>;
  readonly problem?: () => Promise<string | undefined>;
};
type RunOptions = { readonly abortSignal?: AbortSignal | undefined };
export type Service = 'tables' | 'objects' | 'queues';
export type ProvidedStores = Readonly<Partial<Record<Service, Answering>>> & {
  readonly objects?: Answering & { readonly links?: Links };
};

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

/** The links of the stores of this process, where there are some. */
export const providedLinks = (): Links | undefined => provided[KEY]?.objects?.links;

export const hasProvidedStores = (): boolean => provided[KEY] !== undefined;

/** Why the stores of this process take no writes now, or take none soon. Those of AWS always do. */
export const findStoreProblem = async (): Promise<string | undefined> => provided[KEY]?.tables?.problem?.();

/** The SDK's own classes of errors by their names, for code that asks for them with instanceof. */
export type ErrorClasses = Readonly<Record<string, new (options: ErrorOptions) => Error>>;
type ErrorOptions = { message: string; $metadata: { httpStatusCode: number; attempts: number } };

type Handler = (args: { input: never }) => Promise<{ output: object; response: unknown }>;
// The SDK keeps the options of a call here, for its middlewares.
type Context = { readonly commandName?: string; readonly __smithy_context?: RunOptions };
type Stack = {
  add(
    middleware: (next: Handler, context: Context) => Handler,
    options: { step: 'initialize'; priority: 'low'; name: string },
  ): void;
};
type Client = {
  readonly config: { readonly maxAttempts: () => Promise<number> };
  readonly middlewareStack: Stack;
  /** Where the SDK keeps the middlewares of a command, resolved. */
  handlers?: unknown;
};

/**
 * A client of the AWS SDK whose commands are answered by the stores of this process, where there are some: without a
 * request, its signature and its text.
 * @example client ??= answeredHere('tables', new DynamoDBClient({}));
 */
export const answeredHere = <C>(service: Service, client: C, errors: ErrorClasses = {}): C =>
  answeredBy(() => provided[KEY]?.[service], client, errors);

/** The same by one store. @example answeredBy(() => stores.tables, new DynamoDBClient({})) */
export function answeredBy<C>(find: () => Answering | undefined, client: C, errors: ErrorClasses = {}): C {
  // The stack's own type has the commands of one service.
  const { config, middlewareStack } = client as Client;
  keepHandlers(client as Client, () => find() !== undefined);
  middlewareStack.add(
    (next, { commandName = '', __smithy_context: { abortSignal } = {} }) =>
      async (args) => {
        const store = find();
        if (!store) return next(args);
        await letOthersRun();
        const command = commandName.replace(/Command$/, '');
        const run = () => store.run(command, args.input, { abortSignal });
        return { output: await answer(run, config, errors), response: {} };
      },
    { step: 'initialize', priority: 'low', name: 'answeredBy' },
  );
  return client;
}

const CHANGES = ['add', 'addRelativeTo', 'use', 'remove', 'removeByTag'] as const;

// The SDK puts the middlewares of a client and a command together at each call, which takes longer than the store. It can
// keep them, and then knows no later change. Only for calls that are answered here: what the SDK notes of a request to AWS
// is kept with them, for all requests at once.
function keepHandlers(client: Client, isAnswered: () => boolean): void {
  Object.defineProperty(client.config, 'cacheMiddleware', { get: isAnswered });
  const stack = client.middlewareStack as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of CHANGES) {
    const change = stack[name];
    stack[name] = (...args) => {
      delete client.handlers;
      return change?.(...args);
    };
  }
}

// A store that answers at once would let a loop over its items keep everything else of the process waiting: requests,
// timers, the answers of other services.
const TURN_MS = 10;
let turnedAtMs = 0;

async function letOthersRun(): Promise<void> {
  if (performance.now() - turnedAtMs < TURN_MS) return;
  await new Promise<void>((resolve) => setImmediate(resolve));
  turnedAtMs = performance.now();
}

// The SDK's own for what was throttled.
const PAUSES = jitteredBackoff(500);
const THROTTLED = 'ProvisionedThroughputExceededException';

/** Repeats what was throttled, as the SDK repeats such a request. */
const answer = async (
  run: () => Promise<object>,
  config: Client['config'],
  errors: ErrorClasses,
): Promise<object> =>
  retry(
    async (attempt) => {
      try {
        return { $metadata: { httpStatusCode: 200, attempts: attempt }, ...(await run()) };
      } catch (error) {
        throw asServiceError(error, attempt, errors);
      }
    },
    {
      maxAttempts: await config.maxAttempts(),
      isRetryable: (error) => (error as Error).name === THROTTLED,
      pauseMs: PAUSES,
    },
  );

// An error of a body that a command reads stays as it is.
function asServiceError(error: unknown, attempts: number, errors: ErrorClasses): Error {
  const { name, message, status, more } = error as Error & { status?: number; more?: object };
  if (status === undefined || more === undefined) return error as Error;
  const $metadata = { httpStatusCode: status, attempts };
  const Class = errors[name];
  if (Class) return new Class({ message, $metadata, ...more });
  const $fault = status < 500 ? 'client' : 'server';
  return Object.assign(new Error(message), { name, $fault, $metadata, ...more });
}
