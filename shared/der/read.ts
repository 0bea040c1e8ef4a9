import { type Element as AnyElement, readElement } from './element.ts';

// The reader as the server uses it: the same functions as in a page, on Buffers.

export { children, childrenOf, DerError, eachChild, expectTag, TooManyElements } from './element.ts';
export {
  readBitString,
  readBoolean,
  readCount,
  readInteger,
  readOid,
  readWholeBytes,
} from './values.ts';

/** One element: its tag, its content, and its bytes as they stand in the source. */
export type Element = AnyElement<Buffer>;

/** The one element that these bytes are. Bytes after it are refused. @example const certificate = readDer(bytes) */
export const readDer = (bytes: Uint8Array): Element => readElement(asBuffer(bytes));

/** The same memory as a Buffer. @example asBuffer(uint8Array).toString('hex') */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
