import { logger } from '../../../../shared/log/logger.ts';
import { errors } from '../../errors.ts';
import { ProviderFailure } from './providers/provider.ts';

/** A failure of the provider as the refusal that the page is told; any other error as it is. The log has the cause. */
export function providerOr(error: unknown): unknown {
  if (!(error instanceof ProviderFailure)) return error;
  const { message, cause } = error;
  // Only what kind of failure it was: an answer of the provider may quote what it was sent.
  const kind = cause instanceof Error ? cause.name : undefined;
  logger('pki').warn('The biometric provider failed.', { reason: message, kind });
  return errors.refuse('BiometricProviderUnavailable');
}
