import { files } from '../../../../shared/files/files.ts';

type Description = {
  readonly name: string | null;
  readonly contentType: string;
  readonly size: number;
};

type Model = Description & {
  readonly blobToken?: string | null;
  readonly content?: Buffer | null;
  readonly url?: string | null;
};

/** A file in the form of the contract. */
export const fileModel = ({ name, contentType, size, blobToken, content, url }: Model) => ({
  name,
  mimeType: contentType,
  contentType,
  length: size,
  blobToken: blobToken ?? null,
  content: content?.toString('base64') ?? null,
  url: url ?? null,
  location: url ?? null,
});

const LINK_SECONDS = 3_600;

/** A link to a stored file, which opens without a key for an hour. */
export const linkTo = (key: string, fileName: string): Promise<string> =>
  files('pki').downloadUrl(key, { fileName, expiresSeconds: LINK_SECONDS });
