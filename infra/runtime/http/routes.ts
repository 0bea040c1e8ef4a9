import { answerEveryMethod } from '../../plugins/every-method.ts';
import { type FunctionConfig, type Functions, httpOf } from '../../plugins/framework.ts';
import type { DeclaredFunction } from '../functions/declared-functions.ts';
import { DEFAULT_SECONDS } from '../functions/invoke.ts';

/** A method of a path, and the function that answers it. */
export type Route = {
  readonly method: string;
  /** @example 'session/v1/signatures/{signatureId}/document' */
  readonly path: string;
  readonly key: string;
  /** How long the function has for its answer. */
  readonly timeoutMs: number;
};

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
