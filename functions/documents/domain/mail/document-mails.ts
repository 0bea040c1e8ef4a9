import { mailRecords } from '../../../../shared/mail/record.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { readPartition } from '../../../../shared/store/partition.ts';
import { readLinks, type StoredLink } from '../document/action-link.ts';
import { type Document, documentItems, documentPartition } from '../document/document.ts';
import { readStarted, type StartedSignature } from '../signing/started-signature.ts';

const MAIL_PREFIX = 'MAIL#';

/** The messages about documents, each in the partition of its document: they are read and deleted with it. */
export const documentMails = mailRecords('documents', ({ about, name }) => ({
  pk: documentPartition(about),
  sk: `${MAIL_PREFIX}${name}`,
}));

/** A document with the messages about it, the links to it and the signatures that were started. */
export type WithTraces = {
  readonly document: Stored<Document> | undefined;
  readonly mails: readonly ReturnType<typeof documentMails.read>[];
  readonly links: readonly StoredLink[];
  readonly started: readonly Stored<StartedSignature>[];
};

/** Reads all of them in one request. */
export async function readWithTraces(documentId: string): Promise<WithTraces> {
  const rows = await readPartition('documents', documentPartition(documentId));
  const { sk: documentKey } = documentItems.key(documentId);
  const row = rows.find(({ sk }) => sk?.S === documentKey);
  return {
    document: row && documentItems.read(row),
    mails: rows.filter(({ sk }) => sk?.S?.startsWith(MAIL_PREFIX)).map(documentMails.read),
    links: readLinks(rows),
    started: readStarted(rows),
  };
}
