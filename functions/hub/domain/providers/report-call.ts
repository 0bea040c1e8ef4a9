import { logger } from '../../../../shared/log/logger.ts';
import type { Operation } from './bulkhead.ts';
import type { ProviderFailure } from './provider-failure.ts';

type Call = { readonly provider: string; readonly operation: Operation; readonly startedAtMs: number };

const log = logger('hub');

/**
 * One line for one call, which is its metric too: CloudWatch reads the `_aws` part of a line and keeps `ms` by
 * provider, operation and outcome. Nothing that was sent or answered is in it.
 */
export function reportCall({ provider, operation, startedAtMs }: Call, failure?: ProviderFailure): void {
  const ms = Math.round(performance.now() - startedAtMs);
  const fields = { provider, operation, outcome: failure?.reason ?? 'ok', ms, _aws: metric() };
  if (failure) {
    const { message, status, error } = failure;
    log.warn('A call to a provider failed.', { ...fields, reason: message, status, providerError: error });
  } else log.info('A provider was called.', fields);
}

const metric = () => ({
  Timestamp: Date.now(),
  CloudWatchMetrics: [
    {
      Namespace: 'Sinete/Hub',
      Dimensions: [['provider', 'operation', 'outcome']],
      Metrics: [{ Name: 'ms', Unit: 'Milliseconds' }],
    },
  ],
});
