import { S3Client } from '@aws-sdk/client-s3';
import { answeredHere } from '../embedded/provided.ts';
import { withoutLog } from '../net/without-log.ts';
import { bucketName, type ServiceName } from '../settings/names.ts';

// Enough for one part of an upload over a slow line. The SDK retries a request without an answer by then.
const ANSWER_WITHIN_MS = 30_000;

let client: S3Client | undefined;

/** A client of the stores of this process, or of the endpoint that the environment names now. Its caller destroys it. */
export const connectS3 = (): S3Client =>
  answeredHere(
    'objects',
    withoutLog(
      new S3Client({
        // A custom endpoint has one host name, so the bucket is in the path.
        forcePathStyle: Boolean(process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL),
        // By default the SDK puts the checksum of an empty body into presigned upload links, and every upload fails.
        // Uploads of this process name their checksum algorithm.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        requestHandler: { requestTimeout: ANSWER_WITHIN_MS, throwOnRequestTimeout: true },
      }),
    ),
  );

/**
 * The S3 client of this process, created at first use.
 * @example await s3().send(new HeadObjectCommand({ Bucket, Key }));
 */
export function s3(): S3Client {
  client ??= connectS3();
  return client;
}

/** A bucket, and the client that reaches it. */
export type Bucket = {
  readonly name: string;
  readonly client: S3Client;
  /** Whether its server may ignore conditions of requests, as some other than AWS do. */
  readonly mayIgnoreConditions?: boolean;
};

export const ownBucket = (service: ServiceName): Bucket => ({ name: bucketName(service), client: s3() });
