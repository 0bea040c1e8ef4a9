import { type Request, refuseUnknown } from '../request.ts';
import { invalid } from './errors.ts';

export type { Request };

// They change nothing here: capacity is not counted, and there are no local indexes.
const WITHOUT_EFFECT = ['ReturnConsumedCapacity', 'ReturnItemCollectionMetrics'];

export const onlyKnown = (request: Request, known: readonly string[]): void =>
  refuseUnknown(request, known, invalid, isWithoutEffect);

const isWithoutEffect = (name: string, value: unknown): boolean =>
  WITHOUT_EFFECT.includes(name) && value === 'NONE';
