import { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { invalid } from '../validate.ts';
import { fileNameIn, type HeaderValue, headerValue } from './header-value.ts';

/** A part whose header has arrived and whose content nobody has read. The form goes on when it was read. */
export type FoundPart = {
  readonly name: string;
  /** Undefined for a field; empty for a file without a name. */
  readonly fileName: string | undefined;
  readonly type: HeaderValue;
  readonly content: Readable;
};

const MAX_FIELDS = 32; // no form of ours has more than a handful
const MAX_HEADERS = 64; // of one part, which has three

/**
 * The parts of a form in their order, as a stream of FoundPart. When the form does not hold, the stream and the part
 * being read fail with the problem; when the stream is destroyed, so is the source.
 */
export function partsOf(source: Readable, boundary: string, maxFiles: number): Readable {
  const parser = new Dicer({ boundary, maxHeaderPairs: MAX_HEADERS });
  const parts = new Readable({
    objectMode: true,
    read() {},
    destroy(error, done) {
      source.unpipe(parser);
      source.destroy();
      done(error);
    },
  });
  const counts = { parts: 0, fields: 0, files: 0 };
  const mostParts = MAX_FIELDS + maxFiles;
  let last: Readable | undefined;

  const fail = (error: Error): void => {
    parts.destroy(error);
    last?.destroy(error);
  };
  const found = (part: FoundPart): void => {
    const [kind, limit] =
      part.fileName === undefined ? (['fields', MAX_FIELDS] as const) : (['files', maxFiles] as const);
    if (++counts[kind] <= limit) parts.push(part);
    else fail(invalid([{ field: kind, message: `are more than ${limit}` }]));
  };

  parser.on('part', (part: Readable) => {
    last = part;
    part.on('error', () => undefined); // told through `parts`
    // Every part costs, also one that describes itself as nothing of a form.
    if (++counts.parts > mostParts) {
      part.resume();
      return fail(invalid([{ field: 'parts', message: `are more than ${mostParts}` }]));
    }
    part.once('header', (headers: Readonly<Record<string, readonly string[]>>) => {
      const described = describe(headers);
      if (!described) return;
      part.pause();
      found({ ...described, content: part });
    });
    // A part that is none of a form's is not read by anyone, and the form ends only when all its parts have.
    part.resume();
  });
  parser.on('finish', () => parts.push(null));
  parser.on('error', () => fail(invalid([{ field: 'body', message: 'is not a whole multipart form' }])));
  source.on('error', fail);
  source.pipe(parser);
  return parts;
}

function describe(
  headers: Readonly<Record<string, readonly string[]>>,
): Omit<FoundPart, 'content'> | undefined {
  const disposition = headerValue(headers['content-disposition']?.[0] ?? '');
  if (disposition.value !== 'form-data') return undefined;
  const type = headerValue(headers['content-type']?.[0] ?? 'text/plain');
  const isFile = type.value === 'application/octet-stream';
  const fileName = fileNameIn(disposition) ?? (isFile ? '' : undefined);
  return { name: disposition.parameters.get('name') ?? '', fileName, type };
}
