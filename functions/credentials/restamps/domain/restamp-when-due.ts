import { logger } from '../../../../shared/log/logger.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { restampDueAtMs } from '../../flows/domain/proof.ts';
import { restampFileMessage } from '../../flows/domain/tasks.ts';
import { type Item, type ItemId, items } from '../../items/domain/item.ts';
import { type Chain, chains, type StampedFile } from './chain.ts';
import { openRestamp } from './create-restamp.ts';
import { StampedFileChanged } from './imprint.ts';
import { newestProof } from './proof-of-file.ts';
import { timestampAuthorities } from './request-token.ts';

// Authorities may be configured later, and an exchanged file brought back: what is due then is still stamped.
const DAY_MS = 86_400_000;

type Outcome = 'created' | 'later' | 'nothing to do';

/**
 * Stamps a signed file again if the time has come, or looks again when it comes. The time is computed anew: the settings
 * may have changed since it was recorded, or the file was stamped meanwhile. A canceled item is stamped as well: its file
 * is still evidence of what was signed.
 */
export const restampWhenDue = (
  { kind, id, name }: ItemId & { readonly name: string },
  now: () => number,
): Promise<Outcome> =>
  retryOnConflict(
    async () => {
      const document = await items.get({ kind, id });
      const isSigned = document?.files.some((each) => each.name === name && each.signed);
      if (!document || !isSigned || kind === 'restamp') return 'nothing to do';
      const file: StampedFile = { kind, id, name };
      const chain = await chains.get(file);
      // The open one has tasks of its own, and records the next look when it is applied.
      if (chain?.openId) return 'nothing to do';
      const nowMs = now();
      const proof = await readProof(document, file, chain, nowMs);
      if (!proof) return lookAgain(file, nowMs + DAY_MS);
      if (!proof.isTimestamp) return 'nothing to do';
      const dueAtMs = restampDueAtMs(proof);
      if (nowMs < dueAtMs) return lookAgain(file, dueAtMs);
      if (timestampAuthorities().length === 0) return lookAgain(file, nowMs + DAY_MS);
      await openRestamp(document, { file, chain, endsAtMs: proof.endsAtMs }, nowMs);
      return 'created';
    },
    { mayCreate: true },
  );

/** Undefined, with a log event, where the file in the bucket is not the one that was taken. */
async function readProof(document: Item, { name }: StampedFile, chain: Chain | undefined, nowMs: number) {
  try {
    return await newestProof(document, name, chain, nowMs);
  } catch (error) {
    if (!(error instanceof StampedFileChanged)) throw error;
    const { kind, id } = document;
    logger('credentials').error('A file cannot be stamped again: it was exchanged.', {
      kind,
      id,
      file: name,
      error,
    });
    return undefined;
  }
}

async function lookAgain(file: StampedFile, dueAtMs: number): Promise<Outcome> {
  await commit([restampFileMessage(file, file.name, dueAtMs)]);
  return 'later';
}
