import { buffer } from 'node:stream/consumers';
import { type Answer, file, isStream } from '../../../shared/http/answer.ts';
import { fileOf } from '../../../shared/http/declaration.ts';
import type { Content } from '../domain/downloads/stored-content.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

/** Files of any type, as they were uploaded. */
export const ANY_FILE = fileOf('*/*');

// What somebody uploaded must not run as a page of this site (stored XSS), whatever a browser makes of the download.
const CANNOT_RUN = { 'content-security-policy': "sandbox; default-src 'none'" };

/** A content as a download; `inline` only for what browsers show apart from the site that it comes from. */
export const contentResponse = ({ body, contentType, name }: Content, { inline = false } = {}): Answer =>
  file(body, mediaTypeOf(contentType), { name, inline, headers: inline ? {} : CANNOT_RUN });

/** The same inside of JSON, which has to be held whole. */
export async function contentAsBase64({ body, contentType, name, size }: Content) {
  const limitBytes = settings['Downloads:MaxBase64Bytes'];
  if (size > limitBytes) {
    if (isStream(body)) body.destroy();
    throw errors.refuse('ContentTooLarge', { limitBytes, actualBytes: size });
  }
  const bytes = isStream(body) ? await buffer(body) : Buffer.from(body);
  return { name, contentType: mediaTypeOf(contentType), bytes: bytes.toString('base64') };
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[ \t]*[\w-]+=[\w.-]+)*$/;

// Whoever uploaded a file said what it is; what is no media type cannot be sent as one.
const mediaTypeOf = (told: string): string => (MEDIA_TYPE.test(told) ? told : 'application/octet-stream');
