import { ONE_PAGE } from '../../signing/pades/documents.ts';
import { type Body, type FileOptions, fileOf } from './file.ts';

/** A file of about so many bytes, made to cost time or memory. */
export type Shape = (bytes: number) => Buffer | Promise<Buffer>;

export type Objects = Readonly<Record<number, Body>>;

export const makeFile = (objects: Objects, options: FileOptions = {}): Buffer =>
  fileOf(
    new Map(Object.entries({ ...ONE_PAGE, ...objects }).map(([id, body]) => [Number(id), body])),
    options,
  );

export const fill = (unit: string, bytes: number): string =>
  unit.repeat(Math.max(1, Math.floor(bytes / unit.length)));

export const repeat = (count: number, make: (at: number) => string): string =>
  Array.from({ length: Math.floor(count) }, (_, at) => make(at)).join('');

export const numberObjects = <Of>(count: number, make: (at: number) => Of, first = 10): Map<number, Of> =>
  new Map(Array.from({ length: Math.floor(count) }, (_, at) => [first + at, make(at)] as const));

export const withForm = (form: string): string => `<</Type/Catalog/Pages 2 0 R/AcroForm<<${form}>>>>`;

export const SIGNATURE = `/SubFilter/ETSI.CAdES.detached/ByteRange[0 9 19 9]/Contents<${'30'.repeat(50)}>`;

// The smallest value of each kind.
export const UNITS = ['()', '<>', '<<>>', '[]', '/A', '0 ', '.1 ', '1 0 R ', '99999999999 ', 'null '];

/** A file with a table, each object in its own run. */
export function makeTableFile(objects: Objects): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const bodies = { ...ONE_PAGE, ...objects };
  const ids = Object.keys(bodies).map(Number);
  const runs: string[] = ['0 1\n0000000000 65535 f \n'];
  for (const id of ids) {
    const body = bodies[id as keyof typeof bodies] as Body;
    const part = Buffer.concat([
      Buffer.from(`${id} 0 obj\n`),
      typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
      Buffer.from('\nendobj\n'),
    ]);
    runs.push(`${id} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
    parts.push(part);
    at += part.length;
  }
  const size = (ids.at(-1) ?? 0) + 1;
  const end = `xref\n${runs.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}
