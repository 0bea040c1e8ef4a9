import * as z from 'zod';
import { takesNeutral } from '../../../../shared/http/unknown-fields.ts';
import { FILE } from '../../examples.ts';
import { EarlierFileModel, FileModel, FileReference, FileReferenceModel } from '../../files/contract.ts';
import {
  fontSize,
  HorizontalAlign,
  ImageResource,
  MeasurementUnits,
  opacity,
  PageOptimization,
  VerticalAlign,
  VisualRectangle,
} from './visual.ts';

const part = z.int().min(0).max(255);
const Color = z.object({
  red: part,
  green: part,
  blue: part,
  alpha: z.number().min(0).max(100).nullish().describe('In percent. Left out: 100, opaque.'),
});

const TextSection = z.object({
  text: z.string().max(5_000),
  style: z.enum(['Normal', 'Bold', 'Italic']).nullish(),
  color: Color.nullish(),
  fontSize: fontSize(),
});

const Element = z.object({
  elementType: z.enum(['Text', 'Image', 'QRCode']),
  relativeContainer: VisualRectangle.nullish().describe('In the mark. Left out: all of it.'),
  rotation: z.int().min(-360).max(360).nullish().describe('In degrees, against the clock.'),
  textSections: z.array(TextSection).max(50).nullish().describe('For `Text`.'),
  image: z.object({ resource: ImageResource }).nullish().describe('For `Image`.'),
  qrCodeData: z.string().max(2_000).nullish().describe('For `QRCode`.'),
  qrCodeDrawQuietZones: z.boolean().nullish(),
  align: HorizontalAlign.nullish(),
  verticalAlign: VerticalAlign.nullish(),
  opacity: opacity(),
});

export const PdfMark = z
  .object({
    elements: z.array(Element).max(50),
    container: VisualRectangle.nullish().describe('On the page. Left out: all of it.'),
    borderWidth: z.number().min(0).max(1_000).nullish().describe('In points.'),
    borderColor: Color.nullish(),
    backgroundColor: Color.nullish(),
    pageOption: z.enum(['AllPages', 'SinglePage', 'SinglePageFromEnd', 'NewPage']).nullish(),
    pageOptionNumber: z
      .int()
      .min(0)
      .max(100_000)
      .nullish()
      .describe('From 1, which it is where it is left out.'),
  })
  .meta({
    description: 'Text, images and codes that are drawn into pages.',
    examples: [
      {
        container: { left: 1.5, right: 1.5, bottom: 1, height: 2 },
        borderWidth: 1,
        pageOption: 'AllPages',
        elements: [
          {
            elementType: 'Text',
            textSections: [{ text: 'Confira em ' }, { text: 'assina.example.com', style: 'Bold' }],
          },
          {
            elementType: 'QRCode',
            qrCodeData: 'https://assina.example.com/v/ABCD',
            relativeContainer: { right: 0.1, width: 1.8, top: 0.1, bottom: 0.1 },
          },
        ],
      },
    ],
  });

export const PdfMarks = z
  .array(PdfMark)
  .max(50)
  .meta({
    description: 'Marks, each over those before it.',
    examples: [[{ elements: [{ elementType: 'Text', textSections: [{ text: 'Minuta' }] }] }]],
  });

// Only a signed PDF has signatures to preserve, and it is not marked.
export const AddMarksRequest = takesNeutral(
  z
    .object({
      file: FileModel,
      marks: PdfMarks,
      abortIfSigned: z.boolean().nullish().describe('A signed PDF is refused either way.'),
      measurementUnits: MeasurementUnits.nullish(),
      pageOptimization: PageOptimization.nullish(),
      forceBlobResult: z.boolean().nullish().describe('The file is answered as an upload and a link.'),
    })
    .meta({
      description: 'A PDF, and what is drawn into it.',
      examples: [
        {
          file: { content: 'JVBERi0xLjcK' },
          marks: [
            {
              container: { left: 1.5, right: 1.5, bottom: 1, height: 2 },
              elements: [{ elementType: 'Text', textSections: [{ text: 'Minuta' }] }],
            },
          ],
          measurementUnits: 'Centimeters',
        },
      ],
    }),
  { preserveSignaturesVisualRepresentation: [true] },
);

export const MarkedFileModel = z
  .object({
    file: EarlierFileModel,
  })
  .meta({
    description: 'The marked PDF.',
    examples: [
      { file: { mimeType: 'application/pdf', content: 'JVBERi0xLjcK', blobToken: null, url: null } },
    ],
  });

export const StampPdfRequest = z
  .object({
    file: FileReference,
    customSignatureFieldName: z.string().max(200).nullish(),
    reason: z.string().max(500).nullish(),
    forceBlobResult: z.boolean().nullish().describe('The file is answered as an upload and a link.'),
  })
  .meta({ description: 'A PDF to put a timestamp over.', examples: [{ file: { content: 'JVBERi0xLjcK' } }] });

export const StampedFileModel = z
  .object({ file: FileReferenceModel })
  .meta({ description: 'The PDF with the timestamp.', examples: [{ file: FILE }] });
