import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, isSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import { removingLater } from '../../domain/tasks.ts';
import { errors } from '../../errors.ts';

/** An upload is recorded before its first byte, so that an interrupted one is removed like any other. */
export const blobStates = stateMachine({ Receiving: { received: 'Received' }, Received: {} });

/** A file that waits to be named in a request, by the hash of its token. Only the application has the token. */
export type Blob = {
  readonly hash: string;
  readonly application: string;
  readonly id: string;
  readonly state: StateOf<typeof blobStates>;
  readonly name: string | null;
  readonly contentType: string;
  /** The received file. */
  readonly file: { readonly key: string; readonly size: number; readonly md5: string } | null;
  readonly expiresAtMs: number;
};

export const blobs = collection<Blob, string>({
  service: 'pki',
  name: 'blob',
  id: ({ hash }) => hash,
  key: (hash) => ({ pk: `BLOB#${hash}`, sk: 'BLOB' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

/** The folder of the file of a blob and its parts. */
export const blobFolder = ({ id }: Pick<Blob, 'id'>): string => `uploads/${id}/`;

/** How long a token names its file. */
export const KEPT_MS = 24 * 3_600_000;
// A request that named the blob in its last second has read it by then.
export const REMOVED_AFTER_MS = 3_600_000;

/** Whose a blob is: of the caller, or of the application of a session. */
type Owner = Pick<Caller, 'application'>;

type Description = Pick<Blob, 'name' | 'contentType'>;

/** Begins an upload. The token is not kept. */
export async function beginBlob({ application }: Owner, description: Description, nowMs: number) {
  const token = newSecret();
  const blob: Blob = {
    ...description,
    hash: hashSecret(token),
    application,
    id: randomUUID(),
    state: 'Receiving',
    file: null,
    expiresAtMs: nowMs + KEPT_MS,
  };
  const removing = removingLater(blobFolder(blob), blob.expiresAtMs + REMOVED_AFTER_MS);
  return { token, blob: await blobs.create(blob, { also: [removing] }) };
}

/** A blob of a file that is there, as a write. Whoever removes the file keeps it as long. */
export function creatingBlob(
  { application }: Owner,
  { file, ...description }: Description & { readonly file: NonNullable<Blob['file']> },
  nowMs: number,
) {
  const token = newSecret();
  const write = blobs.creating({
    ...description,
    ...{ hash: hashSecret(token), application, id: randomUUID(), state: 'Received', file },
    expiresAtMs: nowMs + KEPT_MS,
  });
  return { token, write };
}

/** The caller's blob of this token. */
export async function findBlob({ application }: Owner, token: string, nowMs: number): Promise<Stored<Blob>> {
  const found = isSecret(token) ? await blobs.get(hashSecret(token)) : undefined;
  if (found?.application !== application || nowMs >= found.expiresAtMs) throw errors.refuse('InvalidToken');
  return found;
}
