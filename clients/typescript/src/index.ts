import { Refused } from './errors.ts';
import type { Code } from './services.ts';

export { type FieldProblem, NoAnswer, Refused } from './errors.ts';
export type { AnswerOf, CallOptions, RawBody, RequestOf } from './operation.ts';
export { Batch, type Code, Compact, Credentials, Documents, Hub, Pki, Session } from './services.ts';
export type { ClientOptions } from './transport.ts';

/**
 * Whether a service refused, by one of these codes.
 * @example catch (error) { if (isRefused(error, 'DocumentNotFound')) … }
 */
export const isRefused = <Each extends Code>(
  error: unknown,
  ...codes: readonly Each[]
): error is Refused<Each> => error instanceof Refused && (codes as readonly string[]).includes(error.code);
