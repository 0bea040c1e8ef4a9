import * as z from 'zod';
import { takesNeutral } from '../../../shared/http/unknown-fields.ts';
import { MARK, UPPER_LEFT_MARK } from './examples.ts';
import { orNull } from './fields.ts';

export const MARK_TYPES = [
  'SignatureVisualRepresentation',
  'SignatureInitials',
  'AuthenticationStamp',
] as const;
export type MarkType = (typeof MARK_TYPES)[number];

// Thousandths of a point are finer than any paper.
const points = (least: number) =>
  z
    .number()
    .min(least)
    .max(20_000)
    .overwrite((value) => Math.round(value * 1000) / 1000);

const page = z.int().min(1).max(100_000);

export const MarkModel = z
  .object({ page, x: points(0), y: points(0), width: points(10), height: points(10) })
  .meta({
    description: 'Where a signature is shown, in points from the lower left corner of the page.',
    examples: [MARK],
  });

// Models of other platforms write 0 for a size that nobody set.
const DEFAULT_WIDTH = 180;
const size = z.union([z.literal(0), points(10)]).nullish();

const UPPER_LEFT = {
  pageNumber: page.nullish(),
  page: page.nullish().describe('The same as `pageNumber`; one of them is required.'),
  topLeftX: points(0),
  topLeftY: points(0),
  width: size.describe('Left out: 180.'),
  height: size.describe('Left out: a third of the width.'),
};

type UpperLeft = z.output<z.ZodObject<typeof UPPER_LEFT>>;

/** The place as the platform keeps it. */
function placeFromTop(
  { pageNumber, page: named, topLeftX, topLeftY, width, height }: UpperLeft,
  context: z.RefinementCtx,
) {
  const page = pageNumber ?? named;
  if (page == null) {
    context.addIssue({ code: 'custom', path: ['pageNumber'], message: 'is required' });
    return z.NEVER;
  }
  const wide = width || DEFAULT_WIDTH;
  return {
    from: 'top' as const,
    page,
    x: topLeftX,
    y: topLeftY,
    width: wide,
    height: height || Math.round((wide * 1000) / 3) / 1000,
  };
}

/** Where a signer shows the signature, from either corner. */
export const PositionRequest = z.union([MarkModel, z.object(UPPER_LEFT).transform(placeFromTop)]).meta({
  description: 'Where a signer shows the signature, from either corner of the page.',
  examples: [MARK],
});

const uploadId = orNull(z.uuid()).describe(
  'The file it is on, whose pages are counted from 1 in an envelope too. Left out: every file of the call.',
);

const LowerLeftRequest = MarkModel.extend({ uploadId }).transform(({ uploadId, ...mark }) => ({
  ...mark,
  ...(uploadId !== null && { uploadId }),
}));

const UpperLeftRequest = takesNeutral(
  z.object({
    ...UPPER_LEFT,
    type: orNull(z.enum(MARK_TYPES)).describe(
      'The signature itself, unless it is said; the initials of the signer; or the verification code of the document.',
    ),
    uploadId,
  }),
  { fontSize: [0] },
).transform(({ type, uploadId, ...upperLeft }, context) => ({
  ...placeFromTop(upperLeft, context),
  ...(type !== null && { type }),
  ...(uploadId !== null && { uploadId }),
}));

/** A mark of an action, from either corner. */
export const MarkRequest = z.union([LowerLeftRequest, UpperLeftRequest]).meta({
  description: 'A mark of an action, from either corner of the page.',
  examples: [MARK],
});

export const UpperLeftMarkModel = z
  .object({
    type: z.enum(MARK_TYPES),
    uploadId: z.string().nullable(),
    pageNumber: z.int(),
    topLeftX: z.number(),
    topLeftY: z.number(),
    width: z.number(),
    height: z.number(),
  })
  .meta({
    description: 'A mark of an action, in points from the upper left corner of the page.',
    examples: [UPPER_LEFT_MARK],
  });
