import { logger } from '../../log/logger.ts';
import { guardedFetch } from '../../net/guarded.ts';
import type { ServiceName } from '../../settings/names.ts';
import type { Certificate } from '../certificate/certificate.ts';
import type { KeyUsage } from '../extensions/extensions.ts';
import { layerCaches, memoryCache, type RevocationCache } from '../revocation/cache/cache.ts';
import { storeCache } from '../revocation/cache/store-cache.ts';
import { onlineSource } from '../revocation/online-source.ts';
import type { RevocationSource } from '../revocation/source.ts';
import { trustAnchors } from '../trust-anchors.ts';
import type { Verdict } from './judgement.ts';
import type { JudgingSettings } from './settings.ts';
import { judge } from './verdict.ts';

/** Options of one judgement. Without `anchors` the roots are those of Certificates:TrustAnchors. */
export type SignerRules = {
  readonly anchors?: readonly Certificate[];
  /** Certificates that may lie on the path, such as those that came with a signature. */
  readonly intermediates?: readonly Certificate[];
  readonly ignoreRevocationStatusUnknown?: boolean;
};

// Smart cards of several countries have one key for authentication and another for signing. Both identify the holder.
const SIGNER_KEY_USAGES: readonly KeyUsage[] = ['digitalSignature', 'nonRepudiation'];

/**
 * What one judgement of a service goes by beside its roots: the source of revocation data, the time that it has, and how
 * long old data counts. The source is one for the process, so that concurrent requests share a fetch and later ones find
 * its cache: the process and the service's table, unless another is given.
 * @example const judging = judgingBy('credentials', settings);
 *          await verifyFile(file, { trust: { anchors, ...judging() }, atMs });
 */
export function judgingBy(service: ServiceName, settings: JudgingSettings, cache?: RevocationCache) {
  let source: RevocationSource | undefined;
  return () => {
    source ??= onlineSource({
      fetch: guardedFetch,
      cache: cache ?? layerCaches(memoryCache(), storeCache(service)),
      timeoutMs: settings['Certificates:Validation:RevocationTimeout'] * 1000,
      onCacheFailure: (error) =>
        logger(service).warn('Revocation data could not be cached; judging continues.', { error }),
    });
    return {
      source,
      signal: AbortSignal.timeout(settings['Certificates:Validation:CheckTimeout'] * 1000),
      graceMs: settings['Certificates:Validation:RevocationGraceWindow'] * 1000,
    };
  };
}

/**
 * Creates a judge of signers' certificates: the path to a trusted root, the validity, the revocation, the key usage.
 * Fetched data is cached in the service's table. The judge throws TrustAnchorsUnusable when no root is configured.
 * @example const judgeSigner = createSignerJudge('documents', settings);
 *          const { status, results } = await judgeSigner(certificate, now());
 */
export function createSignerJudge(service: ServiceName, settings: JudgingSettings) {
  const judging = judgingBy(service, settings);
  return async (certificate: Certificate, nowMs: number, rules: SignerRules = {}): Promise<Verdict> =>
    judge(certificate, {
      anchors: rules.anchors ?? trustAnchors(settings['Certificates:TrustAnchors'] ?? ''),
      intermediates: rules.intermediates ?? [],
      atMs: nowMs,
      ...judging(),
      keyUsages: SIGNER_KEY_USAGES,
      ignoreRevocationStatusUnknown: rules.ignoreRevocationStatusUnknown ?? false,
    });
}
