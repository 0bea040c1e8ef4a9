import { buffer } from 'node:stream/consumers';
import { fileOf } from '../../../shared/http/declaration.ts';
import { type Answer, CANNOT_RUN, file, isStream } from '../../../shared/http/response/answer.ts';
import { fileInParts } from '../../../shared/http/response/parts.ts';
import type { Content } from '../domain/downloads/stored-content.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

/** A file of any type, as it was uploaded. */
export const ANY_FILE = fileOf('*/*');

type ResponseOptions = {
  /** Only for types that browsers isolate from the site, such as PDF. */
  readonly inline?: boolean;
  /** The same, under no name. */
  readonly preview?: boolean;
  /** Whether the endpoint answers a part where one is asked for. */
  readonly takesRange?: boolean;
};

/** A content as a download. */
export function contentResponse(
  { body, contentType, name, size, part }: Content,
  { preview = false, inline = preview, takesRange = false }: ResponseOptions = {},
): Answer {
  const type = mediaTypeOf(contentType);
  const options = { inline, headers: inline ? {} : CANNOT_RUN };
  if (takesRange && isStream(body)) return fileInParts(body, type, { ...options, name, size, part });
  return file(body, type, { ...options, ...(!preview && { name }), length: size });
}

/** A content inside of JSON, which is held in memory whole. */
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

// The uploader names the type of a file. Text that is no media type must not reach a header.
const mediaTypeOf = (named: string): string => (MEDIA_TYPE.test(named) ? named : 'application/octet-stream');
