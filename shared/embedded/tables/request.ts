import { invalid } from './errors.ts';

/** The input of a command, as the client sends it. */
export type Request = Readonly<Record<string, unknown>>;

// They change nothing here: capacity is not counted, and there are no local indexes.
const WITHOUT_EFFECT = ['ReturnConsumedCapacity', 'ReturnItemCollectionMetrics'];

/** Refuses a parameter that this store does not implement. One that is passed over could change the meaning. */
export function onlyKnown(request: Request, known: readonly string[]): void {
  for (const name in request)
    if (request[name] !== undefined && !known.includes(name) && !isWithoutEffect(name, request[name]))
      throw invalid(`The embedded store does not implement ${name}.`);
}

const isWithoutEffect = (name: string, value: unknown): boolean =>
  WITHOUT_EFFECT.includes(name) && value === 'NONE';
