import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { PageChoice } from '../../../../shared/signing/pades/appearance/place.ts';
import { isSignedPdf } from '../../../../shared/signing/pades/marks/add-marks.ts';
import type {
  Color,
  Mark,
  MarkContent,
  MarkElement,
  TextSection,
} from '../../../../shared/signing/pades/marks/mark.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { ALIGNS } from '../../../../shared/signing/visual/representation.ts';
import { type MeasurementUnits, marginsOf, paperOf } from '../../../../shared/signing/visual/units.ts';
import { errors } from '../../errors.ts';
import { maxFileBytes } from '../../files/limits.ts';
import type { PdfMark } from '../contract/marks.ts';
import type { PageOptimization } from '../contract/visual.ts';
import { markInThread } from './marking/mark-in-thread.ts';
import { withRefusals } from './refusals.ts';
import { receiveImage, refuseFontSizeZero } from './visual.ts';

type MarkRequest = z.output<typeof PdfMark>;
type ElementRequest = MarkRequest['elements'][number];
type ColorRequest = NonNullable<MarkRequest['borderColor']>;

type Marks = {
  readonly marks: readonly MarkRequest[];
  readonly measurementUnits?: MeasurementUnits | null | undefined;
  readonly pageOptimization?: z.output<typeof PageOptimization> | null | undefined;
};

/** Whether a PDF has a signature, so that no mark can be added. */
export const hasSignature = (pdf: Buffer): Promise<boolean> =>
  withRefusals('marking', () => isSignedPdf(sourceOf(pdf)));

/** The PDF with the marks in it. A signed one is refused. */
export async function markPdf(caller: Caller, pdf: Buffer, request: Marks, nowMs: number): Promise<Buffer> {
  const units = request.measurementUnits ?? 'Centimeters';
  const marks: Mark[] = [];
  const receive = imageReceiver(caller, nowMs);
  for (const mark of request.marks) marks.push(await readMark(mark, units, receive));
  const paper = paperOf(units, request.pageOptimization);
  return withRefusals('marking', () => markInThread(caller.application, { pdf, marks, paper }));
}

type Resource = NonNullable<ElementRequest['image']>['resource'];
type ReceiveImage = (resource: Resource) => Promise<Buffer>;

// More than a person looks at. Each address is called, one after the other.
const MAX_FETCHED_IMAGES = 50;

/** Receives the images of a request: each address is called once, and all of them have a limit before they are kept. */
function imageReceiver(caller: Caller, nowMs: number): ReceiveImage {
  const fetched = new Map<string, Buffer>();
  let leftBytes = maxFileBytes();
  return async (resource) => {
    const { url } = resource;
    const known = url ? fetched.get(url) : undefined;
    if (known) return known;
    if (url && fetched.size === MAX_FETCHED_IMAGES)
      throw refuseImages(`Images of more than ${MAX_FETCHED_IMAGES} addresses are asked for.`);
    const image = await receiveImage(caller, resource, nowMs);
    leftBytes -= image.length;
    if (leftBytes < 0) throw refuseImages(`The images have more than ${maxFileBytes()} bytes in all.`);
    if (url) fetched.set(url, image);
    return image;
  };
}

const refuseImages = (explanation: string) =>
  errors.refuse('CannotApplyPdfMarks', { reason: 'marks-too-large', explanation });

async function readMark(mark: MarkRequest, units: MeasurementUnits, receive: ReceiveImage): Promise<Mark> {
  const elements: MarkElement[] = [];
  for (const each of mark.elements) elements.push(await readElement(each, units, receive));
  return {
    pages: pagesOf(mark),
    within: mark.container ? marginsOf(units, mark.container) : undefined,
    borderPoints: mark.borderWidth ?? 0,
    borderColor: colorOf(mark.borderColor, BLACK),
    background: colorOf(mark.backgroundColor, NONE),
    elements,
  };
}

function pagesOf({ pageOption, pageOptionNumber }: MarkRequest): PageChoice | 'all' {
  const number = pageOptionNumber ?? 1;
  switch (pageOption) {
    case 'SinglePage':
      return number;
    case 'SinglePageFromEnd':
      // There is no page 0 from either end.
      return number === 0 ? 0 : -number;
    case 'NewPage':
      return 'new';
    default:
      return 'all';
  }
}

const BLACK: Color = { rgb: [0, 0, 0], opacity: 1 };
const NONE: Color = { rgb: [1, 1, 1], opacity: 0 };

const colorOf = (color: ColorRequest | null | undefined, byDefault: Color): Color =>
  color
    ? { rgb: [color.red / 255, color.green / 255, color.blue / 255], opacity: (color.alpha ?? 100) / 100 }
    : byDefault;

async function readElement(
  element: ElementRequest,
  units: MeasurementUnits,
  receive: ReceiveImage,
): Promise<MarkElement> {
  const { relativeContainer, rotation, align, verticalAlign, opacity } = element;
  const isText = element.elementType === 'Text';
  return {
    ...(await contentOf(element, receive)),
    within: relativeContainer ? marginsOf(units, relativeContainer) : undefined,
    rotation: rotation ?? 0,
    horizontal: ALIGNS[align ?? (isText ? 'Left' : 'Center')],
    vertical: ALIGNS[verticalAlign ?? (isText ? 'Top' : 'Center')],
    opacity: (opacity ?? 100) / 100,
  };
}

async function contentOf(element: ElementRequest, receive: ReceiveImage): Promise<MarkContent> {
  const { elementType, textSections, image, qrCodeData } = element;
  if (elementType === 'Text' && textSections?.length)
    return { kind: 'text', sections: textSections.map(sectionOf) };
  if (elementType === 'Image' && image) return { kind: 'image', image: await receive(image.resource) };
  if (elementType === 'QRCode' && qrCodeData)
    return { kind: 'qr-code', data: qrCodeData, quietZones: element.qrCodeDrawQuietZones ?? false };
  throw errors.refuse('CannotApplyPdfMarks', {
    reason: 'empty-element',
    explanation: `An element of the type ${elementType} has no ${CONTENTS[elementType]}.`,
  });
}

const CONTENTS = { Text: 'textSections', Image: 'image', QRCode: 'qrCodeData' } as const;
const FACES = { Normal: 'Helvetica', Bold: 'HelveticaBold', Italic: 'HelveticaOblique' } as const;
const DEFAULT_POINTS = 12;

function sectionOf({
  text,
  style,
  color,
  fontSize,
}: NonNullable<ElementRequest['textSections']>[number]): TextSection {
  refuseFontSizeZero(fontSize);
  return {
    ...{ text, face: FACES[style ?? 'Normal'], color: colorOf(color, BLACK) },
    sizePoints: fontSize ?? DEFAULT_POINTS,
  };
}
