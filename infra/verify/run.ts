import { judging } from '../../shared/pki/verdict.ts';
import type { Judge } from '../../shared/signing/cms/judge.ts';
import { reasonOf } from '../local/reason.ts';
import { about } from '../named-file.ts';
import type { Format } from '../sign/options.ts';
import { CONSOLE, type Speech } from '../sign/speech.ts';
import { showCades } from './cades.ts';
import { signatureFormatOf } from './format.ts';
import { asJson } from './json.ts';
import { type Options, readOptions } from './options.ts';
import { showPades } from './pades.ts';
import { EXIT_CODES, type Outcome, outcomeOfFile, type Shown } from './shown.ts';
import { asText } from './text.ts';
import { anchorsIn, published } from './trust.ts';
import { USAGE } from './usage.ts';
import { showXades } from './xades.ts';

const VERIFIERS: Readonly<Record<Format, (options: Options, judge: Judge) => Promise<Shown>>> = {
  pades: showPades,
  cades: showCades,
  xades: showXades,
};

/** `npm run verify`: reports on one file, and gives the exit code. @example await runVerify(['a.signed.pdf']) */
export async function runVerify(argv: readonly string[], speech: Speech = CONSOLE): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options) return EXIT_CODES[await verified(options, speech)];
    speech.say(USAGE);
    return 0;
  } catch (error) {
    speech.complain(reasonOf(error));
    return EXIT_CODES.undetermined;
  }
}

async function verified(options: Options, { say, complain }: Speech): Promise<Outcome> {
  const { file, trust, offline, json } = options;
  const format = signatureFormatOf(options);
  const anchors = anchorsIn(trust);
  const judge = judging({ anchors, ...(offline ? {} : { source: published() }) });
  const shown = await VERIFIERS[format](options, judge).catch((error) => {
    throw about(file, 'could not be verified', error);
  });
  const hasAnchors = anchors.length > 0;
  const outcome = outcomeOfFile(shown, hasAnchors);
  const told = { file, shown, outcome, hasAnchors };
  say(json ? JSON.stringify(asJson(told), null, 2) : asText(told));
  if (!hasAnchors) complain('No root is trusted, so that nobody is. Name one: --trust FILE');
  return outcome;
}
