import { createHash } from 'node:crypto';
import { withDeadline } from '../../../../shared/async/deadline.ts';
import { files } from '../../../../shared/files/files.ts';
import { logger } from '../../../../shared/log/logger.ts';
import type { Outcome, Reason } from '../../../../shared/signing/verification/reasons.ts';
import type { SignatureModel } from '../../../../shared/signing/verification/report.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { type Item, type ItemFile, type ItemId, signedKey } from '../../items/domain/item.ts';
import { judgeSigned } from '../../items/domain/judge-signed.ts';
import { settings } from '../../settings.ts';
import { publicCpf, publicText } from './public-text.ts';

/** One signature of a file, as anybody may see it. */
export type CheckedSignature = {
  /** The name in the certificate; null where the file has no certificate for it. */
  readonly signer: string | null;
  /** Masked. */
  readonly cpf: string | null;
  /** ISO 8601. Of a timestamp, or else what the signer claims. */
  readonly time: string | null;
  readonly isTimeProven: boolean;
  readonly outcome: Outcome;
  readonly reasons: readonly Reason[];
};

/** What verification says of one file. `unsigned`: nobody has signed it yet; `unchecked`: it could not be verified now. */
export type CheckedFile = {
  readonly name: string;
  readonly outcome: Outcome | 'unsigned' | 'unchecked';
  readonly reasons: readonly Reason[];
  readonly signatures: readonly CheckedSignature[];
};

// API Gateway ends a call after 29 s, and a person sooner. A check that takes longer goes on, for the next view.
const MAX_WAIT_MS = 15_000;

/** Verifies the signed files of an item. Never throws for one that cannot be verified. */
export const checkFiles = (item: Item): Promise<CheckedFile[]> =>
  Promise.all(item.files.map((file) => checkFile(item, file)));

async function checkFile({ kind, id }: Item, { name, signed }: ItemFile): Promise<CheckedFile> {
  if (!signed) return { name, outcome: 'unsigned', reasons: [], signatures: [] };
  const { sha256, atMs } = signed;
  const key = JSON.stringify({ kind, id, name, sha256, atMs } satisfies SignedFile);
  try {
    const found = await withDeadline(
      MAX_WAIT_MS,
      () => recentChecks.get(key),
      () => new Error(`The signed file was not verified within ${MAX_WAIT_MS} ms.`),
    );
    if (!found) throw new Error('The signed file is gone from the bucket.');
    if (!lacksRevocation(found)) return { name, ...found };
    if (signed.wasJudgedValid) return { name, ...judgedValid(found) };
    // It may be there at the next view.
    recentChecks.drop(key);
    return { name, ...found };
  } catch (error) {
    logger('credentials').error('A signed file could not be verified.', { kind, id, file: name, error });
    return { name, outcome: 'unchecked', reasons: [], signatures: [] };
  }
}

type SignedFile = ItemId & { readonly name: string; readonly sha256: string; readonly atMs: number };
type Check = Omit<CheckedFile, 'name' | 'outcome'> & { readonly outcome: Outcome };

/** Whether revocation data is all that it lacks: its source is out of reach, or a certificate has expired. */
const lacksRevocation = ({ outcome, reasons }: Check): boolean =>
  outcome === 'undetermined' && reasons.every((reason) => reason === 'TRY_LATER');

/** The data was there when the file was taken, and said that every certificate was valid. */
const judgedValid = ({ signatures }: Check): Check => ({
  outcome: 'valid',
  reasons: [],
  signatures: signatures.map((signature) => ({ ...signature, outcome: 'valid', reasons: [] })),
});

// A page that is passed around is opened many times at once. The file does not change, and what its certificates were
// when it was taken changes only by a revocation that is dated back.
const KEPT_MS = 5 * 60_000;

const recentChecks = cached<Check>({
  name: 'credentials.checked-files',
  read: (key) => verify(JSON.parse(key) as SignedFile),
  ttlMs: () => KEPT_MS,
});

/**
 * Judged as of the moment at which the file was taken: it was verified then, and its hash has been in the item since. So
 * a certificate that is revoked later does not spoil a signature that was made in its time. A timestamp in the file that
 * proves an earlier time is preferred.
 */
async function verify(file: SignedFile): Promise<Check | undefined> {
  const { sha256, atMs } = file;
  const key = signedKey(file, file.name, file);
  const bytes = await files('credentials').read(key, 2 * settings['Xml:MaxBytes']);
  if (!bytes) return undefined;
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Error('The signed file in the bucket is not the one that was taken.');
  const { outcome, reasons, signatures } = await judgeSigned(bytes, atMs);
  return { outcome, reasons, signatures: signatures.map(publicSignature) };
}

const publicSignature = ({ signer, outcome, reasons, ...signature }: SignatureModel): CheckedSignature => ({
  signer: signer && publicText(signer.subjectDisplayName),
  cpf: publicCpf(signer?.pkiBrazil.cpf ?? null),
  time: signature.provenTime ?? signature.claimedTime,
  isTimeProven: signature.provenTime !== null,
  outcome,
  reasons,
});
