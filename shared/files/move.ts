import { CopyObjectCommand } from '@aws-sdk/client-s3';
import { s3 } from './client.ts';
import { statusOf } from './errors.ts';
import { head } from './get.ts';
import { deleteByTag } from './move-and-delete.ts';

/**
 * Copies, then deletes what was copied. A repeated or interrupted move ends the same way: the copy is made again
 * over itself, or the source is gone and the target there. Content written to `from` meanwhile stays there.
 */
export async function move(bucket: string, from: string, to: string): Promise<'moved' | 'gone'> {
  const source = await head(bucket, from);
  if (!source) return (await head(bucket, to)) ? 'moved' : 'gone';
  if (from === to) return 'moved';
  try {
    await s3().send(
      new CopyObjectCommand({
        Bucket: bucket,
        Key: to,
        CopySource: `${bucket}/${from.split('/').map(encodeURIComponent).join('/')}`,
        CopySourceIfMatch: source.etag,
      }),
    );
  } catch (error) {
    // Another mover was faster and has deleted the source.
    if (statusOf(error) === 404) return (await head(bucket, to)) ? 'moved' : 'gone';
    throw error;
  }
  await deleteByTag(bucket, from, source.etag);
  return 'moved';
}
