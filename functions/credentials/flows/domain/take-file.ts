import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Deadline } from '../../../../shared/async/deadline.ts';
import type { Said } from '../../../../shared/errors/said.ts';
import { files } from '../../../../shared/files/files.ts';
import { sha256Of } from '../../../../shared/files/sha256.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { isConcluded } from '../../../../shared/platform/documents.ts';
import { isPermanent, PlatformRefused, PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import type { PlatformDocument } from '../../../../shared/platform/shapes.ts';
import { inspectSignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import type { Sentence } from '../../../../shared/ui/sentences.ts';
import { fileKey, type Item, type ItemFile, type SigningPerson, signedKey } from '../../items/domain/item.ts';
import { judgeSigned } from '../../items/domain/judge-signed.ts';
import { say, sayEnd } from '../../items/sentences.ts';
import { settings } from '../../settings.ts';
import { platform } from './platform.ts';
import { timestampsEndMs } from './proof.ts';
import { peopleNow } from './signing-people.ts';

/** How the document of a file stands. */
export type Finding =
  /** Somebody has still to sign. */
  | { readonly is: 'waiting'; readonly people: readonly SigningPerson[] | undefined }
  /** Verified and stored. */
  | {
      readonly is: 'signed';
      readonly signed: NonNullable<ItemFile['signed']>;
      /** When the timestamps in the file expire, if it has any. */
      readonly timestampsEndMs: number | undefined;
    }
  /** Signed by all, but not as it has to be. */
  | { readonly is: 'unusable'; readonly problem: Said }
  /** Nobody can sign it any more. */
  | { readonly is: 'ended'; readonly problem: Said }
  /** The platform does not answer. */
  | { readonly is: 'unknown'; readonly error: Error };

// Nobody will sign the document any more.
const ENDED: ReadonlySet<string> = new Set(['Refused', 'Expired', 'Canceled']);

/** Asks the platform about the document of a file. Takes the file where it is signed by all. */
export async function takeFile(
  item: Item,
  { id: documentId, cpfs, people }: NonNullable<ItemFile['document']>,
  file: ItemFile,
  deadline: Deadline,
): Promise<Finding> {
  try {
    const document = await platform.readDocument(documentId, deadline).catch((error: unknown) => {
      if (isPermanent(error)) return error;
      throw error;
    });
    if (document instanceof PlatformRefused)
      return { is: 'ended', problem: say('file.gone', { message: document.message }) };
    if (ENDED.has(document.status)) return { is: 'ended', problem: endOf(document) };
    if (!isConcluded(document.status))
      return { is: 'waiting', people: people && (await peopleNow(document, people, deadline)) };
    return await take(item, file, { documentId, cpfs }, deadline);
  } catch (error) {
    if (error instanceof PlatformUnreachable || error instanceof PlatformRefused)
      return { is: 'unknown', error };
    throw error;
  }
}

const endOf = ({ status, statusUpdateReason }: PlatformDocument): Said =>
  sayEnd('file', status, statusUpdateReason);

const unusable = (why: Sentence): Finding => ({ is: 'unusable', problem: say('file.unusable', { why }) });

async function take(
  item: Item,
  file: ItemFile,
  { documentId, cpfs }: { readonly documentId: string; readonly cpfs: readonly string[] },
  deadline: Deadline,
): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-credential-'));
  try {
    const path = join(folder, 'signed.xml');
    // The signatures of a few people are not as long as the largest file.
    await platform.downloadSigned(documentId, path, deadline, 2 * settings['Xml:MaxBytes']);
    const options = { format: 'xades', atMs: deadline.now(), cpfs } as const;
    const { result, signatures } = await inspectSignedFile(path, options);
    if (!result.ok) return unusable(result.reasons.join(' '));
    if (!(await holdsOriginal(item, file, path))) return unusable(say('file.replaced'));
    const outcome = await judge(item, file, path, deadline.now());
    if (outcome === 'invalid') return unusable(say('file.untrusted'));
    const stored = await store(item, file, path, deadline.now());
    const signed = { ...stored, wasJudgedValid: outcome === 'valid' };
    return { is: 'signed', signed, timestampsEndMs: timestampsEndMs(signatures) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function holdsOriginal(item: Item, file: ItemFile, path: string): Promise<boolean> {
  const { addsOnlySignatures } = await import('../../../../shared/signing/xades/added-signatures.ts');
  const original = await files('credentials').get(fileKey(item, file));
  return original !== undefined && addsOnlySignatures(await buffer(original.stream), await readFile(path));
}

/**
 * How its certificates are now, for whoever asks when they have expired as well. A file whose certificates cannot be judged
 * is taken: a revocation server that is down fails no file.
 */
async function judge(
  { kind, id }: Item,
  { name }: ItemFile,
  path: string,
  atMs: number,
): Promise<'valid' | 'invalid' | 'undetermined'> {
  try {
    return (await judgeSigned(await readFile(path), atMs)).outcome;
  } catch (error) {
    logger('credentials').warn('The certificates of a signed file could not be judged.', {
      ...{ kind, id, file: name, error },
    });
    return 'undetermined';
  }
}

async function store(item: Item, { name }: ItemFile, path: string, atMs: number) {
  const sha256 = await sha256Of(createReadStream(path));
  const key = signedKey(item, name, { sha256 });
  const options = { contentType: 'application/xml', sha256 };
  const { length } = await files('credentials').put(key, createReadStream(path), options);
  return { sha256, length, atMs };
}
