import { readFileSync } from 'node:fs';
import type { ShareRequest } from '../../../functions/batch/storage/domain/change-share.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import type { ValuesOf } from '../../../shared/command-line/parse.ts';
import { fileReason } from '../../arguments/named-file.ts';
import type { HubValues } from '../hub/options.ts';

/** The options of `shares` that no other command has, for parseArgs. */
export const SHARE_OPTIONS = {
  endpoint: { type: 'string' },
  bucket: { type: 'string' },
  prefix: { type: 'string' },
  region: { type: 'string' },
  'access-key-id': { type: 'string' },
  'ca-file': { type: 'string' },
  force: { type: 'boolean' },
} as const;

/** Their values, and those of the options for a secret. */
export type ShareValues = ValuesOf<typeof SHARE_OPTIONS> & Pick<HubValues, 'secret-file' | 'secret-env'>;

// Servers that have no regions take this one.
const USUAL_REGION = 'us-east-1';

/** The share of these options, without its secret. */
export const shareOf = (name: string, values: ShareValues): Omit<ShareRequest, 'secretAccessKey'> => ({
  name,
  endpoint: values.endpoint ?? '',
  bucket: values.bucket ?? '',
  prefix: values.prefix ?? '',
  region: values.region ?? USUAL_REGION,
  accessKeyId: values['access-key-id'] ?? '',
  authority: values['ca-file'] === undefined ? undefined : readText(values['ca-file']),
});

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AdminRefusal(`--ca-file ${file} cannot be read: ${fileReason(error)}`);
  }
}
