import type * as z from 'zod';
import { MAX_MARKS } from '../../contract/flows/flow-actions.ts';
import type { MarkModel, UpperLeftMarkModel } from '../../contract/marks.ts';
import type { SentMarks } from '../../contract/marks-sessions.ts';
import { errors } from '../../errors.ts';
import type { Mark } from '../flow/flow.ts';

// As much as a document's flow may have.
const MAX_BYTES = 120_000;

/** The marks that a page sent, by action. Refused where one is of no action or on no file. */
export function marksByAction(marks: SentMarks, actions: number, fileIds: readonly string[]): Mark[][] {
  const byAction = Array.from({ length: actions }, (): Mark[] => []);
  for (const { action, ...mark } of marks) {
    const own = byAction[action];
    if (!own) throw refuse('name an action that is not there');
    if (!fileIds.includes(mark.uploadId)) throw refuse('are on a file that is not there');
    if (own.length === MAX_MARKS) throw refuse(`are more than ${MAX_MARKS} of one action`);
    own.push(markOf(mark));
  }
  if (Buffer.byteLength(JSON.stringify(byAction)) > MAX_BYTES) throw refuse('are too many to be stored');
  return byAction;
}

const refuse = (reason: string) => errors.refuse('InvalidRequest', { field: 'marks', reason });

const markOf = ({
  type,
  uploadId,
  pageNumber: page,
  topLeftX: x,
  topLeftY: y,
  width,
  height,
  isFromBottom,
}: Omit<SentMarks[number], 'action'>): Mark => ({
  ...(!isFromBottom && { from: 'top' }),
  ...(type !== 'SignatureVisualRepresentation' && { type }),
  uploadId,
  ...{ page, x, y, width, height },
});

/** A mark as requests have it, from the corner that it was placed from. */
export function renderMark({
  from,
  type = 'SignatureVisualRepresentation',
  uploadId,
  page,
  x,
  y,
  width,
  height,
}: Mark): z.input<typeof UpperLeftMarkModel> | (z.input<typeof MarkModel> & Pick<Mark, 'uploadId'>) {
  if (from !== 'top') return { page, x, y, width, height, ...(uploadId !== undefined && { uploadId }) };
  return { type, uploadId: uploadId ?? null, pageNumber: page, topLeftX: x, topLeftY: y, width, height };
}
