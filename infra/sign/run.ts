import { resolve } from 'node:path';
import { called } from '../../shared/pki/verdict-words.ts';
import { reasonOf } from '../local/reason.ts';
import { signAsCades } from './cades.ts';
import { formatOf } from './format.ts';
import { type Job, jobOf, type Signed } from './job.ts';
import { openKey, warningAbout } from './key.ts';
import { type Format, type Options, readOptions } from './options.ts';
import { checkOutput, outputName, writeWhole } from './output.ts';
import { signAsPades } from './pades.ts';
import { CONSOLE, type Speech } from './speech.ts';
import { USAGE } from './usage.ts';
import { signAsXades } from './xades.ts';

const SIGNERS: Readonly<Record<Format, (job: Job) => Signed>> = {
  pades: signAsPades,
  cades: signAsCades,
  xades: signAsXades,
};

/** What only one format has, so that a wish is never silently left out. */
const ONLY_FOR: Readonly<Record<Format, readonly (keyof Options)[]>> = {
  pades: ['field', 'visible', 'image', 'reason', 'location'],
  cades: ['detached', 'pem'],
  xades: ['element'],
};

function checkWishes(options: Options, format: Format): void {
  for (const [other, wishes] of Object.entries(ONLY_FOR)) {
    const wish = wishes.find((name) => options[name] !== undefined && options[name] !== false);
    if (other !== format && wish)
      throw new Error(`--${wish} is for ${other}, and ${options.file} is signed as ${format}. See --format.`);
  }
  if (format !== 'pades' && (options.level === 'B-LT' || options.level === 'B-LTA'))
    throw new Error(`Level ${options.level} is for PDFs; ${options.file} is signed as ${format}, up to B-T.`);
}

/** `npm run sign`: signs one file, and gives the exit code. @example await runSign(['a.pdf', '--p12', 'h.p12']) */
export async function runSign(argv: readonly string[], speech: Speech = CONSOLE): Promise<number> {
  try {
    const options = readOptions(argv);
    speech.say(options ? await signed(options, speech) : USAGE);
    return 0;
  } catch (error) {
    speech.complain(reasonOf(error));
    return 1;
  }
}

async function signed(options: Options, { complain }: Speech): Promise<string> {
  const nowMs = Date.now();
  const format = options.format ?? (await formatOf(options.file));
  checkWishes(options, format);
  const out = resolve(options.out ?? outputName(options.file, { ...options, format }));
  checkOutput(out, { input: resolve(options.file), force: options.force });
  const key = await openKey({
    p12: options.p12,
    pin: { file: options['pin-file'], variable: options['pin-env'] },
    serial: options.serial,
  });
  const warning = warningAbout(key.certificate, nowMs);
  if (warning) complain(`Warning: ${warning}`);
  await writeWhole(out, SIGNERS[format](jobOf(options, key, nowMs)));
  return `${out}\nSigned as ${format}, level ${options.level}, by ${called(key.certificate)}.`;
}
