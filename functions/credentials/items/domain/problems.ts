import type { Said } from '../../../../shared/errors/said.ts';
import { sayEnd, sentences } from '../sentences.ts';
import type { DegreeData, EmissionData, InspectionFileData, RestampData } from './data.ts';
import type { Item, ItemFile } from './item.ts';
import { KINDS } from './kinds.ts';

/** Whether the item waits for the signatures of its files. */
export function isAwaitingSignatures({ kind, state }: Pick<Item, 'kind' | 'state'>): boolean {
  const { signedEvent, states } = KINDS[kind];
  return signedEvent !== null && states.accepts(state, signedEvent);
}

/** A file with a problem; the same file where it had this one, so that nothing is written. */
export function withProblem(file: ItemFile, problem: Said): ItemFile {
  const { message, said } = sentences.recordedAs(problem);
  return message === file.problem ? file : { ...file, problem: message, ...(said && { said }) };
}

/** A file that goes on. */
export const withoutProblem = ({ said: _, ...file }: ItemFile): ItemFile => ({ ...file, problem: null });

/** The reason that stops an item: of one of its files, or of the whole item. */
export type Problem = { readonly file: string | null; readonly message: string };

/** The same, and in any language. */
export type SaidProblem = Problem & { readonly said?: Said };

type Judged = Pick<Item, 'kind' | 'state' | 'files' | 'data' | 'reason' | 'failure'>;

/** What an item needs somebody for. None where it goes on by itself, or has ended in order. */
export function problemsOf(item: Judged): readonly SaidProblem[] {
  const ofFiles = item.files.flatMap(({ name: file, problem: message, signed, said }) =>
    message !== null && !signed ? [{ file, message, ...(said && { said }) }] : [],
  );
  const ofItem = [failureOf(item), missingTranscriptOf(item), endOfRequest(item)];
  return [
    ...(isAwaitingSignatures(item) ? ofFiles : []),
    ...ofItem.flatMap((problem) => (problem ? [{ file: null, ...problem }] : [])),
  ];
}

type Recorded = { readonly message: string; readonly said?: Said };

const FAILURES: ReadonlySet<string> = new Set(['GenerationError', 'ApplyingError']);

function failureOf({ state, data, failure }: Judged): Recorded | null {
  const { details, errorReason } = data as Partial<InspectionFileData & RestampData>;
  if (!FAILURES.has(state)) return null;
  return { message: details ?? errorReason ?? state, ...(failure && { said: failure }) };
}

function missingTranscriptOf(item: Judged): Recorded | null {
  if (item.kind !== 'degree' || !isAwaitingSignatures(item)) return null;
  const { academicTranscriptCreationError: message } = item.data as DegreeData;
  return message === null ? null : { message };
}

/** A request that came to an end without a registration: its emission waits to be sent again. */
function endOfRequest({ kind, state, data, reason }: Judged): Recorded | null {
  if (kind !== 'emission' || !KINDS.emission.states.accepts(state, 'registered')) return null;
  const { registrationStatus: status } = data as EmissionData;
  if (status === null || !KINDS.registration.states.isTerminal(status)) return null;
  return sentences.recordedAs(sayEnd('request', status, reason));
}
