import * as z from 'zod';
import { PAPER_SIZES } from '../../../../shared/signing/visual/units.ts';

const MAX_LENGTH = 100_000;
const MAX_PAGE = 100_000;
const length = z.number().min(0).max(MAX_LENGTH);

export const MeasurementUnits = z
  .enum(['Centimeters', 'PdfPoints'])
  .meta({ description: 'Of lengths. Left out: centimetres.', examples: ['Centimeters'] });

/** In answers every field is there. */
export const VisualRectangle = z
  .object({
    left: length.nullish(),
    top: length.nullish(),
    right: length.nullish(),
    bottom: length.nullish(),
    width: length.nullish(),
    height: length.nullish(),
  })
  .meta({
    description:
      'A rectangle by its distances from the edges: of each axis two of three. A width or a height alone is centered.',
    examples: [{ left: 2, bottom: 2, width: 7, height: 3 }],
  });

const RectangleSize = z.object({
  height: z.number().gt(0).max(MAX_LENGTH),
  width: z.number().gt(0).max(MAX_LENGTH),
});

export const PageOptimization = z
  .object({
    paperSize: z.enum(PAPER_SIZES).nullish().describe('Left out: A4.'),
    customPaperSize: RectangleSize.nullish().describe('For the paper size `Custom`.'),
    pageOrientation: z.enum(['Auto', 'Portrait', 'Landscape']).nullish(),
  })
  .meta({
    description:
      'The paper that the lengths are for. On a page of another size all is larger or smaller; a new page is of this paper.',
    examples: [{ paperSize: 'A4', pageOrientation: 'Auto' }],
  });

const AutoPositioning = z.object({
  container: VisualRectangle.describe('On the page.'),
  signatureRectangleSize: RectangleSize.describe('Of one signature. It is never larger than the container.'),
  horizontalDirection: z.enum(['LeftToRight', 'RightToLeft']).nullish(),
  verticalDirection: z.enum(['TopDown', 'BottomUp']).nullish(),
  rowSpacing: length.nullish(),
});

const AUTO_EXAMPLE = {
  container: { left: 1.5, top: null, right: 1.5, bottom: 1.5, width: null, height: 2.5 },
  signatureRectangleSize: { height: 2.5, width: 5.8 },
  horizontalDirection: 'LeftToRight',
  verticalDirection: 'TopDown',
  rowSpacing: 0.5,
};

export const VisualPositioning = z
  .object({
    pageNumber: z
      .int()
      .min(-MAX_PAGE)
      .max(MAX_PAGE)
      .describe(
        'From 1; -1 is the last page. 0: a new page behind the last, or the last one of a signed PDF.',
      ),
    measurementUnits: MeasurementUnits.nullish(),
    pageOptimization: PageOptimization.nullish(),
    manual: VisualRectangle.nullish().describe('On the page as a reader displays it.'),
    auto: AutoPositioning.nullish().describe('The first free place of a container, in place of `manual`.'),
  })
  .meta({
    description: 'Where a signature is shown.',
    examples: [
      {
        ...{ pageNumber: -1, measurementUnits: 'Centimeters', pageOptimization: null, manual: null },
        auto: AUTO_EXAMPLE,
      },
    ],
  });

export const HorizontalAlign = z
  .enum(['Left', 'Center', 'Right'])
  .meta({ description: 'Where something is in its rectangle.', examples: ['Left'] });
export const VerticalAlign = z
  .enum(['Top', 'Center', 'Bottom'])
  .meta({ description: 'Where something is in its rectangle.', examples: ['Center'] });
export const opacity = () =>
  z.number().min(0).max(100).nullish().describe('In percent. Left out: 100, opaque.');
export const fontSize = () =>
  z.number().min(0).max(1_000).nullish().describe('In points. Text that does not fit shrinks.');

export const ImageResource = z
  .object({
    url: z
      .string()
      .max(2_048)
      .nullish()
      .describe('Where the service gets the image: with GET, without headers.'),
    content: z.base64().nullish(),
    mimeType: z.string().max(100).nullish(),
  })
  .refine(
    ({ url, content }) => Boolean(url) !== Boolean(content),
    'must say where the image is by one of content and url',
  )
  .meta({ description: 'A PNG or JPEG.', examples: [{ content: 'iVBORw0KGgo=', mimeType: 'image/png' }] });

export const VisualRepresentationRequest = z
  .object({
    position: VisualPositioning,
    text: z
      .object({
        text: z
          .string()
          .max(2_000)
          .describe(
            'With line ends, and tags such as `{{name}}` and `{{br_cpf_formatted}}` for facts of the certificate.',
          ),
        fontSize: fontSize(),
        includeSigningTime: z.boolean().nullish().describe('In a line of its own, in the time of Brasília.'),
        horizontalAlign: HorizontalAlign.nullish(),
        container: VisualRectangle.nullish().describe('In the signature. Left out: all of it.'),
      })
      .nullish(),
    image: z
      .object({
        resource: ImageResource,
        opacity: opacity(),
        horizontalAlign: HorizontalAlign.nullish(),
        verticalAlign: VerticalAlign.nullish(),
      })
      .nullish()
      .describe('Behind the text, as large as the signature allows.'),
  })
  .meta({
    description: 'The look of a signature on a page.',
    examples: [
      {
        position: { pageNumber: -1, manual: { left: 2, bottom: 2, width: 7, height: 3 } },
        text: { text: 'Assinado por {{name}}\n{{br_cpf_masked}}', includeSigningTime: true },
        image: { resource: { content: 'iVBORw0KGgo=', mimeType: 'image/png' }, opacity: 40 },
      },
    ],
  });

/** How a PDF is signed. */
export const PdfSignatureOptions = z
  .object({
    visualRepresentation: VisualRepresentationRequest.nullish(),
    measurementUnits: MeasurementUnits.nullish().describe('Where the position has none.'),
    pageOptimization: PageOptimization.nullish().describe('Where the position has none.'),
  })
  .meta({
    description: 'How a PDF is signed.',
    examples: [
      {
        visualRepresentation: {
          position: { pageNumber: 0, manual: { width: 7, height: 3 } },
          text: { text: 'Assinado por {{name}}' },
        },
        measurementUnits: 'Centimeters',
      },
    ],
  });
