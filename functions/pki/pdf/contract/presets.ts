import * as z from 'zod';

const whole = (description: string, example: string) =>
  z
    .string()
    .regex(/^(?:|null|-?\d{1,6})$/, 'is not a whole number')
    .optional()
    .meta({ description, examples: [example] });

export const PresetPageQuery = z.object({
  pageNumber: whole('From 1; -1 is the last page, and the default.', '-1'),
});

export const FootnoteQuery = PresetPageQuery.extend({
  rows: whole('How many rows of signatures there is room for, from 1.', '1'),
});

const length = z.number().nullable();

export const VisualPositioningModel = z
  .object({
    pageNumber: z.int(),
    measurementUnits: z.enum(['Centimeters', 'PdfPoints']),
    pageOptimization: z.null(),
    manual: z.null(),
    auto: z.object({
      container: z.object({
        left: length,
        top: length,
        right: length,
        bottom: length,
        width: length,
        height: length,
      }),
      signatureRectangleSize: z.object({ height: z.number(), width: z.number() }),
      horizontalDirection: z.enum(['LeftToRight', 'RightToLeft']),
      verticalDirection: z.enum(['TopDown', 'BottomUp']),
      rowSpacing: z.number(),
    }),
  })
  .meta({
    description: 'A position to change as one likes, and to send with a visual representation.',
    examples: [
      {
        ...{ pageNumber: -1, measurementUnits: 'Centimeters', pageOptimization: null, manual: null },
        auto: {
          container: { left: 1.5, top: null, right: 1.5, bottom: 1.5, width: null, height: 2.5 },
          signatureRectangleSize: { height: 2.5, width: 5.8 },
          horizontalDirection: 'LeftToRight',
          verticalDirection: 'TopDown',
          rowSpacing: 0.5,
        },
      },
    ],
  });
