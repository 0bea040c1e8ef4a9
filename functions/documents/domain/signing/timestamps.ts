import { logger } from '../../../../shared/log/logger.ts';
import type { Stamp } from '../../../../shared/signing/cms/stamp.ts';
import { stampWith, TimestampFailed } from '../../../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../../../shared/signing/timestamp/post.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

const authorities = (): readonly string[] => settings['Signatures:TimestampAuthorities'] ?? [];

/** Whether signatures started now will carry a timestamp. Space is reserved for it at the start. */
export const isTimestamping = (): boolean => authorities().length > 0;

/** Requests a timestamp from the configured authorities, in their order. */
export const timestampWithConfiguredAuthorities: Stamp = async (digest, hash) => {
  try {
    const client = { authorities: authorities().map((url) => ({ url })), post: timestampPost() };
    return await stampWith(client)(digest, hash);
  } catch (error) {
    if (!(error instanceof TimestampFailed)) throw error;
    logger('documents').error('No timestamp authority gave a timestamp.', { error });
    throw errors.refuse('TimestampUnavailable');
  }
};
