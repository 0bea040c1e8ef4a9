import type { Operation } from './bulkhead.ts';

// The others only ask. These use up a code, or a token and a key.
const ACTING: ReadonlySet<Operation> = new Set(['token', 'signature']);

/** Whether a call of this kind changes something at the provider. */
export const hasEffect = (operation: Operation): boolean => ACTING.has(operation);
