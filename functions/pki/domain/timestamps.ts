import { logger } from '../../../shared/log/logger.ts';
import type { Stamp } from '../../../shared/signing/cms/stamp.ts';
import { stampWith, TimestampFailed } from '../../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../../shared/signing/timestamp/post.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

const authorities = (): readonly string[] => settings['Signatures:TimestampAuthorities'] ?? [];

/** Whether the operator named an authority. */
export const hasTimestampAuthority = (): boolean => authorities().length > 0;

/** Timestamps of the authorities that the operator named. */
export const stamp: Stamp = async (digest, hash) => {
  const named = authorities().map((url) => ({ url }));
  try {
    return await stampWith({ authorities: named, post: timestampPost() })(digest, hash);
  } catch (error) {
    if (!(error instanceof TimestampFailed)) throw error;
    if (named.length > 0) logger('pki').error('No timestamp authority gave a timestamp.', { error });
    throw errors.refuse('TimestampingUnavailable');
  }
};
