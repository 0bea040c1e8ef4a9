import type { DegreeData, EmissionData, InspectionFileData, RestampData } from './data.ts';
import type { Item } from './item.ts';
import { KINDS } from './kinds.ts';

/** Whether the item waits for the signatures of its files. */
export function isAwaitingSignatures({ kind, state }: Pick<Item, 'kind' | 'state'>): boolean {
  const { signedEvent, states } = KINDS[kind];
  return signedEvent !== null && states.accepts(state, signedEvent);
}

/** The reason that stops an item: of one of its files, or of the whole item. */
export type Problem = { readonly file: string | null; readonly message: string };

type Judged = Pick<Item, 'kind' | 'state' | 'files' | 'data' | 'reason'>;

/** What an item needs somebody for. None where it goes on by itself, or has ended in order. */
export function problemsOf(item: Judged): readonly Problem[] {
  const ofFiles = item.files.flatMap(({ name: file, problem: message, signed }) =>
    message !== null && !signed ? [{ file, message }] : [],
  );
  const ofItem = [failureOf(item), missingTranscriptOf(item), endOfRequest(item)];
  return [
    ...(isAwaitingSignatures(item) ? ofFiles : []),
    ...ofItem.flatMap((message) => (message ? [{ file: null, message }] : [])),
  ];
}

const FAILURES: ReadonlySet<string> = new Set(['GenerationError', 'ApplyingError']);

function failureOf({ state, data }: Judged): string | null {
  const { details, errorReason } = data as Partial<InspectionFileData & RestampData>;
  return FAILURES.has(state) ? (details ?? errorReason ?? state) : null;
}

const missingTranscriptOf = (item: Judged): string | null =>
  item.kind === 'degree' && isAwaitingSignatures(item)
    ? (item.data as DegreeData).academicTranscriptCreationError
    : null;

/** A request that came to an end without a registration: its emission waits to be sent again. */
function endOfRequest({ kind, state, data, reason }: Judged): string | null {
  if (kind !== 'emission' || !KINDS.emission.states.accepts(state, 'registered')) return null;
  const { registrationStatus: status } = data as EmissionData;
  if (status === null || !KINDS.registration.states.isTerminal(status)) return null;
  return `The registration request is ${status}${reason ? `: ${reason}` : '.'}`;
}
