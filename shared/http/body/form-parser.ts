import { Readable } from 'node:stream';
import { MIMEType } from 'node:util';
import { Dicer } from '@fastify/busboy';
import { invalid } from '../validate.ts';

/** A part whose header has arrived and whose content nobody has read. The form goes on when it was read. */
export type FoundPart = {
  readonly name: string;
  /** Undefined for a field; empty for a file without a name. */
  readonly fileName: string | undefined;
  /** Undefined for what is no media type. */
  readonly type: MIMEType | undefined;
  readonly content: Readable;
};

const MAX_FIELDS = 32; // no form of ours has more than a handful
const MAX_HEADERS = 64; // of one part, which has three

// Dicer splits a form into parts. Busboy, the package's layer above it, would read the headers too, but:
// - it ignores `filename*` after `filename`, which is how .NET sends a name with accents;
// - a part without a blank line after its headers makes it wait for ever.

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
  const maxParts = MAX_FIELDS + maxFiles;
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
    // What is left of a chunk is split all the same: a thousand parts are refused once, and not with an error for each.
    if (parts.destroyed) return void part.resume();
    // Every part costs, also one that describes itself as nothing of a form.
    if (++counts.parts > maxParts) {
      part.resume();
      return fail(invalid([{ field: 'parts', message: `are more than ${maxParts}` }]));
    }
    part.once('header', (headers: Headers) => {
      const described = describe(headers);
      if (!described) return;
      part.pause();
      found({ ...described, content: part });
    });
    // A part that is none of a form's is not read by anyone, and the form ends only when all its parts have.
    part.resume();
  });
  // The closing boundary is not the end: a body that stops before its Content-Length is cut short.
  let awaited = 2;
  const end = (): void => {
    awaited -= 1;
    if (awaited === 0) parts.push(null);
  };
  source.once('end', end);
  parser.on('error', () => fail(invalid([{ field: 'body', message: 'is not a whole multipart form' }])));
  source.on('error', fail);
  source.pipe(parser);
  // After the pipe's own listener, which lets go of the source: the parser finishes at the closing boundary.
  parser.once('finish', () => {
    end();
    source.resume();
  });
  return parts;
}

type Headers = Readonly<Record<string, readonly string[]>>;

function describe(headers: Headers): Omit<FoundPart, 'content'> | undefined {
  const disposition = headers['content-disposition']?.[0] ?? '';
  if (!/^\s*form-data\s*(;|$)/i.test(disposition)) return undefined;
  const parameters = parametersOf(disposition);
  const type = mediaType(headers['content-type']?.[0] ?? 'text/plain');
  const isFile = type?.essence === 'application/octet-stream';
  const fileName = fileNameIn(parameters) ?? (isFile ? '' : undefined);
  return { name: parameters.get('name') ?? '', fileName, type };
}

function mediaType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

// The characters of a header are its bytes.
function parametersOf(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of header.matchAll(PARAMETER)) {
    // Only what must be escaped is taken as escaped: some browsers send Windows paths as they are.
    const text = quoted === undefined ? token.trim() : quoted.replace(/\\(["\\])/g, '$1');
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, Buffer.from(text, 'latin1').toString('utf8'));
  }
  return parameters;
}

/** The file name, without any folder: the extended one of RFC 5987 where it can be read, else the plain one. */
function fileNameIn(parameters: ReadonlyMap<string, string>): string | undefined {
  const name = extended(parameters.get('filename*')) ?? parameters.get('filename');
  const last = name?.split(/[/\\]/).at(-1);
  return last === '.' || last === '..' ? '' : last;
}

// UTF-8'pt-BR'procura%C3%A7%C3%A3o.pdf
function extended(text: string | undefined): string | undefined {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/s.exec(text ?? '') ?? [];
  if (charset.toLowerCase() !== 'utf-8') return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
