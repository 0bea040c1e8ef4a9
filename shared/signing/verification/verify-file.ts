import type { Source } from '../cms/input.ts';
import type { Judge } from '../cms/judge.ts';
import { LOOKED_AT_BYTES } from '../format.ts';
import type { SignatureFormat } from '../format-of.ts';
import { concludeFile } from './conclusion.ts';
import { detectFormat, isBareBase64 } from './detect.ts';
import type { FoundFile } from './found.ts';
import { judgedCertificates, type TrustOptions } from './judged-certificates.ts';
import { VerificationRefused } from './refused.ts';
import type { VerificationReport } from './report.ts';
import { signatureModel } from './signature-model.ts';

/** A file to verify. CMS is streamed and may be of any size; PDF and XML are held in memory. */
export type VerifiableFile = {
  readonly name?: string | undefined;
  /** The first LOOKED_AT_BYTES (format.ts) bytes, or the whole of a smaller file. */
  readonly head: Buffer;
  stream(): Source;
  bytes(): Promise<Uint8Array>;
};

export type VerifyFileOptions = {
  readonly trust: TrustOptions;
  /** When certificates are judged, unless a timestamp proves an earlier time. */
  readonly atMs: number;
  /** The content of a detached signature. */
  readonly content?: Pick<VerifiableFile, 'name' | 'stream'> | undefined;
  /** For XML: selectors of the elements that must be covered. The default is the whole document. */
  readonly covers?: readonly string[] | undefined;
};

/**
 * Reports on a file's signatures, in any format. Throws VerificationRefused for a file without supported signatures, and
 * nothing else for what a file holds.
 * @example const { outcome, signatures } = await verifyFile(inMemory(bytes, 'a.pdf'), { trust: { anchors }, atMs });
 */
export async function verifyFile(
  file: VerifiableFile,
  options: VerifyFileOptions,
): Promise<VerificationReport> {
  const format = formatOf(file.head, options);
  const certificates = judgedCertificates(options.trust);
  const found = await findSignatures(format, file, { ...options, judge: certificates.judge });
  const signatures = found.signatures.map((one) => signatureModel(one, certificates));
  return {
    file: file.name ?? null,
    format,
    ...concludeFile(found, signatures, certificates.hasAnchors),
    coverage: found.coverage,
    validationResults: found.results ?? null,
    signatures,
  };
}

/** A file in memory. */
export const inMemory = (bytes: Buffer, name?: string): VerifiableFile => ({
  name,
  head: bytes.subarray(0, LOOKED_AT_BYTES),
  stream: () => bytes,
  bytes: async () => bytes,
});

export type FindOptions = Omit<VerifyFileOptions, 'trust'> & { readonly judge: Judge };
type Find = (file: Pick<VerifiableFile, 'stream' | 'bytes'>, options: FindOptions) => Promise<FoundFile>;

/**
 * The signatures of a file of a known format, and no conclusion about the file. Throws VerificationRefused for a file
 * that is not of the format.
 * @example const { signatures, coverage } = await findSignatures('CAdES', file, { judge, atMs });
 */
export const findSignatures = (format: SignatureFormat, ...file: Parameters<Find>): Promise<FoundFile> =>
  FINDERS[format](...file);

// Each verifier is loaded on demand: a function that meets only PDFs never loads the XML parser.
const FINDERS: Readonly<Record<SignatureFormat, Find>> = {
  async PAdES(file, { atMs, judge }) {
    const { findInPdf } = await import('./pades.ts');
    return findInPdf(await file.bytes(), { judge, atMs });
  },
  async CAdES(file, { atMs, judge, content }) {
    const { findInCms } = await import('./cades.ts');
    return findInCms(file.stream(), {
      ...{ judge, atMs },
      content: content && { name: content.name, source: content.stream() },
    });
  },
  async XAdES(file, { atMs, judge, covers = [] }) {
    const { findInXml } = await import('./xades.ts');
    return findInXml(await file.bytes(), { judge, atMs, covers });
  },
};

function formatOf(head: Buffer, { content }: VerifyFileOptions): SignatureFormat {
  if (head.length === 0) throw new VerificationRefused('empty', 'The file is empty.');
  if (isBareBase64(head))
    throw new VerificationRefused(
      'bare-base64',
      'The file is Base64 text without its BEGIN and END lines. Decode it and verify that.',
    );
  const format = detectFormat(head);
  if (!format)
    throw new VerificationRefused(
      'not-a-signature',
      'The file holds no signature: it is no PDF, no XML and no CMS file (.p7m, .p7s).',
    );
  if (content && format !== 'CAdES')
    throw new VerificationRefused(
      'content-not-needed',
      `The file is ${format === 'PAdES' ? 'a PDF' : 'an XML document'}, which carries its signatures inside. Leave the content out.`,
    );
  return format;
}
