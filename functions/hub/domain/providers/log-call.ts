import { logger } from '../../../../shared/log/logger.ts';
import type { Operation } from './provider.ts';
import type { ProviderFailure } from './provider-failure.ts';

type LoggedCall = {
  readonly provider: string;
  readonly operation: Operation;
  readonly startedAtMs: number;
  readonly nowMs: number;
};

/**
 * One log line a call, which is a metric too: CloudWatch reads `_aws` (Embedded Metric Format) and keeps `ms` by
 * provider, operation and outcome. The line holds nothing that was sent or answered.
 */
export function logCall(
  { provider, operation, startedAtMs, nowMs }: LoggedCall,
  failure?: ProviderFailure,
): void {
  const ms = Math.round(performance.now() - startedAtMs);
  const fields = { provider, operation, outcome: failure?.reason ?? 'ok', ms, _aws: metricAt(nowMs) };
  if (failure) {
    const { message, status, error } = failure;
    const cause = { reason: message, status, providerError: error };
    logger('hub').warn('A call to a provider failed.', { ...fields, ...cause });
  } else logger('hub').info('A provider was called.', fields);
}

const metricAt = (nowMs: number) => ({
  Timestamp: nowMs,
  CloudWatchMetrics: [
    {
      Namespace: 'Sinete/Hub',
      Dimensions: [['provider', 'operation', 'outcome']],
      Metrics: [{ Name: 'ms', Unit: 'Milliseconds' }],
    },
  ],
});
