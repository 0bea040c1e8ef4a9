// The functions of functions/*/functions.yml, without those of the sandbox, and the code that the build made of them.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { withDeadline } from '../../shared/async/deadline.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { type DeclaredFunction, readFunctions } from '../local/events/declared-functions.ts';
import type { Invoke } from '../local/events/invoke.ts';
import { answerEveryMethod } from '../plugins/every-method.ts';
import { type FunctionConfig, type Functions, httpOf } from '../plugins/framework.ts';

/** Seconds that a function has where it declares no time, and that a caller waits for a whole answer: as on AWS. */
const DEFAULT_SECONDS = 29;

export type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** A method of a path, and the function that answers it. */
export type Route = {
  readonly method: string;
  /** @example 'session/v1/signatures/{signatureId}/document' */
  readonly path: string;
  readonly key: string;
  /** How long the function has for its answer. */
  readonly timeoutMs: number;
};

export const hostFunctions = (root: string): DeclaredFunction[] =>
  readFunctions(root).filter(({ file }) => !file.startsWith('functions/sandbox/'));

const configOf = (definition: DeclaredFunction['definition']): FunctionConfig => {
  const { events = [], ...rest } = definition as FunctionConfig;
  return { ...rest, events };
};

/** Every route, as API Gateway would have them: each path takes every method. */
export function routesOf(declared: readonly DeclaredFunction[]): Route[] {
  const functions: Functions = Object.fromEntries(
    declared.map(({ key, definition }) => [key, configOf(definition)]),
  );
  answerEveryMethod(functions);
  return Object.entries(functions).flatMap(([key, fn]) =>
    fn.events.flatMap((event) => {
      const http = httpOf(event);
      if (!http) return [];
      const streams = http.response?.transferMode === 'STREAM';
      const seconds = fn.timeout ?? DEFAULT_SECONDS;
      const timeoutMs = 1000 * (streams ? seconds : Math.min(seconds, DEFAULT_SECONDS));
      return [{ method: http.method.toUpperCase(), path: http.path, key, timeoutMs }];
    }),
  );
}

/** Loads a function's bundle when it is first needed. @example const handler = await load('sessionGetStatus'); */
export function functionLoader(
  declared: readonly DeclaredFunction[],
  buildDir: string,
): (key: string) => Promise<Handler> {
  const bundles = new Map(
    declared.map(({ key, definition }) => [key, String(definition.handler).replace(/\.\w+$/, '.mjs')]),
  );
  return async (key) => {
    const module: { handler: Handler } = await import(
      pathToFileURL(join(buildDir, bundles.get(key) ?? '')).href
    );
    return module.handler;
  };
}

/** A context that counts down as Lambda's does. */
export function contextFor(functionName: string, timeoutMs: number): Context {
  const endsAt = performance.now() + timeoutMs;
  const getRemainingTimeInMillis = () => Math.max(0, Math.floor(endsAt - performance.now()));
  return { functionName, getRemainingTimeInMillis } as Context;
}

/** Calls functions of queues and schedules in this process, each within its time. */
export function localInvoker(declared: readonly DeclaredFunction[], stage: string, buildDir: string): Invoke {
  const load = functionLoader(declared, buildDir);
  const byName = new Map(declared.map((each) => [`sinete-${stage}-${each.key}`, each]));
  return async (functionName, event) => {
    const found = byName.get(functionName);
    if (!found) return { ok: false, reason: 'there is no such function' };
    const timeoutMs = 1000 * (configOf(found.definition).timeout ?? DEFAULT_SECONDS);
    try {
      const handler = await load(found.key);
      // Lambda ends a function that is late. Here it goes on, and its messages come again.
      const answer = await withDeadline(
        timeoutMs,
        () => handler(event, contextFor(functionName, timeoutMs)),
        () => new Error(`it has not ended within ${timeoutMs / 1000} s`),
      );
      return { ok: true, answer };
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
    }
  };
}
