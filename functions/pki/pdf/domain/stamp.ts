import { logger } from '../../../../shared/log/logger.ts';
import type { Stamp } from '../../../../shared/signing/cms/stamp.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { appendDocumentTimestamp } from '../../../../shared/signing/pades/sign.ts';
import { stampWith, TimestampFailed } from '../../../../shared/signing/timestamp/client.ts';
import { timestampPost } from '../../../../shared/signing/timestamp/post.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { withRefusals } from './refusals.ts';

type Options = {
  readonly customSignatureFieldName?: string | null | undefined;
  readonly reason?: string | null | undefined;
};

/** The PDF with a timestamp over all of it. Signatures in it stay valid, also where they certify it. */
export async function stampPdf(pdf: Buffer, { customSignatureFieldName, reason }: Options): Promise<Buffer> {
  const options = { field: customSignatureFieldName || undefined, reason: reason || undefined };
  return withRefusals('stamping', async () =>
    Buffer.concat((await appendDocumentTimestamp(sourceOf(pdf), stamp, options)).pieces),
  );
}

const stamp: Stamp = async (digest, hash) => {
  const authorities = (settings['Signatures:TimestampAuthorities'] ?? []).map((url) => ({ url }));
  try {
    return await stampWith({ authorities, post: timestampPost() })(digest, hash);
  } catch (error) {
    if (!(error instanceof TimestampFailed)) throw error;
    if (authorities.length > 0) logger('pki').error('No timestamp authority gave a timestamp.', { error });
    throw errors.refuse('TimestampingUnavailable');
  }
};
