import { ITEMS_PER_TRANSACTION } from '../../../../shared/store/commit.ts';
import { errors } from '../../errors.ts';
import type { SessionDocument, SignatureSession } from './session.ts';

// The documents share one item of the table, of 400 KB, and become documents of their own in one transaction.
const MAX_DOCUMENTS = 20;
// Of metadata, and of the options of XML.
const MAX_PART_BYTES = 65_536;
// The document, its key, and the removal of its files.
const WRITES_PER_DOCUMENT = 3;
// The session, and the message that announces its documents.
const OTHER_WRITES = 2;

/** Refuses more documents than a session may have. */
export function refuseTooMany(count: number): void {
  if (count > MAX_DOCUMENTS) throw errors.refuse('TooManyDocuments', { most: MAX_DOCUMENTS, given: count });
}

type Content = Pick<SignatureSession, 'documents' | 'documentMetadata'>;

/** Refuses documents that do not fit together into a session. */
export function refuseUnfit({ documents, documentMetadata = {} }: Content): void {
  refuseTooMany(documents.length);
  const metadata = [documentMetadata, ...documents.map((document) => document.metadata ?? {})];
  refuseTooLong(metadata, 'documentMetadata', 'and the metadata of the documents');
  const xmlOptions = documents.map(({ xades }) => xades ?? {});
  refuseTooLong(xmlOptions, 'xmlSignatureOptions', 'of the documents');
  const writes = documents.map(({ keyEntries = 0 }) => WRITES_PER_DOCUMENT + keyEntries);
  if (writes.reduce((sum, each) => sum + each, OTHER_WRITES) > ITEMS_PER_TRANSACTION)
    throw errors.refuse('TooManyDocuments', {
      reason: 'The keys of these documents have too much provisional metadata for one session.',
    });
  const given = documents.flatMap(givenKeyOf);
  const twice = given.find((key, at) => given.indexOf(key) !== at);
  if (twice !== undefined) throw errors.refuse('EntityAlreadyExists', { documentKey: twice });
}

function refuseTooLong(parts: readonly object[], field: string, rest: string): void {
  if (Buffer.byteLength(JSON.stringify(parts)) <= MAX_PART_BYTES) return;
  throw errors.refuse('InvalidRequest', undefined, {
    fields: [{ field, message: `${rest} have more than ${MAX_PART_BYTES} bytes together` }],
  });
}

const givenKeyOf = ({ documentKey }: SessionDocument): string[] =>
  documentKey?.isGivenOut ? [documentKey.key] : [];
