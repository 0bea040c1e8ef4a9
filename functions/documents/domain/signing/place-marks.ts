import { errors } from '../../errors.ts';
import type { Document } from '../document/document.ts';
import { isSignatureMark, type Mark, marksIn } from '../flow/flow.ts';
import { requireMarkedFiles } from '../flow/new-flow.ts';
import { marksOnParts } from '../flow/part-marks.ts';
import { uploadOf } from '../uploads/upload.ts';

/** The marks of a request on the pages of a document that is there. Refused where one names a file of another. */
export function placeOnDocument(
  marks: readonly Mark[],
  { parts, original, flow }: Pick<Document, 'parts' | 'original' | 'flow'>,
  field: string,
): Mark[] {
  // A form that was filled in is stored as another upload, and its marks keep the id that the caller knows.
  const known = flow.flatMap((action) => marksIn(action).flatMap(({ uploadId }) => uploadId ?? []));
  const uploadIds = parts?.map(({ uploadId }) => uploadId) ?? [uploadOf(original.key) ?? '', ...known];
  requireMarkedFiles([{ marks }], uploadIds, field);
  return parts ? marks.flatMap((mark) => marksOnParts(mark, parts, field)) : [...marks];
}

/**
 * The places that a signer chose. One that names a file counts its pages there; one that names none is on a page of the
 * document as the signer sees it.
 */
export function placeChosen(marks: readonly Mark[], document: Document): Mark[] {
  const field = 'signaturePositions';
  const other = marks.find((mark) => !isSignatureMark(mark));
  if (other)
    throw errors.refuse('OptionNotSupported', {
      ...{ option: 'type', field: `${field}.type` },
      reason: `A signer chooses places of the signature. Marks of the type ${other.type} are of the action.`,
    });
  return marks.flatMap((mark) => (mark.uploadId ? placeOnDocument([mark], document, field) : [mark]));
}
