import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import type { Outcome } from '../../shared/signing/verification/reasons.ts';
import { progress } from '../common/progress.ts';
import { anchorsIn, published } from '../common/trust.ts';
import { type Options, readOptions } from './options.ts';
import { isUnsignedContent, newSummary, type Summary, summarize } from './summary.ts';
import { isFolder, statOf, type Target, targetsOf } from './targets.ts';
import { asText, summaryText } from './text.ts';
import { USAGE } from './usage.ts';
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
  const anchors = anchorsIn(options.trust);
  // One source for the run: lists and responses are fetched once for all files.
  const trust = { anchors, ...(options.offline ? {} : { source: published() }) };
  const [name = '', ...more] = options.names;
  const run = { ...options, trust, output };
  const outcome = await (more.length > 0 || isFolder(name) ? verifyMany(run) : verifyOne(name, run));
  if (anchors.length === 0)
    output.printError('No root is trusted, so that nobody is. Name one: --trust FILE');
  return outcome;
}

type Run = Omit<Options, 'trust'> & {
  readonly trust: Parameters<typeof verifyTarget>[1]['trust'];
  readonly output: Output;
};

async function verifyOne(file: string, run: Run): Promise<Outcome> {
  const { content, json, output } = run;
  const target = { file, content, isFound: false };
  const bar = progress({ label: `Verifying ${file}`, totalBytes: bytesOf([target]) });
  const report = await verifyTarget(target, { ...run, bar })
    .catch((error: unknown) => {
      if (json) output.print(JSON.stringify(notVerified(file, reasonOf(error)), null, 2));
      throw error;
    })
    .finally(() => bar.end());
  output.print(json ? JSON.stringify(report, null, 2) : asText(report));
  if (report.reasons.includes('SIGNED_DATA_NOT_FOUND'))
    output.printError(`${file} is a detached signature. Name what it is over: --content FILE`);
  if (run.covers.length > 0 && report.format !== 'XAdES')
    output.printError(`--covers is for XML, and ${file} is none: it was left aside.`);
  return report.outcome;
}

async function verifyMany(run: Run): Promise<Outcome> {
  const { names, content, json, details, output } = run;
  if (content !== undefined)
    throw new Error(`--content is what one detached signature is over, and ${names[0]} is a folder.`);
  const { targets, skipped } = targetsOf(names);
  if (targets.length === 0)
    throw new Error(`${names.join(', ')} holds no PDF, XML or CMS file to verify; ${skipped} were skipped.`);
  const summary = newSummary(skipped);
  const files: object[] = [];
  const bar = progress({ label: `Verifying ${targets.length} files`, totalBytes: bytesOf(targets) });
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

/** What stands in JSON for a file on which there is no report. */
const notVerified = (file: string, problem: string) => ({
  file,
  outcome: 'undetermined',
  verdict: 'indeterminate',
  reasons: ['GENERIC'],
  problem,
});

type Verified = {
  readonly files: readonly object[];
  readonly summary: Summary;
  readonly json: boolean;
  readonly output: Output;
};

function conclude({ files, summary, json, output }: Verified): Outcome {
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
