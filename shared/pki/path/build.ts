import type { Certificate } from '../certificate/certificate.ts';
import { sameName } from '../name/match.ts';
import { type Checks, checkIssuedBy } from './checks.ts';
import { identifiesIssuer } from './rules/key-identifiers.ts';
import type { Path } from './validate.ts';

export type BuildOptions = {
  readonly anchors: readonly Certificate[];
  /** Certificates that may stand between target and anchor, in any order. */
  readonly candidates: readonly Certificate[];
  readonly atMs: number;
  readonly checks: Checks;
};

/** The longest path that is looked for. ICP-Brasil has three or four, the longest test suites seven. */
const MAX_CERTIFICATES = 12;

/** Certificates looked at while building. Authorities that certify each other by the dozen would take forever. */
const MAX_STEPS = 500;

/** Issuers of one name that are tried. A person has a handful; more are sent to waste time. */
const MAX_ISSUERS = 32;

/** What building came to: whole paths, the best first, and where the others ended. */
export type BuildResult = {
  readonly paths: readonly Path[];
  /** Paths whose last certificate has no issuer at hand, or is a root that nobody trusts; the longest first. */
  readonly ends: readonly Path[];
};

/**
 * Every path from the target to an anchor, as far as names lead, those with the right keys and dates first.
 * Nothing is judged here: what is wrong with a path, validatePath tells.
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
  // With none that signed it, the wrong ones still show what is wrong.
  return signers.length ? signers : named;
}

// The same name with the same key a second time leads round in a circle, whatever certificate says so.
const isRepeated = (path: Path, issuer: Certificate): boolean =>
  path.some((seen) => seen.keyBits.equals(issuer.keyBits) && sameName(seen.subject, issuer.subject));

function isSignedWith(issuer: Certificate, certificate: Certificate, checks: Checks): boolean {
  try {
    return checkIssuedBy(certificate, issuer, checks) === 'made';
  } catch {
    return false; // a key that cannot be used; DSA keys without parameters are among them
  }
}

function matchesIdentifiers(certificate: Certificate, issuer: Certificate): boolean {
  try {
    return identifiesIssuer(certificate, issuer);
  } catch {
    return false; // an extension that cannot be read
  }
}

const includes = (list: readonly Certificate[], certificate: Certificate): boolean =>
  list.some(({ sha256 }) => sha256 === certificate.sha256);

const distinct = (list: readonly Certificate[]): Certificate[] => [
  ...new Map(list.map((certificate) => [certificate.sha256, certificate])).values(),
];
