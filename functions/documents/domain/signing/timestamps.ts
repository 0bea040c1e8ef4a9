import { logger } from '../../../../shared/log/logger.ts';
import type { Stamp } from '../../../../shared/signing/cms/stamp.ts';
import { stampWith, TimestampFailed } from '../../../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../../../shared/signing/timestamp/post.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

const authorities = (): readonly string[] => settings['Signatures:TimestampAuthorities'] ?? [];

/** Whether signatures that begin now will carry a timestamp: room is left for it then. */
export const isTimestamping = (): boolean => authorities().length > 0;

/** Asks the authorities of this deployment, in their order. */
export const timestampWithConfiguredAuthorities: Stamp = async (digest, hash) => {
  try {
    const asking = { authorities: authorities().map((url) => ({ url })), post: timestampPost() };
    return await stampWith(asking)(digest, hash);
  } catch (error) {
    if (!(error instanceof TimestampFailed)) throw error;
    logger('documents').error('No timestamp authority gave a timestamp.', { error });
    throw errors.refuse('TimestampUnavailable');
  }
};
