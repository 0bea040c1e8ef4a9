import { StoreError } from '../errors.ts';
import { type Request, refuseUnknown } from '../request.ts';

export type { Request };

export const invalid = (message: string): StoreError => new StoreError('InvalidParameterValue', message);
export const unsupported = (message: string): StoreError => new StoreError('UnsupportedOperation', message);

export const onlyKnown = (request: Request, known: readonly string[]): void =>
  refuseUnknown(request, known, unsupported);

export function requireText(request: Request, name: string): string {
  const value = request[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new StoreError('MissingParameter', `The request must contain the parameter ${name}.`);
}

/** An integer of a request in its range, or undefined where the request has none. */
export function optionalInteger(
  request: Request,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw invalid(`Value ${value} for parameter ${name} is invalid. Reason: Must be from ${min} to ${max}.`);
}

export const optionalNames = (request: Request, name: string): readonly string[] =>
  (request[name] as readonly string[] | undefined) ?? [];

const MAX_ENTRIES = 10;
const ENTRY_ID = /^[\w-]{1,80}$/;

/** The entries of a batch request. Their ids are distinct. */
export function entriesOf(request: Request): readonly Request[] {
  onlyKnown(request, ['QueueUrl', 'Entries']);
  const entries = (request.Entries ?? []) as readonly Request[];
  if (entries.length === 0)
    throw new StoreError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (entries.length > MAX_ENTRIES)
    throw new StoreError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${MAX_ENTRIES}. You have sent ${entries.length}.`,
    );
  const ids = entries.map(({ Id }) => Id);
  if (!ids.every((id) => typeof id === 'string' && ENTRY_ID.test(id)))
    throw new StoreError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
    );
  if (new Set(ids).size < ids.length)
    throw new StoreError('BatchEntryIdsNotDistinct', 'Two or more batch entries have the same id.');
  return entries;
}

/** Does the work of each entry. One that is refused leaves the others alone. */
export function forEntries(entries: readonly Request[], work: (entry: Request) => object): object {
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const { Id, ...entry } of entries) {
    try {
      Successful.push({ Id, ...work(entry) });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      Failed.push({ Id, SenderFault: true, Code: error.name, Message: error.message });
    }
  }
  return { Successful, Failed };
}
