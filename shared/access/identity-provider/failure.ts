import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { logger } from '../../log/logger.ts';
import { FetchFailed } from '../../net/errors.ts';
import type { ServiceName } from '../../settings/names.ts';

// An error code of RFC 6749, 4.1.2.1 and 5.2. Other texts of an answer are dropped: anybody can write them.
const OAUTH_ERROR = /^[a-z_]{1,40}$/;

/**
 * Tells whoever runs the service why a sign-in failed. Causes of the library's errors are left out, because they hold
 * answers, codes and tokens; that of a call without an answer names the host alone.
 */
export function logFailure(service: ServiceName, event: string, error: unknown): void {
  const { cause } = error as { readonly cause?: unknown };
  const { name, message, code } = (cause instanceof FetchFailed ? cause : error) as Partial<
    Error & { code: unknown }
  >;
  const answered = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError;
  const providerError = answered && OAUTH_ERROR.test(error.error) ? error.error : undefined;
  logger(service).warn(event, { failure: name, failureCode: code, reason: message, providerError });
}
