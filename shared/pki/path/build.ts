import type { Certificate } from '../certificate/certificate.ts';
import { sameName } from '../name/match.ts';
import { type Checks, checkIssuedBy } from './checks.ts';
import { identifiesIssuer } from './rules/key-identifiers.ts';
import type { Path } from './validate.ts';

export type BuildOptions = {
  readonly anchors: readonly Certificate[];
  /** Possible certificates between target and anchor, in any order. */
  readonly candidates: readonly Certificate[];
  readonly atMs: number;
  readonly checks: Checks;
};

/** The longest path. ICP-Brasil has three or four certificates, the longest test suites seven. */
const MAX_CERTIFICATES = 12;

/** Denial of service: dozens of authorities that certify each other have an exponential number of paths. */
const MAX_STEPS = 500;

/** Issuers of one name that are tried. Denial of service: a real authority has a handful. */
const MAX_ISSUERS = 32;

/** Complete paths, the best first, and incomplete ones. */
export type BuildResult = {
  readonly paths: readonly Path[];
  /** Paths whose last certificate has no known issuer or is an untrusted root; the longest first. */
  readonly ends: readonly Path[];
};

/**
 * Builds every path from the target to an anchor by the names, those with matching keys and dates first.
 * Nothing is judged here: validatePath finds the errors of a path.
 * @example const { paths } = buildPaths(holder, { anchors, candidates, atMs, checks });
 */
export function buildPaths(target: Certificate, options: BuildOptions): BuildResult {
  const paths: Path[] = [];
  const ends: Path[] = [];
  const known = new Map<string, readonly Certificate[]>();
  let steps = 0;

  const issuersOf = (certificate: Certificate): readonly Certificate[] => {
    const issuers = known.get(certificate.sha256) ?? findIssuers(certificate, options);
    known.set(certificate.sha256, issuers);
    return issuers;
  };
  const extend = (path: Path): void => {
    const last = path.at(-1) ?? target;
    if (includes(options.anchors, last)) {
      paths.push(path);
      return;
    }
    const above = issuersOf(last).filter((issuer) => !isRepeated(path, issuer));
    if (above.length === 0 || path.length >= MAX_CERTIFICATES) ends.push(path);
    else for (const issuer of above) if (steps++ < MAX_STEPS) extend([...path, issuer]);
  };
  extend([target]);
  return { paths, ends: ends.toSorted((a, b) => b.length - a.length) };
}

function findIssuers(
  certificate: Certificate,
  { anchors, candidates, atMs, checks }: BuildOptions,
): Certificate[] {
  const rank = (issuer: Certificate): number =>
    (matchesIdentifiers(certificate, issuer) ? 0 : 4) +
    (includes(anchors, issuer) ? 0 : 2) +
    (issuer.notBeforeMs <= atMs && atMs <= issuer.notAfterMs ? 0 : 1);
  const named = distinct([...anchors, ...candidates])
    .filter((issuer) => sameName(issuer.subject, certificate.issuer))
    .map((issuer) => ({ issuer, rank: rank(issuer) }))
    .toSorted((a, b) => a.rank - b.rank || b.issuer.notAfterMs - a.issuer.notAfterMs)
    .map(({ issuer }) => issuer)
    .slice(0, MAX_ISSUERS);
  const signers = named.filter((issuer) => isSignedWith(issuer, certificate, checks));
  // If none signed it, the others still let validatePath explain the error.
  return signers.length ? signers : named;
}

// The same name with the same key a second time is a circle, even in another certificate.
const isRepeated = (path: Path, issuer: Certificate): boolean =>
  path.some((seen) => seen.keyBits.equals(issuer.keyBits) && sameName(seen.subject, issuer.subject));

function isSignedWith(issuer: Certificate, certificate: Certificate, checks: Checks): boolean {
  try {
    return checkIssuedBy(certificate, issuer, checks) === 'made';
  } catch {
    return false; // an unsupported key, for example a DSA key without parameters
  }
}

function matchesIdentifiers(certificate: Certificate, issuer: Certificate): boolean {
  try {
    return identifiesIssuer(certificate, issuer);
  } catch {
    return false; // a malformed extension
  }
}

const includes = (list: readonly Certificate[], certificate: Certificate): boolean =>
  list.some(({ sha256 }) => sha256 === certificate.sha256);

const distinct = (list: readonly Certificate[]): Certificate[] => [
  ...new Map(list.map((certificate) => [certificate.sha256, certificate])).values(),
];
