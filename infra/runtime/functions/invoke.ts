import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { withDeadline } from '../../../shared/async/deadline.ts';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { bundleOf, type DeclaredFunction } from './declared-functions.ts';

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
  const bundles = new Map(declared.map(({ key, definition }) => [key, bundleOf(definition)]));
  const loaded = new Map<string, Promise<Handler>>();
  const load = async (key: string): Promise<Handler> => {
    const bundle = pathToFileURL(join(buildDir, bundles.get(key) ?? '')).href;
    const { handler }: { handler: Handler } = await import(bundle);
    return handler;
  };
  return (key) => {
    const handler = loaded.get(key) ?? load(key);
    loaded.set(key, handler);
    return handler;
  };
}

/** A context that counts down as Lambda's does. */
export function contextFor(functionName: string, timeoutMs: number): Context {
  const endsAt = performance.now() + timeoutMs;
  const getRemainingTimeInMillis = () => Math.max(0, Math.floor(endsAt - performance.now()));
  return { functionName, getRemainingTimeInMillis } as Context;
}

/**
 * Calls functions by name in this process, each within its time. Lambda ends one that is late; here it goes on, and its
 * answer is dropped. Messages of one that is late come again.
 * @example const invoke = localInvoker(declared, 'local', buildDir); await invoke('sinete-local-batchProcessJobs', event);
 */
export function localInvoker(declared: readonly DeclaredFunction[], stage: string, buildDir: string): Invoke {
  const load = functionLoader(declared, buildDir);
  const functions = new Map(
    declared.map(({ key, definition }) => [
      functionName(stage, key),
      { key, seconds: Number(definition.timeout ?? DEFAULT_SECONDS) },
    ]),
  );
  return async (name, event) => {
    const found = functions.get(name);
    if (!found) return { ok: false, reason: 'there is no such function' };
    const { key, seconds } = found;
    try {
      const handler = await load(key);
      const answer = await withDeadline(
        seconds * 1000,
        () => handler(event, contextFor(name, seconds * 1000)),
        () => new Error(`it has not ended within ${seconds} s`),
      );
      return { ok: true, answer };
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
    }
  };
}

/** As the framework names them. @example functionName('local', 'sessionSignDocument') // 'sinete-local-sessionSignDocument' */
export const functionName = (stage: string, key: string): string => `sinete-${stage}-${key}`;
