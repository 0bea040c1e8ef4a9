import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import type { Outcome } from '../../shared/signing/verification/reasons.ts';
import type { VerificationReport } from '../../shared/signing/verification/report.ts';
import { onlineRevocation, readAnchors } from '../arguments/trust.ts';
import { showProgress } from '../terminal/progress.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { isFolder, statOf, type Target, targetsOf } from './targets.ts';
import { asText, summaryText } from './text.ts';
import { verifyTarget } from './verify-target.ts';

const EXIT_CODES: Readonly<Record<Outcome, number>> = { valid: 0, invalid: 1, undetermined: 2 };

/** `npm run verify`: reports on files and folders, and gives the exit code. @example await runVerify(['a.signed.pdf']) */
export async function runVerify(argv: readonly string[], output: Output = CONSOLE): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options) return EXIT_CODES[await verifyAll(options, output)];
    output.print(USAGE);
    return 0;
  } catch (error) {
    output.printError(reasonOf(error));
    return EXIT_CODES.undetermined;
  }
}

async function verifyAll(options: Options, output: Output): Promise<Outcome> {
  const anchors = readAnchors(options.trust);
  // One source for the run: CRLs and OCSP responses are fetched once for all files.
  const trust = { anchors, ...(options.offline ? {} : { source: onlineRevocation() }) };
  const [name = '', ...more] = options.names;
  const run = { ...options, trust, output };
  const outcome = await (more.length > 0 || isFolder(name) ? verifyMany(run) : verifyOne(name, run));
  if (anchors.length === 0) output.printError('No root is trusted, so no signer is. Name one: --trust FILE');
  return outcome;
}

type Run = Omit<Options, 'trust'> & {
  readonly trust: Parameters<typeof verifyTarget>[1]['trust'];
  readonly output: Output;
};

async function verifyOne(file: string, run: Run): Promise<Outcome> {
  const { content, json, output } = run;
  const target = { file, content, isFound: false };
  const bar = showProgress({ label: `Verifying ${file}`, totalBytes: bytesOf([target]) });
  const report = await verifyTarget(target, { ...run, bar })
    .catch((error: unknown) => {
      if (json) output.print(JSON.stringify(notVerified(file, reasonOf(error)), null, 2));
      throw error;
    })
    .finally(() => bar.end());
  output.print(json ? JSON.stringify(report, null, 2) : asText(report));
  if (report.reasons.includes('SIGNED_DATA_NOT_FOUND'))
    output.printError(`${file} is a detached signature. Name its content: --content FILE`);
  if (run.covers.length > 0 && report.format !== 'XAdES')
    output.printError(`--covers is for XML, and ${file} is not XML: it was ignored.`);
  return report.outcome;
}

async function verifyMany(run: Run): Promise<Outcome> {
  const { names, content, json, details, output } = run;
  if (content !== undefined)
    throw new Error(`--content names the content of one detached signature, and ${names[0]} is a folder.`);
  const { targets, skipped } = targetsOf(names);
  if (targets.length === 0)
    throw new Error(`${names.join(', ')} holds no PDF, XML or CMS file to verify; ${skipped} were skipped.`);
  const summary = newSummary(skipped);
  const files: object[] = [];
  const bar = showProgress({ label: `Verifying ${targets.length} files`, totalBytes: bytesOf(targets) });
  for (const target of targets) {
    const result = await verifyTarget(target, { ...run, bar }).catch(reasonOf);
    bar.end(); // redrawn by the next file
    if (isUnsignedContent(target, result, targets)) summary.skipped++;
    else if (typeof result === 'string') {
      summary.undetermined++;
      files.push(notVerified(target.file, result));
      output.printError(result);
    } else {
      summary[result.outcome]++;
      files.push(result);
      if (!json) output.print(details ? `${asText(result)}\n` : summaryText(result));
    }
  }
  return conclude({ files, summary, json, output });
}

/** The JSON for a file without a report. */
const notVerified = (file: string, problem: string) => ({
  file,
  outcome: 'undetermined',
  verdict: 'indeterminate',
  reasons: ['GENERIC'],
  problem,
});

type Results = {
  readonly files: readonly object[];
  readonly summary: Summary;
  readonly json: boolean;
  readonly output: Output;
};

function conclude({ files, summary, json, output }: Results): Outcome {
  output.print(
    json
      ? JSON.stringify({ files, summary: { files: files.length, ...summary } }, null, 2)
      : summarize(files.length, summary),
  );
  if (summary.invalid > 0) return 'invalid';
  return summary.undetermined > 0 || summary.valid === 0 ? 'undetermined' : 'valid';
}

const bytesOf = (targets: readonly Target[]): number =>
  targets
    .flatMap(({ file, content }) => (content === undefined ? [file] : [file, content]))
    .reduce((sum, path) => sum + (statOf(path)?.size ?? 0), 0);

/** How many files had which outcome. An unreadable file is undetermined. */
type Summary = Record<Outcome, number> & { skipped: number };

const newSummary = (skipped: number): Summary => ({ valid: 0, invalid: 0, undetermined: 0, skipped });

/** The last line. @example summarize(3, summary) // '3 files: 2 valid, 1 not valid, 0 could not be judged; 4 skipped' */
const summarize = (files: number, { valid, invalid, undetermined, skipped }: Summary): string =>
  `${files} file${files === 1 ? '' : 's'}: ${valid} valid, ${invalid} not valid, ${undetermined} could not be judged; ${skipped} skipped`;

/** Whether a file of a folder is only the content of a detached signature beside it. */
const isUnsignedContent = (
  { file, isFound }: Target,
  result: VerificationReport | string,
  targets: readonly Target[],
): boolean =>
  isFound &&
  (typeof result === 'string' || result.signatures.length === 0) &&
  targets.some(({ content }) => content === file);
