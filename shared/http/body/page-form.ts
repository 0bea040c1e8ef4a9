import * as z from 'zod';
import { type Multipart, multipartBody } from './multipart.ts';
import { formBody, oneOf } from './reader.ts';

/** The fields of a form that was sent. */
export type Form = {
  /** The value of a field; empty where it was not sent. The last one counts. */
  readonly text: (name: string) => string;
  /** Every value of a field, such as the checked boxes of a list. */
  readonly all: (name: string) => readonly string[];
  readonly has: (name: string) => boolean;
  /** The bytes of a chosen file. Undefined where none was chosen. */
  readonly file: (name: string) => Buffer | undefined;
};

const Fields = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .describe('The fields of a form.');

// A key file with its chain is some kilobytes, and so is a logo; a form has at most one, and a few more fields for files
// left empty.
const MAX_FILE_BYTES = 1_048_576;
const MAX_FILES = 4;
// The longest form there is: a profile with its approvers, and the certificates that it encrypts for.
const MAX_FORM_BYTES = 262_144;

/** A form of a page, with or without a file. */
export const pageForm = oneOf(
  { ...formBody(Fields), ceilingBytes: () => MAX_FORM_BYTES },
  multipartBody({ maxFiles: () => MAX_FILES, maxFileBytes: () => MAX_FILE_BYTES, schema: {} }),
);

/** Reads what was sent, whole. @example const form = await readForm(body); form.text('name') */
export async function readForm(body: z.output<typeof Fields> | Multipart): Promise<Form> {
  const fields = new Map<string, string[]>();
  const files = new Map<string, Buffer>();
  if (isMultipart(body)) {
    for await (const part of body.parts) {
      if (part.kind === 'field') fields.set(part.name, [...(fields.get(part.name) ?? []), part.value]);
      else {
        const bytes = Buffer.concat(await part.content.toArray());
        // A browser sends an empty part for a field in which no file was chosen.
        if (bytes.length > 0) files.set(part.name, bytes);
      }
    }
  } else for (const [name, value] of Object.entries(body)) fields.set(name, [value].flat());
  return {
    text: (name) => fields.get(name)?.at(-1) ?? '',
    all: (name) => fields.get(name) ?? [],
    has: (name) => fields.has(name),
    file: (name) => files.get(name),
  };
}

const isMultipart = (body: object): body is Multipart =>
  'parts' in body &&
  typeof body.parts === 'object' &&
  body.parts !== null &&
  Symbol.asyncIterator in body.parts;
