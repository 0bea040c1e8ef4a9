import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { s3 } from './client.ts';

/** S3 answers alike whether the file was there or not. */
export async function remove(Bucket: string, Key: string): Promise<void> {
  await s3().send(new DeleteObjectCommand({ Bucket, Key }));
}
