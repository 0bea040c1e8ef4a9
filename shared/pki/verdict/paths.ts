import { type Certificate, CertificateMalformed } from '../certificate/certificate.ts';
import { accessAddresses } from '../extensions/locations.ts';
import { type BuildResult, buildPaths } from '../path/build.ts';
import type { Checks } from '../path/checks.ts';
import type { Path } from '../path/validate.ts';
import type { Judgement } from './judgement.ts';

// One more than the authorities of the longest chain; each round fetches one level of issuers.
const MAX_FETCHES = 6;

// Certificates whose missing issuers are fetched in one round; usually one.
const MAX_ENDS = 3;

// Denial of service: the number of paths that are judged, the best first.
const MAX_PATHS = 16;

type CandidatePath = {
  readonly path: Path;
  readonly isTrusted: boolean;
  /** Why the address of the issuer that an incomplete path lacks gave nothing. */
  readonly problem?: string | undefined;
};

/**
 * The paths to judge, the best first: paths of the certificates at hand, then paths with issuers fetched from the
 * caIssuers addresses. If none leads to an anchor, the longest incomplete path.
 */
export async function* pathsOf(
  certificate: Certificate,
  judgement: Judgement & { readonly checks: Checks },
): AsyncGenerator<CandidatePath> {
  const { anchors, intermediates = [], atMs, checks } = judgement;
  const candidates = [...intermediates];
  const yielded = new Set<string>();
  const problems = new Map<Certificate, string>();
  let built = buildPaths(certificate, { anchors, candidates, atMs, checks });
  for (let fetches = 0; ; fetches++) {
    for (const path of built.paths) {
      const id = path.map(({ sha256 }) => sha256).join();
      if (yielded.has(id) || yielded.size >= MAX_PATHS) continue;
      yielded.add(id);
      yield { path, isTrusted: true };
    }
    const more =
      fetches < MAX_FETCHES ? await fetchMissingIssuers(built, candidates, judgement, problems) : [];
    if (more.length === 0) break;
    candidates.push(...more);
    built = buildPaths(certificate, { anchors, candidates, atMs, checks });
  }
  const path = built.ends[0] ?? [certificate];
  if (yielded.size === 0) yield { path, isTrusted: false, problem: problems.get(path.at(-1) ?? certificate) };
}

async function fetchMissingIssuers(
  { ends }: BuildResult,
  known: readonly Certificate[],
  { source, signal }: Judgement,
  problems: Map<Certificate, string>,
): Promise<Certificate[]> {
  const seen = new Set(known.map(({ sha256 }) => sha256));
  const tops = new Set(ends.map((path) => path.at(-1) ?? path[0]));
  const found: Certificate[] = [];
  for (const top of [...tops].slice(0, MAX_ENDS)) {
    const addresses = issuerAddresses(top);
    if (!source || addresses.length === 0) continue;
    const fetched = await source.issuers({ addresses, signal });
    found.push(...(fetched.found ?? []));
    if (!fetched.found && fetched.problem) problems.set(top, fetched.problem);
  }
  return found.filter(({ sha256 }) => !seen.has(sha256));
}

function issuerAddresses(certificate: Certificate): string[] {
  try {
    return accessAddresses(certificate, 'caIssuers');
  } catch (error) {
    if (error instanceof CertificateMalformed) return [];
    throw error;
  }
}
