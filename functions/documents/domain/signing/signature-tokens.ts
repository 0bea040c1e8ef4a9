import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { files } from '../../../../shared/files/files.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { type Document, documentItems } from '../document/document.ts';
import type { Mark } from '../flow/flow.ts';
import { taskMessage as doing } from '../tasks.ts';

/** A signature that was started and waits for its value. Bytes are base64. */
export type StartedSignature = {
  readonly documentId: string;
  /** Of the token; the token itself is not kept. */
  readonly hash: string;
  readonly actionId: string;
  readonly personId: string;
  /** The file that is signed: of this round, with so many signatures. */
  readonly round: number;
  readonly revision: number;
  readonly format: SignatureFormat;
  readonly certificate: string;
  readonly chain: readonly string[];
  readonly signingTimeMs: number;
  readonly mark: Mark | null;
  readonly isTimestamped: boolean;
  readonly toSignHash: string;
  /** What the format needs to complete, as JSON text. */
  readonly prepared: string;
  readonly expiresAtMs: number;
};

type Id = Pick<StartedSignature, 'documentId' | 'hash'>;

export const startedSignatures = collection<StartedSignature, Id>({
  service: 'documents',
  name: 'started signature',
  id: ({ documentId, hash }) => ({ documentId, hash }),
  key: ({ documentId, hash }) => ({ pk: `DOCUMENT#${documentId}`, sk: `SIGNATURE#${hash}` }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil((expiresAtMs + FORGOTTEN_AFTER_MS) / 1000) }),
});

// Longer than any function runs: when a token is forgotten, nobody who found it good is still writing its file.
const FORGOTTEN_AFTER_MS = 15 * 60_000;

/** Keeps a signature that was started, in one write with the task that forgets it. Gives the token. */
export async function keepStarted(
  started: Omit<StartedSignature, 'hash' | 'expiresAtMs'>,
  nowMs: number,
): Promise<string> {
  const { documentId } = started;
  // The token names its document, so that it is found with no second item.
  const token = `${documentId.replaceAll('-', '')}${newSecret()}`;
  const hash = hashSecret(token);
  const expiresAtMs = nowMs + settings['Signatures:TokenValidFor'] * 1000;
  const forgetting = doing(
    { task: 'forgetSignature', documentId, tokenHash: hash },
    { dueAtMs: expiresAtMs + FORGOTTEN_AFTER_MS },
  );
  await startedSignatures.create({ ...started, hash, expiresAtMs }, { also: [forgetting] });
  return token;
}

/** The signature that a token completes. One that is over, was used or is of another document completes nothing. */
export async function findStarted(
  { id: documentId }: Pick<Document, 'id'>,
  token: string,
  nowMs: number,
): Promise<Stored<StartedSignature>> {
  const isOfDocument = token.startsWith(documentId.replaceAll('-', ''));
  const found = isOfDocument
    ? await startedSignatures.get({ documentId, hash: hashSecret(token) })
    : undefined;
  if (found && found.expiresAtMs > nowMs) return found;
  throw startAgain();
}

export const startAgain = () => errors.refuse('InvalidSignatureToken');

const folderOf = (documentId: string): string => `documents/${documentId}/signed/`;

// Enough of a hash that no two tokens of a document share it.
const PART_LENGTH = 20;
const partOf = (tokenHash: string): string => tokenHash.slice(0, PART_LENGTH);

/**
 * Where the file of one attempt to complete goes. Each has a place of its own: two that complete one token at the
 * same moment must not write over each other, or the document would name one's size and the other's bytes.
 */
export const signedFileKey = (
  { documentId, hash, revision }: Pick<StartedSignature, 'documentId' | 'hash' | 'revision'>,
  attempt: string,
): string => `${folderOf(documentId)}${revision + 1}-${partOf(hash)}-${attempt}`;

/**
 * Ends a signature that was started: its token, and any file that it left and that no document names.
 * It may come twice, and after the document itself is gone.
 */
export async function forgetSignature(documentId: string, tokenHash: string): Promise<void> {
  const found = await startedSignatures.get({ documentId, hash: tokenHash });
  if (found) await startedSignatures.delete(found).catch(orGone);
  const document = await documentItems.get(documentId);
  for (const key of await filesOf(documentId, tokenHash))
    if (key !== document?.signed?.key) await files('documents').remove(key);
}

const orGone = (error: unknown): void => {
  if (!(error instanceof RaceLost)) throw error;
};

async function filesOf(documentId: string, tokenHash: string): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await files('documents').list(folderOf(documentId), cursor);
    keys.push(...page.files.map(({ key }) => key));
    cursor = page.cursor;
  } while (cursor);
  return keys.filter((key) => key.includes(`-${partOf(tokenHash)}-`));
}
