import { errors } from '../../errors.ts';
import { type Flow, type FlowAction, type Mark, marksIn } from './flow.ts';

/** A part of an envelope, as far as marks need it. */
export type MarkedPart = { readonly uploadId: string; readonly startPage: number; readonly pages: number };

/** The same flow with the marks of a request on the pages of the envelope. A mark that names no part is on each. */
export const placeMarks = (flow: Flow, parts: readonly MarkedPart[]): Flow =>
  flow.map((action, index) => ({
    ...action,
    marks: marksIn(action).flatMap((mark) =>
      marksOnParts(mark, parts, `flowActions.${index}.prePositionedMarks`),
    ),
  }));

/** The places of one mark, whose page counts from the beginning of its part. */
export function marksOnParts(mark: Mark, parts: readonly MarkedPart[], field: string): Mark[] {
  const placed = parts
    .filter(({ uploadId, pages }) => (mark.uploadId ?? uploadId) === uploadId && mark.page <= pages)
    .map((part) => onPart(mark, part));
  if (placed.length > 0) return placed;
  // On another page of the envelope it would be on a part that nobody named.
  const reason = `a mark is on page ${mark.page}, which ${mark.uploadId === undefined ? 'no file of the envelope' : 'its file'} does not have`;
  throw errors.refuse('InvalidRequest', { field, reason, ...(mark.uploadId && { uploadId: mark.uploadId }) });
}

const onPart = (mark: Mark, { uploadId, startPage }: MarkedPart): Mark => ({
  ...mark,
  uploadId,
  page: startPage + mark.page - 1,
});

/** The page of a mark from the beginning of its part; of the envelope, where its part is not known. */
export function pageInPart({ page, uploadId }: Mark, parts: readonly MarkedPart[] | undefined): number {
  const part = parts?.find((each) => each.uploadId === uploadId);
  return part ? page - part.startPage + 1 : page;
}

/** The marks of an action on a new version of its envelope: on the part at the same position, where it has the page. */
export const moveMarks = (
  action: Pick<FlowAction, 'marks' | 'mark'>,
  before: readonly MarkedPart[],
  after: readonly MarkedPart[],
): Mark[] =>
  marksIn(action).flatMap((mark) => {
    const part = after[before.findIndex(({ uploadId }) => uploadId === mark.uploadId)];
    const page = pageInPart(mark, before);
    return part && page <= part.pages ? [onPart({ ...mark, page }, part)] : [];
  });
