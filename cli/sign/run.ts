import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { displayName } from '../../shared/pki/verdict/words.ts';
import { formatOfBytes } from '../../shared/signing/format.ts';
import { signXades } from '../../shared/signing/xades/sign.ts';
import { fileError, headOf } from '../common/named-file.ts';
import { signAsCades } from './cades.ts';
import { type Job, jobOf, type Signed } from './job.ts';
import { openKey } from './key.ts';
import { type Format, type Options, readOptions } from './options.ts';
import { checkOutput, outputName, writeWhole } from './output.ts';
import { signAsPades } from './pades.ts';
import { USAGE } from './usage.ts';
import { warningsOf } from './warnings.ts';

const SIGNERS: Readonly<Record<Format, (job: Job) => Signed>> = {
  pades: signAsPades,
  cades: signAsCades,
  xades: signAsXades,
};

/** Options of one format only: used with another they are refused, not ignored. */
const ONLY_FOR: Readonly<Record<Format, readonly (keyof Options)[]>> = {
  pades: ['field', 'visible', 'image', 'reason', 'location'],
  cades: ['detached', 'pem', 'cosign', 'content'],
  xades: ['element', 'leave-room'],
};

function checkOptions(options: Options, format: Format): void {
  for (const [other, names] of Object.entries(ONLY_FOR)) {
    const misplaced = names.find((name) => options[name] !== undefined && options[name] !== false);
    if (other !== format && misplaced)
      throw new Error(
        `--${misplaced} is for ${other}, and ${options.file} is signed as ${format}. See --format.`,
      );
  }
  if (options.cosign && options.detached)
    throw new Error(
      'A signature that is added to stays attached or detached as it is: leave out --detached.',
    );
  if (format !== 'pades' && (options.level === 'B-LT' || options.level === 'B-LTA'))
    throw new Error(`Level ${options.level} is for PDFs; ${options.file} is signed as ${format}, up to B-T.`);
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
  await writeWhole(out, SIGNERS[format](job)).catch((error) => {
    throw fileError(options.file, 'was not signed', error);
  });
  return `${out}\nSigned as ${format}, level ${options.level}, by ${displayName(certificate)}.`;
}

async function* signAsXades({ options, key, common }: Job): Signed {
  const element = options.element === undefined ? {} : { element: { id: options.element } };
  const leaveRoom = options['leave-room'];
  yield await signXades(readFileSync(options.file), key, { ...common, ...element, leaveRoom });
}
