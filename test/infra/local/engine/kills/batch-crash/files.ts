import { randomBytes } from 'node:crypto';
import { fileOf, payment, remittance } from '../../../../../functions/batch/jobs/cnab240/remittance.ts';
import { plainPdf } from '../../../../../shared/signing/pades/documents.ts';

/** The profiles of the run: two of the sandbox, and two with something else to count. */
export const PROFILES = {
  default: 'default',
  remittances: 'remessas',
  /** For the holder's certificate, so that openssl opens it. */
  encrypted: 'crash-encrypted',
  /** Outputs are not verified, and payment dates not compared. */
  unchecked: 'crash-unchecked',
} as const;

/** A file to upload, and how its job must end: Completed, or Failed with this code. */
export type MixedFile = {
  readonly name: string;
  readonly profile: string;
  readonly content: Buffer;
  readonly failsWith?: string;
};

type Sample = Omit<MixedFile, 'name' | 'profile'> & { readonly extension: string; readonly profile?: string };

const PAST = '02012020';
const FUTURE = '31122099';
const remittanceOf = (number: number, date = FUTURE): string[] =>
  remittance([payment('A', { value: number + 1, date })]);
const xmlOf = (number: number): string =>
  `<?xml version="1.0"?>\n<note Id="n${number}">File ${number}</note>\n`;

/** A file of each kind, in the order in which they take turns. The number makes each one different. */
async function samplesOf(): Promise<((number: number) => Sample)[]> {
  const pdf = await plainPdf('table');
  const pdfOf = (number: number): Sample => ({
    extension: 'pdf',
    content: Buffer.concat([pdf, Buffer.from(`\n% file ${number}\n`)]),
  });
  const binaryOf = (number: number): Sample => ({
    extension: 'bin',
    content: randomBytes(1_000 + ((number * 7_919) % 60_000)),
  });
  const xml = (content: string, failsWith?: string): Sample => ({
    extension: 'xml',
    content: Buffer.from(content),
    ...(failsWith && { failsWith }),
  });
  const remittanceFor = (profile: string, records: readonly string[], failsWith?: string): Sample => ({
    extension: 'rem',
    content: fileOf(records),
    profile,
    ...(failsWith && { failsWith }),
  });
  const { remittances, encrypted, unchecked } = PROFILES;
  return [
    pdfOf,
    binaryOf,
    (number) => xml(xmlOf(number)),
    (number) => remittanceFor(remittances, remittanceOf(number)),
    (number) => ({
      extension: 'pdf',
      content: Buffer.from(`%PDF-1.7\nThis is no document: ${number}.\n`),
      failsWith: 'job.signing-failed',
    }),
    pdfOf,
    (number) => ({ ...binaryOf(number), profile: encrypted }),
    (number) => remittanceFor(unchecked, remittanceOf(number, PAST)),
    (number) => xml(xmlOf(number)),
    (number) => xml(`<note>${number}`, 'job.signing-failed'),
    binaryOf,
    // The trailer is missing.
    (number) => remittanceFor(remittances, remittanceOf(number).slice(0, -1), 'cnab240.invalid'),
    (number) => remittanceFor(remittances, remittanceOf(number, PAST), 'cnab240.payment-date-passed'),
  ];
}

/** So many files of all kinds. */
export async function mixedFiles(count: number): Promise<MixedFile[]> {
  const samples = await samplesOf();
  return Array.from({ length: count }, (_, number) => {
    const sample = samples[number % samples.length];
    if (!sample) throw new Error('There are samples.');
    const { extension, profile = PROFILES.default, ...file } = sample(number);
    return { ...file, profile, name: `file-${number}.${extension}` };
  });
}
