import type * as z from 'zod';
import { hasEffect } from './acting.ts';
import type { Operation } from './bulkhead.ts';
import type { Provider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';

type Where = { readonly provider: Provider; readonly operation: Operation };

/** An answer in the shape that it must have. What it is instead is not told: it may hold a token. */
export function requireShape<S extends z.ZodType>(shape: S, answer: unknown, where: Where): z.output<S> {
  const read = shape.safeParse(answer);
  if (read.success) return read.data;
  const places = read.error.issues.map(({ path }) => path.join('.'));
  throw unreadable(where, `not as it should be: ${[...new Set(places)].slice(0, 5).join(', ')}`);
}

export const unreadable = ({ provider: { name }, operation }: Where, what: string): ProviderFailure =>
  new ProviderFailure('unreadable', name, `The answer of ${name} to ${operation} is ${what}.`, {
    mayHaveActed: hasEffect(operation),
  });
