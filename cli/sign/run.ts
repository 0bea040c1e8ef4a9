import { statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { displayName } from '../../shared/pki/findings/display.ts';
import { FORMAT_NAMES, formatOfBytes } from '../../shared/signing/format.ts';
import { outputName } from '../../shared/signing/output-name.ts';
import { readChunks } from '../../shared/signing/read-chunks.ts';
import { signFile } from '../../shared/signing/sign-file.ts';
import { OutputUnwritable, writeWhole } from '../../shared/signing/write-whole.ts';
import { fileError, headOf } from '../arguments/named-file.ts';
import { checkOutput, unwritable } from '../arguments/output-file.ts';
import { countBytes, showProgress } from '../terminal/progress.ts';
import { addSigner } from './cosign.ts';
import { type Job, jobOf } from './job.ts';
import { openKey } from './key.ts';
import { FORMATS, type Format, type Options, readOptions } from './options.ts';
import { padesOptions } from './pades.ts';
import { warningsOf } from './warnings.ts';

const USAGE = `Signs a file with the key in a PKCS#12 file.

  npm run sign -- FILE --p12 FILE.p12 [options]

The key
  --p12 FILE         the certificate and its key, as .p12 or .pfx
  --pin-file FILE    the PIN is the first line of this file
  --pin-env NAME     the PIN is this environment variable
                     With neither, the PIN is asked for, unseen, or is the first line of a pipe.
  --serial HEX       which certificate signs, where the file holds several

What is made
  --format FORMAT    auto (by what the file holds), pades, cades or xades
  --level LEVEL      B-B, B-T (with a timestamp), B-LT or B-LTA (PDF: with all that proves it later).
                     By default B-T where --timestamp is given, else B-B
  --timestamp URL    an RFC 3161 authority; repeat it to name others for when the first does not answer
  --policy FILE.der  the signature policy that is followed
  --policy-uri URL   where that policy is published, said in the signature
  --trust FILE       B-LT, B-LTA: the roots, in PEM, up to which proofs are collected; repeat it for several.
                     By default the sandbox's, .local/pki/root.crt
  --digest DIGEST    sha256, sha384 or sha512
  --detached         CAdES: the signature apart from the content
  --pem              CAdES: as text
  --cosign           CAdES: FILE is a signature, .p7m or .p7s, and gets one more beside those in it
  --content FILE     --cosign: what FILE is over, where it is detached
  --element ID       XAdES: sign the element with this Id and not the whole document
  --leave-room       XAdES: so that others can sign the same later. Some verifiers, .NET's, refuse its transform
  --field NAME       PAdES: sign this empty field, or make one of this name
  --visible PLACE    PAdES: show it, at page,x,y,width,height in points from the lower left corner
  --image FILE       PAdES: a PNG or JPEG in what is shown
  --reason TEXT, --location TEXT   PAdES: said in the signature

Where it goes
  --out FILE         by default report.signed.pdf, data.bin.p7m (.p7s detached, .pem) or contract.signed.xml;
                     --cosign: data.bin.signed.p7m
  --force            write over what is there

The exit code is 0, or 1 with one line that says what stands in the way.
`;

/** Options of one format only: used with another they are refused, not ignored. */
const ONLY_FOR: Readonly<Record<Format, readonly (keyof Options)[]>> = {
  pades: ['field', 'visible', 'image', 'reason', 'location'],
  cades: ['detached', 'pem', 'cosign', 'content'],
  xades: ['element', 'leave-room'],
};

function checkOptions(options: Options, format: Format): void {
  for (const other of FORMATS) {
    const names = ONLY_FOR[other];
    const misplaced = names.find((name) => options[name] !== undefined && options[name] !== false);
    if (other !== format && misplaced)
      throw new Error(
        `--${misplaced} is for ${FORMAT_NAMES[other]}, and ${options.file} is signed as ${FORMAT_NAMES[format]}. See --format.`,
      );
  }
  if (options.cosign && options.detached)
    throw new Error(
      'A signature that is added to stays attached or detached as it is: leave out --detached.',
    );
  if (format !== 'pades' && (options.level === 'B-LT' || options.level === 'B-LTA'))
    throw new Error(
      `Level ${options.level} is for PDFs; ${options.file} is signed as ${FORMAT_NAMES[format]}, up to B-T.`,
    );
}

const FORMAT_OF_OUTPUT: Readonly<Record<string, Format>> = {
  '.pdf': 'pades',
  '.xml': 'xades',
  '.p7m': 'cades',
  '.p7s': 'cades',
};

/** Refuses a name that says another format than the file would have: no program would open it. */
function checkOutputName({ file }: Options, out: string, format: Format): void {
  const named = FORMAT_OF_OUTPUT[extname(out).toLowerCase()];
  if (named === undefined || named === format) return;
  const proper = { pades: '.pdf', xades: '.xml', cades: '.p7m' }[format];
  throw new Error(
    `${out} is the name of a ${FORMAT_NAMES[named]} file, and ${file} is signed as ${FORMAT_NAMES[format]}. Name a file that ends in ${proper}: --out FILE${proper}`,
  );
}

/** `npm run sign`: signs one file, and gives the exit code. @example await runSign(['a.pdf', '--p12', 'h.p12']) */
export async function runSign(argv: readonly string[], output: Output = CONSOLE): Promise<number> {
  try {
    const options = readOptions(argv);
    output.print(options ? await sign(options, output) : USAGE);
    return 0;
  } catch (error) {
    output.printError(reasonOf(error));
    return 1;
  }
}

async function sign(options: Options, { printError }: Output): Promise<string> {
  const nowMs = Date.now();
  const head = headOf(options.file);
  const format = options.format ?? formatOfBytes(head);
  checkOptions(options, format);
  const out = resolve(options.out ?? outputName(options.file, { ...options, format }));
  checkOutputName(options, out, format);
  checkOutput(out, { input: resolve(options.file), force: options.force });
  const key = await openKey({
    p12: options.p12,
    pin: { file: options['pin-file'], variable: options['pin-env'] },
    serial: options.serial,
  });
  const { certificate } = key;
  for (const warning of warningsOf({ options, format, head, certificate }, nowMs))
    printError(`Warning: ${warning}`);
  const job = jobOf(options, key, nowMs);
  await write(job, format, out).catch((error) => {
    throw signingError(options.file, out, error);
  });
  return `${out}\nSigned as ${FORMAT_NAMES[format]}, level ${options.level}, by ${displayName(certificate)}.`;
}

/** Signs the file, or adds a signer to the signature that it is. */
async function write(job: Job, format: Format, out: string): Promise<void> {
  const { options, key, common } = job;
  const { file, detached, pem, element } = options;
  if (options.cosign) return writeWhole(out, addSigner(job));
  const isReadTwice = format === 'cades' && !detached;
  const bar = showProgress({
    label: `Signing ${file}`,
    totalBytes: statSync(file).size * (isReadTwice ? 2 : 1),
  });
  try {
    await signFile(file, out, {
      ...{ ...common, format, key, detached, pem },
      pades: format === 'pades' ? padesOptions(job) : undefined,
      xades: {
        element: element === undefined ? undefined : { id: element },
        leaveRoom: options['leave-room'],
      },
      open: (path) => countBytes(readChunks(path), bar),
    });
  } finally {
    bar.end();
  }
}

/** The person who signs reads what happened to which file, and what to do. */
const signingError = (file: string, out: string, error: unknown): Error =>
  error instanceof OutputUnwritable ? unwritable(out, error.cause) : fileError(file, 'was not signed', error);
