import type { Reason, ReportVerdict } from '../../shared/signing/verification/reasons.ts';
import type { SignatureModel, VerificationReport } from '../../shared/signing/verification/report.ts';
import type { Opinion } from './opinions.ts';

/** What `npm run verify -- --json` prints of a file; of one that it cannot read, no signatures. */
export type Report = Pick<VerificationReport, 'verdict' | 'reasons'> & {
  readonly file: string;
  readonly signatures?: VerificationReport['signatures'];
};

/** Sub-indications that say the same of a signature, from wherever a judge looks first. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  integrity: ['FORMAT_FAILURE', 'HASH_FAILURE', 'SIG_CRYPTO_FAILURE'],
  validity: ['OUT_OF_BOUNDS_NO_POE', 'OUT_OF_BOUNDS_NOT_REVOKED', 'EXPIRED', 'NOT_YET_VALID'],
  revoked: ['REVOKED', 'REVOKED_NO_POE', 'REVOKED_CA_NO_POE'],
  algorithm: ['CRYPTO_CONSTRAINTS_FAILURE', 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE'],
};
const classOf = (reason: string): string =>
  Object.entries(CLASSES).find(([, reasons]) => reasons.includes(reason))?.[0] ?? reason;

const LEVELS = ['B', 'T', 'LT', 'LTA'] as const;
type Level = (typeof LEVELS)[number];
type Said = {
  readonly indication: string;
  readonly reasons: readonly string[];
  readonly level: Level | null;
};

const INDICATIONS: Readonly<Record<ReportVerdict, string>> = {
  passed: 'TOTAL_PASSED',
  failed: 'TOTAL_FAILED',
  indeterminate: 'INDETERMINATE',
};

const said = (verdict: ReportVerdict, reasons: readonly Reason[], level: Level | null = null): Said => ({
  indication: INDICATIONS[verdict],
  reasons: reasons.map(classOf),
  level,
});

/** What we say of each signature. */
function oursOf({ verdict, reasons, signatures = [] }: Report): Said[] {
  const own = signatures.flatMap((one, at) =>
    one.kind === 'signature' ? [said(one.verdict, one.reasons, levelOf(one, signatures.slice(at + 1)))] : [],
  );
  return own.length > 0 ? own : [said(verdict, reasons)];
}

/** By what is there. Our report has no word for it, since what a timestamp proves counts there. */
function levelOf({ timestamps, isLongTerm }: SignatureModel, later: readonly SignatureModel[]): Level {
  if (timestamps.length === 0) return 'B';
  if (!isLongTerm) return 'T';
  return later.some(({ kind }) => kind === 'document-timestamp') ? 'LTA' : 'LT';
}

const theirsOf = ({ signatures }: Opinion): Said[] =>
  signatures.map(({ indication, reason, level }) => ({
    indication,
    reasons: reason === null ? [] : [classOf(reason)],
    level: LEVELS.find((one) => level?.split('-').at(-1) === one) ?? null,
  }));

/** Levels count where both accept: of what is not accepted, judges read more or less. */
const agree = (ours: Said, theirs: Said): boolean =>
  ours.indication === theirs.indication &&
  theirs.reasons.every((reason) => ours.reasons.includes(reason)) &&
  (ours.indication !== 'TOTAL_PASSED' || ours.level === theirs.level);

const textOf = ({ indication, reasons, level }: Said): string =>
  [indication, indication === 'TOTAL_PASSED' ? level : reasons.join(' ')].filter(Boolean).join(' ');

/** What a judge says otherwise than we, in words; undefined where both say the same of all signatures. */
export function differenceOf(report: Report, opinion: Opinion): { ours: string; theirs: string } | undefined {
  const ours = oursOf(report);
  const theirs = theirsOf(opinion);
  const open = [...ours];
  const isSame =
    opinion.problem === undefined &&
    ours.length === theirs.length &&
    theirs.every((one) => {
      const at = open.findIndex((own) => agree(own, one));
      if (at >= 0) open.splice(at, 1);
      return at >= 0;
    });
  if (isSame) return undefined;
  const their = opinion.problem === undefined ? theirs.map(textOf).join(', ') : NOT_JUDGED;
  return { ours: ours.map(textOf).join(', '), theirs: their };
}

/** The judge reads no such file. */
export const NOT_JUDGED = 'not judged';
