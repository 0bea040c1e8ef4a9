import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { withDeadline } from '../../../shared/async/deadline.ts';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import type { DeclaredFunction } from './declared-functions.ts';

/** The result of an invocation: the function's answer, or the reason why there is none. */
export type Invocation = { ok: true; answer: unknown } | { ok: false; reason: string };

export type Invoke = (functionName: string, event: unknown) => Promise<Invocation>;

/** Seconds that a function has where it declares no time, and that a caller waits for a whole answer: as on AWS. */
export const DEFAULT_SECONDS = 29;

export type Handler = (event: unknown, context: Context) => Promise<unknown>;

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
    const timeoutMs = 1000 * Number(found.definition.timeout ?? DEFAULT_SECONDS);
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
