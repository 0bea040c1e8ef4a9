import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { ROOTS } from './files-of.ts';
import type { KindName } from './kinds.ts';

/** The names of an item's files, and the roots that each may have. */
type Roots = Readonly<Record<string, readonly string[]>>;

/** An XML file as a client sent it, or as it was written of the client's fields. */
export type XmlFile = { readonly name: string; readonly bytes: Buffer };

/** A file as a request carries it. */
export type UploadedXml = { readonly name: string; readonly content: string };

/**
 * The client's own files: all of its kind, each once, well-formed and with the root that its name says. Refused with
 * TooManyFiles or InvalidXml, whose details say which file and why.
 */
export async function readUploads(
  kind: KindName,
  uploads: readonly UploadedXml[],
  roots: Roots = ROOTS[kind],
): Promise<XmlFile[]> {
  const limit = settings.UploadsPerRequest;
  if (uploads.length > limit) throw errors.refuse('TooManyFiles', { limit, files: uploads.length });
  const missing = Object.keys(roots).find((name) => !uploads.some((upload) => upload.name === name));
  if (missing) throw refuse(missing, 'is missing; send all files of the item, or none');
  const seen = new Set<string>();
  const read: XmlFile[] = [];
  for (const { name, content } of uploads) {
    const allowed = Object.hasOwn(roots, name) ? roots[name] : undefined;
    if (!allowed || seen.has(name))
      throw refuse(name, `is not one of ${Object.keys(roots).join(', ')}, each once`);
    seen.add(name);
    read.push(await readOne(name, Buffer.from(content, 'base64'), allowed));
  }
  return read;
}

async function readOne(name: string, bytes: Buffer, allowed: readonly string[]): Promise<XmlFile> {
  const max = settings['Xml:MaxBytes'];
  if (bytes.length > max) throw refuse(name, `has ${bytes.length} bytes; ${max} are allowed`);
  const root = await rootOf(name, bytes);
  if (!allowed.includes(root)) throw refuse(name, `has the root ${root}; expected ${allowed.join(' or ')}`);
  return { name, bytes };
}

/** Loaded on demand: the parser is WebAssembly, and most requests carry no file. */
async function rootOf(name: string, bytes: Buffer): Promise<string> {
  const { openXml } = await import('../../../../shared/signing/xades/xml/tree.ts');
  const { XmlRefused } = await import('../../../../shared/signing/xades/errors.ts');
  try {
    return openXml(bytes).parsed(({ root }) => root.name);
  } catch (error) {
    if (error instanceof XmlRefused) throw refuse(name, error.message);
    throw error;
  }
}

const refuse = (file: string, reason: string) => errors.refuse('InvalidXml', { file, reason });
