import * as z from 'zod';
import { BLOB_TOKEN, DIGEST, FILE } from '../examples.ts';

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const mediaType = z.union([z.literal(''), z.string().max(100).regex(MEDIA_TYPE, 'is not a media type')]);

const PLACES = {
  mimeType: mediaType.nullish().describe('Left out: by what the file is.'),
  content: z.base64().nullish().describe('The file, base64.'),
  blobToken: z.string().max(200).nullish().describe('Of an upload.'),
  url: z
    .string()
    .max(2_048)
    .nullish()
    .describe('Where the service gets the file: with GET, without headers.'),
};

type Places = {
  readonly [Place in 'content' | 'blobToken' | 'url' | 'location']?: string | null | undefined;
};

// An empty text is what a client sends for a place that it does not use.
const hasOnePlace = (file: Places): boolean =>
  [file.content, file.blobToken, file.url || file.location].filter(Boolean).length === 1;
const ONE_PLACE = 'must say where the file is by one of content, blobToken and url';

/** A file in a request of the earlier generation. */
export const FileModel = z
  .object(PLACES)
  .refine(hasOnePlace, ONE_PLACE)
  .meta({
    description: 'A file: its bytes, an upload, or an address.',
    examples: [{ mimeType: 'application/pdf', content: 'JVBERi0xLjcK' }],
  });

export const FileReference = z
  .object({
    ...PLACES,
    name: z.string().max(255).nullish(),
    length: z
      .int()
      .min(0)
      .nullish()
      .describe('In bytes. A file of another length is refused; 0 says nothing.'),
    contentType: mediaType.nullish().describe('An older name of `mimeType`.'),
    location: z.string().max(2_048).nullish().describe('An older name of `url`.'),
  })
  .refine(hasOnePlace, ONE_PLACE)
  .meta({
    description: 'A file: its bytes, an upload, or an address.',
    examples: [{ name: 'contract.pdf', mimeType: 'application/pdf', content: 'JVBERi0xLjcK' }],
  });

export const FileReferenceModel = z
  .object({
    name: z.string().nullable(),
    mimeType: z.string(),
    contentType: z.string().describe('The same, by its older name.'),
    length: z.int(),
    blobToken: z.string().nullable().describe('Of an upload: names the file in a request, for a day.'),
    content: z.base64().nullable(),
    url: z.string().nullable().describe('Opens without a key, for an hour.'),
    location: z.string().nullable().describe('The same, by its older name.'),
  })
  .meta({ description: 'A file of this service.', examples: [FILE] });

export const EarlierFileModel = z
  .object({
    mimeType: z.string(),
    content: z.base64().nullable().describe('Null for a large file: then `url` has it.'),
    blobToken: z.string().nullable(),
    url: z.string().nullable().describe('Opens without a key, for an hour.'),
  })
  .meta({
    description: 'A file of this service, as the earlier generation has it.',
    examples: [{ mimeType: 'application/pdf', content: 'JVBERi0xLjcK', blobToken: null, url: null }],
  });

export const MultipartUploadModel = z
  .object({ blobToken: z.string(), partSize: z.int().describe('Of every part but the last, in bytes.') })
  .meta({
    description: 'An upload in parts.',
    examples: [{ blobToken: BLOB_TOKEN, partSize: 4_194_304 }],
  });

const blobToken = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Of the upload.', examples: [BLOB_TOKEN] });

export const UploadParams = z.object({ token: blobToken });

export const PartParams = UploadParams.extend({
  partNumber: z
    .string()
    .max(64)
    .meta({ description: 'Parts are counted from 0.', examples: ['0'] }),
});

export const CompleteMultipartUploadRequest = z
  .object({
    partETags: z.array(z.string().min(1).max(100)).min(1).max(10_000).describe('As each part was answered.'),
    completeMD5: z.base64().max(24).nullish().describe('Of the whole file.'),
  })
  .meta({
    description: 'The parts in their order.',
    examples: [
      {
        partETags: ['"6805f2cfc46c0f04559748bb039d69ae"'],
        completeMD5: 'aAXyz8RsDwRVl0i7A51prg==',
      },
    ],
  });

export const DigestRequest = z
  .object({
    algorithm: z.enum(['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512', 'SHA3_256']),
    value: z.base64().max(100).nullish(),
    hexValue: z.hex().max(200).nullish().describe('In place of `value`.'),
  })
  .meta({ description: 'A digest of content that is elsewhere.', examples: [DIGEST] });

export const PLAIN_FORM = {
  type: 'object',
  description: 'The file as a file part.',
  examples: [{ file: '(bytes of contract.pdf)' }],
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' } },
};

export const SystemInfoModel = z.object({ productVersion: z.string() }).meta({
  description: 'What the earlier generation calls its version.',
  examples: [{ productVersion: '1.14.0' }],
});
