import { chargeTime } from '../../../bounds/budget.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  warningFinding,
} from '../../../pki/findings/validation-results.ts';
import type { Signature } from '../signatures.ts';
import { isInLine, type Line, lineOf } from '../xml/path.ts';
import { selectElements } from '../xml/select.ts';
import type { Reader } from './reader.ts';
import type { Reference } from './references.ts';

/** XML Signature, 8.1.1: only what is signed is secure. The required parts, and whether intact signatures cover them. */
export type DocumentCoverage = {
  readonly isComplete: boolean;
  /** Paths of the covered parts; `/` is the whole document. */
  readonly covered: readonly string[];
  /** Selectors, as given, of required parts that are not covered; `/` is the whole document. */
  readonly missing: readonly string[];
};

/** A signature with its resolved references. */
export type ResolvedSignature = { readonly signature: Signature; readonly references: readonly Reference[] };

/** A part that must be covered: its elements, grouped by the signatures that cover them. */
type Demand = { readonly selector: string; readonly groups: readonly Group[] };

// A document may have very many such elements. A group keeps the paths of a few of them for messages.
type Group = { readonly by: readonly number[]; readonly paths: readonly string[] };

export type CoverageClaim = {
  readonly demands: readonly Demand[];
  readonly covered: readonly {
    readonly by: number;
    readonly path: string;
    readonly splitByCData: string | undefined;
  }[];
};

export const WHOLE_DOCUMENT = '/';
const MAX_NAMED = 3;

const NOTHING = 'Nothing of the document is covered by its signatures.';
const NOT_CONFIRMED =
  'No signature of the document could be confirmed as intact: nothing of it counts as covered.';

// The cost of climbing to the root, and of one comparison with a covered part.
const LEVEL_UNITS = 1000;
const COMPARISON_UNITS = 500;
const SIBLING_UNITS = 10; // looking for instructions beside the root

/** Finds which signatures cover each required part: the selected elements, or the whole document. */
export function readCoverage(
  reader: Reader,
  resolved: readonly ResolvedSignature[],
  selectors: readonly string[],
): CoverageClaim {
  const covering = resolved.flatMap(({ signature, references }) =>
    references
      .filter((one) => countsAsCoverage(signature, one))
      .map((reference) => ({ signature, reference, line: lineTo(reader, reference) })),
  );
  return {
    demands: selectors.length
      ? selectors.map((selector) => readDemand(reader, covering, selector))
      : [
          {
            selector: WHOLE_DOCUMENT,
            groups: [{ by: coveringAll(reader, covering), paths: [WHOLE_DOCUMENT] }],
          },
        ],
    covered: covering.map(({ signature, reference }) => ({
      by: signature.at,
      path: reference.coverage.path,
      splitByCData: reference.coverage.splitByCData,
    })),
  };
}

type Covering = {
  readonly signature: Signature;
  readonly reference: Reference;
  /** Undefined for the document. */
  readonly line: Line | undefined;
};

function lineTo({ tree }: Reader, { target }: Reference): Line | undefined {
  chargeTime(tree.budget, LEVEL_UNITS * tree.cost.most.levels);
  return target === 'document' ? undefined : lineOf(target);
}

// A signature inside another one (a countersignature, or content of an enveloping one) never covers the document. Nor
// does a wrapped one ('elsewhere').
const countsAsCoverage = ({ isInner }: Signature, { isContent, enveloped, coverage }: Reference): boolean =>
  !isInner && isContent && enveloped !== 'elsewhere' && coverage.kind !== 'signature';

// The root element itself must be signed: signatures over all of its children do not show that a child was removed.
// Stylesheet injection: an xml-stylesheet instruction beside the root changes how the document is shown, and a
// reference to the root element does not cover it. Only a reference to the document (URI="") does.
function coveringAll({ tree }: Reader, covering: readonly Covering[]): number[] {
  chargeTime(tree.budget, SIBLING_UNITS * tree.cost.totals.asides);
  const hasInstructions = tree.root.eval('boolean(/processing-instruction())') === true;
  return covering
    .filter(({ signature, reference: { coverage } }) => {
      if (coverage.kind === 'document') return true;
      const isEnveloping = coverage.kind === 'own-part' && signature.line.length === 1;
      return !hasInstructions && (isEnveloping || (coverage.isRoot && !coverage.isTextOnly));
    })
    .map(({ signature }) => signature.at);
}

function readDemand(reader: Reader, covering: readonly Covering[], selector: string): Demand {
  const { tree, identified, pathOf } = reader;
  const elements = selectElements(tree, selector, identified);
  const comparisons = covering.reduce((sum, { reference }) => sum + 1 + reference.excluded.length, 0);
  const units = LEVEL_UNITS * tree.cost.most.levels + COMPARISON_UNITS * comparisons;
  chargeTime(tree.budget, elements.length * units);
  const groups = new Map<string, { by: number[]; paths: string[] }>();
  for (const element of elements) {
    const line = lineOf(element);
    const by = covering.filter((one) => isCoveredBy(line, one)).map(({ signature }) => signature.at);
    const group = groups.get(by.join()) ?? { by, paths: [] };
    if (group.paths.length < MAX_NAMED) group.paths.push(pathOf(element));
    groups.set(by.join(), group);
  }
  // Duplicate identifiers (signature wrapping): two readers may pick different elements, so neither counts.
  const isAmbiguous = selector.startsWith('#') && elements.length > 1;
  return { selector, groups: isAmbiguous ? [] : [...groups.values()] };
}

function isCoveredBy(line: Line, { reference: { excluded, coverage }, line: covered }: Covering): boolean {
  if (coverage.isTextOnly || excluded.some((out) => isInLine(out.line, line))) return false;
  return !covered || isInLine(covered, line);
}

/** Concludes coverage from the signatures that proved intact. A broken signature covers nothing. */
export function concludeCoverage(
  { demands, covered: claimed }: CoverageClaim,
  intact: ReadonlySet<number>,
): { readonly coverage: DocumentCoverage; readonly findings: readonly Finding[] } {
  const confirmed = claimed.filter(({ by }) => intact.has(by));
  const covered = [...new Set(confirmed.map(({ path }) => path))];
  const isMet = ({ by }: Group): boolean => by.some((at) => intact.has(at));
  const unmet = demands.filter(({ groups }) => groups.length === 0 || !groups.every(isMet));
  const coverage = {
    isComplete: unmet.length === 0,
    covered,
    missing: unmet.map(({ selector }) => selector),
  };
  if (covered.length === 0)
    return {
      coverage,
      findings: [errorFinding('XmlDSigCoreValidationFailed', claimed.length === 0 ? NOTHING : NOT_CONFIRMED)],
    };
  if (coverage.isComplete)
    return {
      coverage,
      findings: [
        passedFinding(`${describeDemands(demands)} covered by the signatures.`),
        ...splittingFindings(confirmed),
      ],
    };
  return {
    coverage,
    findings: unmet.map((demand) =>
      errorFinding('XmlDSigCoreValidationFailed', describeMissing(demand, isMet, covered)),
    ),
  };
}

/** Text injection: the signatures hold, whoever put the section there. */
const splittingFindings = (confirmed: CoverageClaim['covered']): Finding[] =>
  [...new Set(confirmed.flatMap(({ splitByCData }) => splitByCData ?? []))].map((path) =>
    warningFinding(
      'XmlDSigCoreValidationFailed',
      `A CDATA section splits the text of ${path}: a reader could take a part of it for the whole.`,
    ),
  );

const describeDemands = (demands: readonly Demand[]): string =>
  demands.some(({ selector }) => selector === WHOLE_DOCUMENT)
    ? 'The whole document is'
    : `All of ${listPaths(demands.map(({ selector }) => selector))} is`;

function describeMissing(
  { selector, groups }: Demand,
  isMet: (group: Group) => boolean,
  covered: readonly string[],
): string {
  if (selector === WHOLE_DOCUMENT)
    return `Only ${listPaths(covered)} ${covered.length > 1 ? 'are' : 'is'} signed; the rest of the document anyone may have written. Say with --covers which element must be signed, if that is enough.`;
  if (groups.length === 0) return `${selector} had to be signed, and is not one element of the document.`;
  const paths = groups.filter((group) => !isMet(group)).flatMap((group) => group.paths);
  return `${selector} had to be signed, and no signature covers ${listPaths(paths)}: anyone may have written it.`;
}

function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED).join(', ');
  return paths.length > MAX_NAMED ? `${shown} and ${paths.length - MAX_NAMED} more` : shown;
}
