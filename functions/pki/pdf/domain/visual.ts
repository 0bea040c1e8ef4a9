import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { files } from '../../../../shared/files/files.ts';
import type { VisualRepresentation } from '../../../../shared/signing/visual/representation.ts';
import { unknownTags } from '../../../../shared/signing/visual/tags.ts';
import { errors } from '../../errors.ts';
import { openFile } from '../../files/domain/receive-file.ts';
import type { ImageResource, PdfSignatureOptions, VisualRepresentationRequest } from '../contract/visual.ts';

type Options = z.output<typeof PdfSignatureOptions>;
type Request = z.output<typeof VisualRepresentationRequest>;

const MAX_IMAGE_BYTES = 2_097_152;

/**
 * The look that a request asks for, with the bytes of its image: plain JSON, of which `visibleOf` makes the look of a signer.
 * @example const visual = await receiveVisual(caller, request.pdfSignatureOptions, nowMs)
 */
export async function receiveVisual(
  caller: Caller,
  options: Options | null | undefined,
  nowMs: number,
  downloadMs?: number,
): Promise<VisualRepresentation | undefined> {
  const asked = options?.visualRepresentation;
  if (!asked) return undefined;
  refuseUndrawable(asked);
  const { position, text, image } = asked;
  return {
    position: {
      ...position,
      measurementUnits: position.measurementUnits ?? options.measurementUnits ?? 'Centimeters',
      pageOptimization: position.pageOptimization ?? options.pageOptimization,
    },
    ...(text?.text && { text }),
    ...(image && {
      image: {
        ...image,
        content: (await receiveImage(caller, image.resource, nowMs, downloadMs)).toString('base64'),
      },
    }),
  };
}

function refuseUndrawable({ position, text, image }: Request): void {
  if (!position.manual && !position.auto) throw errors.refuse('PadesPositionNotFilled');
  const refuse = (reason: string) => errors.refuse('InvalidVisualRepresentation', { reason });
  if (position.manual && position.auto) throw refuse('The position is both manual and automatic.');
  if (!text?.text && !image) throw refuse('It has neither text nor an image.');
  const [tag] = unknownTags(text?.text ?? '');
  if (tag !== undefined) throw refuse(`The text has a tag that is not known: ${tag}.`);
  refuseFontSizeZero(text?.fontSize);
}

export function refuseFontSizeZero(fontSize: number | null | undefined): void {
  if (fontSize === 0) throw errors.refuse('FontSizeZero');
}

/** The bytes of an image. What they are is seen when it is drawn. */
export async function receiveImage(
  caller: Caller,
  { url, content }: z.output<typeof ImageResource>,
  nowMs: number,
  downloadMs?: number,
): Promise<Buffer> {
  const { read, size } = await openFile(caller, { url, content }, nowMs, downloadMs);
  if (size > MAX_IMAGE_BYTES)
    throw errors.refuse('InvalidVisualRepresentation', {
      reason: 'The image is too large.',
      ...{ limitBytes: MAX_IMAGE_BYTES, actualBytes: size },
    });
  return read();
}

// An image is larger than what the store takes in an item, so that a look waits as a file beside the one to sign.

const keyIn = (folder: string): string => `${folder}visual.json`;
const MAX_STORED_BYTES = 2 * MAX_IMAGE_BYTES;

/** Keeps a look between the two steps of a signature, in its folder. */
export async function keepVisual(folder: string, visual: VisualRepresentation): Promise<void> {
  await files('pki').put(keyIn(folder), Buffer.from(JSON.stringify(visual)), {
    contentType: 'application/json',
  });
}

/** The look that the first step kept. */
export async function readVisual(folder: string): Promise<VisualRepresentation> {
  const bytes = await files('pki').read(keyIn(folder), MAX_STORED_BYTES);
  if (!bytes) throw new Error(`The look of a signature is gone: ${keyIn(folder)}.`);
  return JSON.parse(bytes.toString('utf8'));
}
