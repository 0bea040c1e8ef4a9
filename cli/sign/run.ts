import { resolve } from 'node:path';
import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { displayName } from '../../shared/pki/verdict/words.ts';
import { formatOfBytes } from '../../shared/signing/format.ts';
import { headOf } from '../common/head.ts';
import { about } from '../common/named-file.ts';
import { signAsCades } from './cades.ts';
import { type Job, jobOf, type Signed } from './job.ts';
import { openKey, warningAbout } from './key.ts';
import { type Format, type Options, readOptions } from './options.ts';
import { checkOutput, outputName, writeWhole } from './output.ts';
import { signAsPades } from './pades.ts';
import { USAGE } from './usage.ts';
import { warningOf } from './warning.ts';
import { signAsXades } from './xades.ts';

const SIGNERS: Readonly<Record<Format, (job: Job) => Signed>> = {
  pades: signAsPades,
  cades: signAsCades,
  xades: signAsXades,
};

/** What only one format has, so that a wish is never silently left out. */
const ONLY_FOR: Readonly<Record<Format, readonly (keyof Options)[]>> = {
  pades: ['field', 'visible', 'image', 'reason', 'location'],
  cades: ['detached', 'pem', 'cosign', 'content'],
  xades: ['element', 'leave-room'],
};

function checkWishes(options: Options, format: Format): void {
  for (const [other, wishes] of Object.entries(ONLY_FOR)) {
    const wish = wishes.find((name) => options[name] !== undefined && options[name] !== false);
    if (other !== format && wish)
      throw new Error(`--${wish} is for ${other}, and ${options.file} is signed as ${format}. See --format.`);
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
    output.print(options ? await signed(options, output) : USAGE);
    return 0;
  } catch (error) {
    output.printError(reasonOf(error));
    return 1;
  }
}

async function signed(options: Options, { printError }: Output): Promise<string> {
  const nowMs = Date.now();
  const head = headOf(options.file);
  const format = options.format ?? formatOfBytes(head);
  checkWishes(options, format);
  const out = resolve(options.out ?? outputName(options.file, { ...options, format }));
  checkOutput(out, { input: resolve(options.file), force: options.force });
  const key = await openKey({
    p12: options.p12,
    pin: { file: options['pin-file'], variable: options['pin-env'] },
    serial: options.serial,
  });
  const warnings = [warningAbout(key.certificate, nowMs), warningOf(options, format, head)];
  for (const warning of warnings) if (warning) printError(`Warning: ${warning}`);
  const job = jobOf(options, key, nowMs);
  await writeWhole(out, SIGNERS[format](job)).catch((error) => {
    throw about(options.file, 'was not signed', error);
  });
  return `${out}\nSigned as ${format}, level ${options.level}, by ${displayName(key.certificate)}.`;
}
