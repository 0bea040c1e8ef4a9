import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { processWide } from '../../../shared/async/process-wide.ts';
import { type ImageType, imageTypeOf } from '../../../shared/files/image-type.ts';
import { logger } from '../../../shared/log/logger.ts';
import { settings } from '../settings.ts';

/** A logo is kilobytes. A larger file is a mistake that every page would load. */
const MAX_LOGO_BYTES = 1_048_576;

type Logo = { readonly bytes: Buffer; readonly mediaType: ImageType; readonly entityTag: string };

const log = logger('batch');
// A reason is logged once: pages ask for the logo all the time.
const reported = processWide('batch.logo-reasons', () => new Set<string>());

/**
 * The file of Branding:CustomerLogo; undefined without one, or where it cannot be shown. It is read at every call, so
 * that a new file is shown without a restart.
 */
export async function readCustomerLogo(): Promise<Logo | undefined> {
  const path = settings['Branding:CustomerLogo'];
  if (path === '') return undefined;
  const read = await readImage(path);
  if (typeof read !== 'string') return read;
  const isNew = !reported.has(`${path}: ${read}`);
  reported.add(`${path}: ${read}`);
  if (isNew) log.warn('The customer logo cannot be shown.', { file: path, reason: read });
  return undefined;
}

/** The image in a file, or why there is none. */
async function readImage(path: string): Promise<Logo | string> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return 'It is no regular file.';
    if (found.size > MAX_LOGO_BYTES)
      return `It has ${found.size} bytes, and a logo at most ${MAX_LOGO_BYTES}.`;
    const bytes = await readFile(path);
    const mediaType = imageTypeOf(bytes);
    if (!mediaType) return 'It is no PNG, JPEG or SVG image.';
    const digest = createHash('sha256').update(bytes).digest('base64url');
    return { bytes, mediaType, entityTag: `"${digest}"` };
  } catch (error) {
    return `It cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`;
  }
}
