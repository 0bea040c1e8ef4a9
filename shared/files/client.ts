import { S3Client } from '@aws-sdk/client-s3';

// Time for one part of an upload over a slow line. A request with no answer by then is lost and is tried again.
const ANSWER_WITHIN_MS = 30_000;

let client: S3Client | undefined;

/**
 * The S3 client of this process, made when first asked for.
 * @example await s3().send(new HeadObjectCommand({ Bucket, Key }));
 */
export function s3(): S3Client {
  client ??= new S3Client({
    // An endpoint of one's own has one host name, so the bucket goes in the path.
    forcePathStyle: Boolean(process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL),
    // By default the SDK puts the checksum of an empty body into upload links, which then fit no file.
    // What this process sends itself asks for its checksum by name.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    requestHandler: { requestTimeout: ANSWER_WITHIN_MS, throwOnRequestTimeout: true },
  });
  return client;
}
