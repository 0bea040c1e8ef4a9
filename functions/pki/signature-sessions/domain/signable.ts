import { files } from '../../../../shared/files/files.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import type { SignatureInput } from '../../../../shared/signing/two-step/format.ts';
import type { SessionDocument } from './session.ts';

/** A file that a session names is not in the bucket. */
export class FileGone extends Error {
  override readonly name = 'FileGone';
}

type Signing = {
  readonly certificate: Certificate;
  readonly chain: readonly Certificate[];
  readonly signingTimeMs: number;
};

/** A document as the formats take it: signed once, and by nobody after. */
export const signableOf = (
  { original: { key, size } }: SessionDocument,
  signing: Signing,
): SignatureInput => ({
  ...signing,
  file: { read: () => readFile(key, size), stream: () => streamOf(key), isSigned: false },
  isTimestamped: false,
  othersFollow: false,
});

async function readFile(key: string, size: number): Promise<Buffer> {
  return (await files('pki').read(key, size)) ?? gone(key);
}

async function* streamOf(key: string): AsyncGenerator<Uint8Array> {
  const { stream } = (await files('pki').get(key)) ?? gone(key);
  try {
    yield* stream;
  } finally {
    stream.destroy();
  }
}

function gone(key: string): never {
  throw new FileGone(`The file ${key} is not there. Start a new session with the document.`);
}
