import { isDeepStrictEqual } from 'node:util';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { logger } from '../../../../shared/log/logger.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Item, type ItemFile, type ItemId, items } from '../../items/domain/item.ts';
import { changingListed } from '../../items/domain/item-lists.ts';
import { KINDS, type KindName } from '../../items/domain/kinds.ts';
import { isAwaitingSignatures, withoutProblem, withProblem } from '../../items/domain/problems.ts';
import { sentences } from '../../items/sentences.ts';
import { type CommitPart, changingItem, commitChanges } from './change-item.ts';
import { BUDGET_MS, documentOwners } from './platform-documents.ts';
import { restampDueAtMs } from './proof.ts';
import { type Finding, takeFile } from './take-file.ts';
import {
  cancelingTask,
  DAY_SECONDS,
  type Forgotten,
  HOUR_SECONDS,
  laterTask,
  nextWait,
  restampFileMessage,
} from './tasks.ts';

// The platform's event and the sweep may come at one moment:
//
//   event   |--reads: one file left-- downloads -- concluded --|
//   sweep     |--reads: one file left---- downloads ---- refused: reads Concluded: nothing to do
//
// Both take what the platform answers, never what an event says, and the item moves once.

/** What the signature of an item of a kind changes besides, in the same commit. */
export type SignedEffects = Partial<
  Readonly<Record<KindName, (item: Item, nowMs: number) => Promise<readonly CommitPart[]>>>
>;

/** By the document: a file may have been handed over again since it was read. */
type Found = ReadonlyMap<string, Finding>;

const findingOf = ({ document }: ItemFile, found: Found): Finding | undefined =>
  document ? found.get(document.id) : undefined;

/** Why it is looked: its time has come, after so long, or the platform has told something. */
export type Occasion = { readonly waitSeconds: number } | 'event';

/**
 * Asks how the documents of an item stand, and takes the signed files. The last one moves the item. While documents wait
 * for their signers they are looked at again, less and less often: events are faster, and this finds what they missed.
 */
export async function lookAtDocuments(
  id: ItemId,
  occasion: Occasion,
  now: () => number,
  effects: SignedEffects,
): Promise<Forgotten | undefined> {
  const deadline = deadlineIn(BUDGET_MS, now);
  const item = await items.get(id);
  if (!item || !isAwaitingSignatures(item)) return undefined;
  const found = new Map<string, Finding>();
  for (const file of item.files)
    if (file.document && !file.signed)
      found.set(file.document.id, await takeFile(item, file.document, file, deadline));
  let read: Stored<Item> | undefined = item;
  const isOver = await retryOnConflict(async () => {
    const current = read ?? (await items.get(id));
    read = undefined;
    if (!current || !isAwaitingSignatures(current)) return false;
    return record(current, found, occasion, now(), effects);
  });
  logFindings(item, found);
  return isOver || occasion !== 'event' ? 'forgotten' : undefined;
}

/** Records what was found. Answers whether the last file was taken: nothing of its looks is left then. */
async function record(
  item: Stored<Item>,
  found: Found,
  occasion: Occasion,
  nowMs: number,
  effects: SignedEffects,
): Promise<boolean> {
  const updated = item.files.map((file) => updatedOf(file, findingOf(file, found)));
  const [restamps, taken] = [restampsOf(item, found), takenOf(item, found)];
  const { signedEvent } = KINDS[item.kind];
  if (signedEvent && updated.length > 0 && updated.every(({ signed }) => signed)) {
    const change = await changingItem(item, { event: signedEvent, patch: { files: updated } }, nowMs);
    const also = (await effects[item.kind]?.(change.after, nowMs)) ?? [];
    const stopped = [cancelingTask('look', item), cancelingTask('event', item)];
    await commitChanges([change, ...also], [...stopped, ...restamps, ...taken]);
    return true;
  }
  const isChanged = updated.some((file, at) => file !== item.files[at]);
  const writes = [
    ...(isChanged ? changingListed(item, { files: updated }).writes : []),
    ...restamps,
    ...taken,
    ...nextLook(item, found, occasion, nowMs),
  ];
  await commitChanges([], writes);
  return false;
}

/** The end of the documents whose files are signed now: their events lead to no look any more. */
const takenOf = (item: Item, found: Found): Write[] =>
  item.files.flatMap((file) =>
    !file.signed && file.document && findingOf(file, found)?.is === 'signed'
      ? [documentOwners.removing(file.document.id)]
      : [],
  );

/** The next stamp of each file that is signed now, where its timestamps expire. */
const restampsOf = (item: Item, found: Found): Write[] =>
  item.files.flatMap((file) => {
    const { name, signed } = file;
    const finding = findingOf(file, found);
    const endsAtMs = !signed && finding?.is === 'signed' ? finding.timestampsEndMs : undefined;
    return endsAtMs === undefined ? [] : [restampFileMessage(item, name, restampDueAtMs({ endsAtMs }))];
  });

function updatedOf(file: ItemFile, finding: Finding | undefined): ItemFile {
  if (file.signed || !finding || finding.is === 'unknown') return file;
  if (finding.is === 'signed')
    return { ...withoutProblem(withPeople(file, completed)), signed: finding.signed };
  if (finding.is !== 'waiting') return withProblem(file, finding.problem);
  // A document that waits again, as a new version, has no problem any more.
  const found = withPeople(file, () => finding.people);
  return found === file && file.problem === null ? file : withoutProblem(found);
}

const completed = (people: People): People =>
  people?.map((person) => ({ ...person, status: 'Completed', url: null, urlAtMs: null }));

type People = NonNullable<ItemFile['document']>['people'];

/** The same file where its people are as before, so that nothing is written. */
function withPeople(file: ItemFile, change: (people: People) => People): ItemFile {
  const { document } = file;
  const people = change(document?.people);
  if (!document || !people || isDeepStrictEqual(people, document.people)) return file;
  return { ...file, document: { ...document, url: people[0]?.url ?? document.url, people } };
}

/**
 * A document that nobody can sign any more, or that the platform does not show, is looked at once a day at last: it may come
 * back, as a new version or with the right key.
 */
function nextLook(item: Item, found: Found, occasion: Occasion, nowMs: number): Write[] {
  const findings = [...found.values()].map(({ is }) => is);
  if (findings.length === 0) return [cancelingTask('look', item)];
  // The look that waits already comes in its time; sooner where this one was in vain.
  if (occasion === 'event' && !findings.includes('unknown')) return [];
  const waitSeconds = occasion === 'event' ? 0 : occasion.waitSeconds;
  const isRare = findings.includes('unusable') || findings.includes('ended');
  const max = isRare ? DAY_SECONDS : HOUR_SECONDS;
  return [laterTask('look', item, nextWait(waitSeconds, max), nowMs)];
}

/** A problem is told once, and again when it is another one. */
function logFindings({ kind, id, files }: Item, found: Found): void {
  const log = logger('credentials').with({ kind, id });
  for (const each of files) {
    const { name: file, problem } = each;
    const finding = findingOf(each, found);
    if (finding?.is === 'unknown')
      log.warn('The signature platform does not answer. It is asked again later.', { error: finding.error });
    else if (finding && 'problem' in finding && sentences.inEnglish(finding.problem) !== problem)
      log.error(sentences.inEnglish(finding.problem), { file });
  }
}
