import { deadlineIn } from '../../../../shared/async/deadline.ts';
import type { Said } from '../../../../shared/errors/said.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { type PlatformRefused, PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Item, type ItemFile, items } from '../../items/domain/item.ts';
import { changingListed } from '../../items/domain/item-lists.ts';
import { isAwaitingSignatures, withoutProblem, withProblem } from '../../items/domain/problems.ts';
import { sentences } from '../../items/sentences.ts';
import type { InstituteSigner } from '../../tenants/domain/organization.ts';
import { BUDGET_MS, documentOwners, handOvers } from './platform-documents.ts';
import { cancelingTask, DAY_SECONDS, type Forgotten, HOUR_SECONDS, laterTask, nextWait } from './tasks.ts';
import { cancelQuietly } from './withdraw.ts';

/** The files of an item that have no document, and what became of each. */
export type Work = {
  readonly item: Stored<Item>;
  readonly missing: readonly ItemFile[];
  readonly signers: readonly InstituteSigner[];
  readonly uploads: Map<string, string>;
  readonly documents: Map<string, NonNullable<ItemFile['document']>>;
  readonly problems: Map<string, Said>;
  /** The platform does not answer. */
  failure: PlatformRefused | PlatformUnreachable | undefined;
};

/** Records what became of the files, and the next hand-over where one is left. */
export async function recordHandOver(work: Work, waitSeconds: number, now: () => number): Promise<Forgotten> {
  let read: Stored<Item> | undefined = work.item;
  await retryOnConflict(async () => {
    const current = read ?? (await items.get(work.item));
    read = undefined;
    if (!current || !isAwaitingSignatures(current)) return withdrawAll(work, now);
    await commit(writesOf(current, work, waitSeconds, now()));
  });
  logProblems(work);
  return 'forgotten';
}

function writesOf(current: Stored<Item>, work: Work, waitSeconds: number, nowMs: number): Write[] {
  const { documents } = work;
  const { kind, id } = current;
  const updated = current.files.map((file) => updatedOf(file, work));
  const isChanged = updated.some((file, at) => file !== current.files[at]);
  const isOver = updated.every(({ document }) => document);
  return [
    ...(isChanged ? changingListed(current, { files: updated }).writes : []),
    ...[...documents.values()].map((document) =>
      documentOwners.putting({ kind, id, documentId: document.id }),
    ),
    ...(documents.size > 0 ? [laterTask('look', current, nextWait(0), nowMs)] : []),
    ...(isOver
      ? [cancelingTask('handOver', current), handOvers.removing({ kind, id })]
      : [laterTask('handOver', current, waitAfter(work, waitSeconds), nowMs)]),
  ];
}

function updatedOf(file: ItemFile, { documents, problems }: Work): ItemFile {
  if (file.document) return file;
  const document = documents.get(file.name);
  if (document) return { ...withoutProblem(file), document };
  const problem = problems.get(file.name);
  return problem ? withProblem(file, problem) : file;
}

// A refusal lasts until an operator corrects something. A busy platform may name a pause.
function waitAfter({ problems, failure }: Work, waitSeconds: number): number {
  const wait = nextWait(waitSeconds, problems.size > 0 ? DAY_SECONDS : HOUR_SECONDS);
  const asked = failure instanceof PlatformUnreachable ? (failure.retryAfterMs ?? 0) : 0;
  return Math.max(wait, Math.ceil(asked / 1000));
}

/** Somebody has canceled the item meanwhile: nobody waits for these documents. */
async function withdrawAll({ item: { kind, id }, documents }: Work, now: () => number): Promise<void> {
  const deadline = deadlineIn(BUDGET_MS, now);
  for (const document of documents.values())
    await cancelQuietly(document.id, 'The credential was canceled.', deadline);
  await commit([handOvers.removing({ kind, id })]);
}

function logProblems({ item: { kind, id, files }, problems, failure }: Work): void {
  const log = logger('credentials').with({ kind, id });
  if (failure)
    log.warn('The signature platform does not answer. It is asked again later.', { error: failure });
  for (const { name, problem } of files) {
    const found = problems.get(name);
    const message = found && sentences.inEnglish(found);
    if (message !== undefined && message !== problem) log.error(message, { file: name });
  }
}
