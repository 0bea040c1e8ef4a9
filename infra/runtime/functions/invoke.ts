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
  declared: readonly Pick<DeclaredFunction, 'key' | 'definition'>[],
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

/** Calls a function by its key in this process. Lambda ends one that is late; here it goes on, and its answer is dropped. */
type Call = (key: string, functionName: string, event: unknown) => Promise<unknown>;

/** @example const call = functionCaller(declared, buildDir, (seconds) => new Error(`it has not ended within ${seconds} s`)); */
export function functionCaller(
  declared: readonly Pick<DeclaredFunction, 'key' | 'definition'>[],
  buildDir: string,
  lateError: (seconds: number) => Error,
): Call {
  const load = functionLoader(declared, buildDir);
  const seconds = new Map(
    declared.map(({ key, definition }) => [key, Number(definition.timeout ?? DEFAULT_SECONDS)]),
  );
  return async (key, functionName, event) => {
    const within = seconds.get(key) ?? DEFAULT_SECONDS;
    const handler = await load(key);
    return withDeadline(
      within * 1000,
      () => handler(event, contextFor(functionName, within * 1000)),
      () => lateError(within),
    );
  };
}

/** Calls functions of queues and schedules in this process, each within its time. Messages of one that is late come again. */
export function localInvoker(declared: readonly DeclaredFunction[], stage: string, buildDir: string): Invoke {
  const late = (seconds: number) => new Error(`it has not ended within ${seconds} s`);
  const call = functionCaller(declared, buildDir, late);
  const keys = new Map(declared.map(({ key }) => [`sinete-${stage}-${key}`, key]));
  return async (functionName, event) => {
    const key = keys.get(functionName);
    if (key === undefined) return { ok: false, reason: 'there is no such function' };
    try {
      return { ok: true, answer: await call(key, functionName, event) };
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
    }
  };
}
