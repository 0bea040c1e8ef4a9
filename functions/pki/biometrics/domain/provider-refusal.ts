import { logger } from '../../../../shared/log/logger.ts';
import { errors } from '../../errors.ts';
import { ProviderFailure } from './providers/provider.ts';

/** The refusal for a failure of the provider; any other error unchanged. The cause goes to the log. */
export function refusalOfProvider(error: unknown): unknown {
  if (!(error instanceof ProviderFailure)) return error;
  const { message, cause } = error;
  // Only the kind of failure: an answer of the provider may quote pictures it was sent.
  const kind = cause instanceof Error ? cause.name : undefined;
  logger('pki').warn('The biometric provider failed.', { reason: message, kind });
  return errors.refuse('BiometricProviderUnavailable');
}
