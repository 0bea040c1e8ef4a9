/** A request to S3, as fauxqs has read it. */
export type S3Request = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly params: { readonly bucket?: string; readonly '*'?: string };
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
};
export type S3Answer = { readonly status: number; readonly body: string };

export type StoredObject = { readonly size: number; readonly etag: string };
export type FindObject = (bucket: string, key: string) => StoredObject | undefined;

/** @example s3Error(404, 'NoSuchKey', 'The specified key does not exist.') */
export function s3Error(status: number, code: string, message: string): S3Answer {
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return {
    status,
    body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${text}</Message></Error>`,
  };
}
