import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { files } from '../../../../shared/files/files.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { openRecord, sealRecord } from '../../../../shared/signing/two-step/sealed-record.ts';
import type { SignatureRecord } from '../../../../shared/signing/two-step/two-step.ts';
import { collection, getBoth, type Stored } from '../../../../shared/store/collection.ts';
import { canceling } from '../../../../shared/store/due/message.ts';
import type { Attributes } from '../../../../shared/store/item.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { documentItems, documentPartition } from '../document/document.ts';
import type { Mark } from '../flow/flow.ts';
import { taskMessage } from '../tasks.ts';

/** A started signature that waits for its value, and the place in the flow that it fills. */
export type StartedSignature = {
  readonly documentId: string;
  /** Hash of the token. The token itself is not stored. */
  readonly hash: string;
  readonly actionId: string;
  readonly personId: string;
  /** The file that is signed: its round, and the number of signatures it has. */
  readonly round: number;
  readonly revision: number;
  /** Whether others were to sign too when it was started. */
  readonly othersFollow: boolean;
  /** The places at which it is shown. */
  readonly marks: readonly Mark[];
  /** The SignatureRecord. It opens for this document and token. */
  readonly sealedRecord: string;
  readonly expiresAtMs: number;
};

/** The same with its record. */
export type OpenedSignature = Stored<StartedSignature> & { readonly record: SignatureRecord };

type Id = Pick<StartedSignature, 'documentId' | 'hash'>;

const SIGNATURE_PREFIX = 'SIGNATURE#';

export const startedSignatures = collection<StartedSignature, Id>({
  service: 'documents',
  name: 'started signature',
  id: ({ documentId, hash }) => ({ documentId, hash }),
  key: ({ documentId, hash }) => ({ pk: documentPartition(documentId), sk: `${SIGNATURE_PREFIX}${hash}` }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil((expiresAtMs + FORGOTTEN_AFTER_MS) / 1000) }),
});

/** The started signatures among the items of a document's partition. */
export const readStarted = (rows: readonly Attributes[]): Stored<StartedSignature>[] =>
  rows.filter(({ sk }) => sk?.S?.startsWith(SIGNATURE_PREFIX)).map(startedSignatures.read);

// Longer than any function runs: nobody who found the token valid is still writing its file when it is forgotten.
const FORGOTTEN_AFTER_MS = 15 * 60_000;

// A person finds the token and types the PIN.
const TOKEN_VALID_MS = 600_000;

/** The token of a signature that starts, and the writes that store it with the task that forgets it. */
export async function storingStarted(
  started: Omit<StartedSignature, 'hash' | 'expiresAtMs' | 'sealedRecord'>,
  record: SignatureRecord,
  nowMs: number,
): Promise<{ readonly token: string; readonly writes: readonly Write[] }> {
  const { documentId } = started;
  // The token holds the id of its document, so that no second item is needed to find it.
  const token = `${documentId.replaceAll('-', '')}${newSecret()}`;
  const hash = hashSecret(token);
  const expiresAtMs = nowMs + TOKEN_VALID_MS;
  const forgetting = taskMessage(
    { task: 'forgetSignature', documentId, tokenHash: hash },
    { dueAtMs: expiresAtMs + FORGOTTEN_AFTER_MS, id: forgettingIdOf(hash), kind: 'garbage' },
  );
  const sealedRecord = await sealRecord(aboutOf({ documentId, hash }), record);
  const creating = startedSignatures.creating({ ...started, hash, sealedRecord, expiresAtMs });
  return { token, writes: [creating, forgetting] };
}

const aboutOf = ({ documentId, hash }: Id): string =>
  JSON.stringify(['documents started signature', documentId, hash]);

/**
 * The writes that end a started signature, for the commit that completes it: nothing of it is left to be forgotten. The
 * file of another attempt, killed before its commit, stays until the document is deleted.
 */
export const endingStarted = (started: Stored<StartedSignature>): Write[] => [
  startedSignatures.deleting(started),
  canceling('documents', forgettingIdOf(started.hash)),
];

const forgettingIdOf = (tokenHash: string): string => `token:${tokenHash}`;

/** Reads a document with the started signature of a token, in one request. */
export const readWithStarted = (documentId: string, token: string) =>
  getBoth([documentItems, documentId], [startedSignatures, { documentId, hash: hashSecret(token) }]);

/** Refuses an expired or used token, and one of another document. */
export async function requireValid(
  started: Stored<StartedSignature> | undefined,
  nowMs: number,
): Promise<OpenedSignature> {
  if (!started || started.expiresAtMs <= nowMs) throw invalidToken();
  const opened = await openRecord(aboutOf(started), started.sealedRecord);
  if ('plain' in opened) return { ...started, record: opened.plain };
  logger('documents').error(`A started signature does not open: ${opened.problem}`, {
    documentId: started.documentId,
  });
  throw invalidToken();
}

/** The caller has to start the signature again. */
export const invalidToken = () => errors.refuse('InvalidSignatureToken');

const folderOf = (documentId: string): string => `documents/${documentId}/signed/`;

// Enough of the hash to tell the tokens of a document apart.
const PART_LENGTH = 20;
const partOf = (tokenHash: string): string => tokenHash.slice(0, PART_LENGTH);

/**
 * The key of the signed file of one attempt. Two attempts that complete one token at the same time must not overwrite
 * each other, or the document would record the size of one and the bytes of the other.
 */
export const signedFileKey = (
  { documentId, hash, revision }: Pick<StartedSignature, 'documentId' | 'hash' | 'revision'>,
  attempt: string,
): string => `${folderOf(documentId)}${revision + 1}-${partOf(hash)}-${attempt}`;

/**
 * Removes a started signature: its token, and any file of it that the document does not name. Safe to repeat, also
 * after the document is deleted.
 */
export async function forgetSignature(documentId: string, tokenHash: string): Promise<void> {
  const found = await startedSignatures.get({ documentId, hash: tokenHash });
  if (found) await startedSignatures.delete(found).catch(ifThrown(RaceLost));
  const document = await documentItems.get(documentId);
  for (const key of await filesOf(documentId, tokenHash))
    if (key !== document?.signed?.key) await files('documents').remove(key);
}

async function filesOf(documentId: string, tokenHash: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of files('documents').pages(folderOf(documentId)))
    keys.push(...page.map(({ key }) => key));
  return keys.filter((key) => key.includes(`-${partOf(tokenHash)}-`));
}
