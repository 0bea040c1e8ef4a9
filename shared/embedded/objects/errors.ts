import { StoreError } from '../errors.ts';
import { type Request, refuseUnknown } from '../request.ts';

const s3Error =
  (name: string, status: number, usual = '') =>
  (message = usual): StoreError =>
    new StoreError(name, message, { Code: name }, status);

export const noSuchKey = s3Error('NoSuchKey', 404, 'The specified key does not exist.');
/** The answer to HEAD has no body, so it does not say what is missing. */
export const notFound = s3Error('NotFound', 404, 'NotFound');
export const noSuchBucket = s3Error('NoSuchBucket', 404, 'The specified bucket does not exist');
export const noSuchUpload = s3Error(
  'NoSuchUpload',
  404,
  'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
);
export const preconditionFailed = s3Error(
  'PreconditionFailed',
  412,
  'At least one of the pre-conditions you specified did not hold',
);
export const invalidRange = s3Error('InvalidRange', 416, 'The requested range is not satisfiable');
export const bucketExists = s3Error(
  'BucketAlreadyOwnedByYou',
  409,
  'Your previous request to create the named bucket succeeded and you already own it.',
);
export const bucketNotEmpty = s3Error('BucketNotEmpty', 409, 'The bucket you tried to delete is not empty');
export const invalidBucketName = s3Error('InvalidBucketName', 400, 'The specified bucket is not valid.');
export const invalidArgument = s3Error('InvalidArgument', 400);
export const invalidRequest = s3Error('InvalidRequest', 400);
export const malformed = s3Error('MalformedXML', 400, 'The request is not as S3 takes it');
export const keyTooLong = s3Error('KeyTooLongError', 400, 'Your key is too long');
export const incompleteBody = s3Error(
  'IncompleteBody',
  400,
  'You did not provide the number of bytes specified by the Content-Length HTTP header',
);
export const invalidPart = s3Error(
  'InvalidPart',
  400,
  'One or more of the specified parts could not be found, or their entity tags did not match.',
);
export const invalidPartOrder = s3Error(
  'InvalidPartOrder',
  400,
  'The list of parts was not in ascending order.',
);
export const partTooSmall = s3Error(
  'EntityTooSmall',
  400,
  'Your proposed upload is smaller than the minimum allowed size',
);
export const notImplemented = s3Error('NotImplemented', 501);
export const internalError = s3Error('InternalError', 500);
export const accessDenied = s3Error('AccessDenied', 403);
export const wrongSignature = s3Error(
  'SignatureDoesNotMatch',
  403,
  'The request is not the one that the link was made for: its signature does not match.',
);

/** Refuses what is not implemented, by its name. */
export const onlyKnown = (request: Request, known: readonly string[]): void =>
  refuseUnknown(request, known, notImplemented);
