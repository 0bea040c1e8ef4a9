import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Opened, openStoredBytes, sealStored } from '../../keyring/stored.ts';
import type { SignatureRecord } from './two-step.ts';

// The record names the signer and the document. Certificates compress, so that it takes no more room than in clear.

/** The record of a started signature in the form in which the store keeps it. `about` names the start. */
export const sealRecord = (about: string, record: SignatureRecord): Promise<string> =>
  sealStored({ about }, deflateRawSync(JSON.stringify(record)));

/** The record, or why it does not open. */
export async function openRecord(about: string, sealed: string): Promise<Opened<SignatureRecord>> {
  const opened = await openStoredBytes({ about }, sealed);
  return 'problem' in opened
    ? opened
    : { plain: JSON.parse(inflateRawSync(opened.plain).toString('utf8')) as SignatureRecord };
}
