import { buffer } from 'node:stream/consumers';
import { type Deadline, deadlineIn } from '../../../../shared/async/deadline.ts';
import { files } from '../../../../shared/files/files.ts';
import { createOnce } from '../../../../shared/platform/create-once.ts';
import { isPermanent, PlatformRefused, PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import type { Upload } from '../../../../shared/platform/uploads.ts';
import { getBoth, type Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { isHeld, whileLeased } from '../../../../shared/store/lease.ts';
import { fileKey, type Item, type ItemFile, type ItemId, items } from '../../items/domain/item.ts';
import { isAwaitingSignatures } from '../../items/domain/problems.ts';
import { say } from '../../items/sentences.ts';
import { type InstituteSigner, readInstitute } from '../../tenants/domain/organization.ts';
import { documentTitleOf } from './document-title.ts';
import { platform } from './platform.ts';
import { BUDGET_MS, documentNameOf, handOvers, LEASE_SECONDS, searchOf } from './platform-documents.ts';
import { recordHandOver, type Work } from './record-hand-over.ts';
import { askedPeople } from './signing-people.ts';
import { type Forgotten, laterTask } from './tasks.ts';

const XML = 'application/xml';

// A worker may be killed anywhere:
//
//   worker    |--uploads--|--claim with the uploads--|--create--|--item: document ids, their owners, the next look--|
//   platform                                             |--documents of the uploads--|
//
// After the claim the next run creates from the same uploads. The platform refuses one that has its document, which is
// then found by its tag. So no document is there twice.

/**
 * Hands the files of an item over that have no document yet. A platform that does not answer, or refuses a file, is
 * asked again, later each time: the work is never given up.
 */
export async function handOver(
  id: ItemId,
  waitSeconds: number,
  now: () => number,
): Promise<Forgotten | undefined> {
  const [item, begun] = await getBoth([items, id], [handOvers, id]);
  // The documents of an item that has ended are withdrawn by a task of their own.
  const missing = item && isAwaitingSignatures(item) ? item.files.filter(({ document }) => !document) : [];
  if (!item || missing.length === 0) return undefined;
  if (begun && isHeld(begun, now())) return waitForOther(item, now);
  const deadline = deadlineIn(BUDGET_MS, now);
  const { signers = [] } = (await readInstitute(item.instituteId)) ?? {};
  const work = workOf(item, missing, signers, begun?.uploads);
  const cpfs = signers.map(({ cpf }) => cpf);
  await forEachFile(work, async (file) => {
    if (!work.uploads.has(file.name))
      work.uploads.set(file.name, (await upload(item, file, deadline)).uploadId);
  });
  if (work.failure || work.problems.size === missing.length) return recordHandOver(work, waitSeconds, now);
  const uploads = Object.fromEntries(work.uploads);
  const lease = { leaseMs: LEASE_SECONDS * 1000, now, patch: { uploads } };
  const outcome = await whileLeased(
    handOvers,
    begun ?? { kind: item.kind, id: item.id, uploads },
    lease,
    async ({ finish }) => {
      await forEachFile(work, async (file) => {
        const documentId = await create(work, file, begun !== undefined, deadline);
        const people = await askedPeople(documentId, signers, deadline);
        const url = people[0]?.url ?? null;
        work.documents.set(file.name, { id: documentId, url, cpfs, people });
      });
      await recordHandOver(work, waitSeconds, now);
      // The record stays, so that the next hand-over knows the uploads.
      if (work.documents.size < missing.length) await finish({});
      return 'forgotten' as const;
    },
  );
  return outcome === 'held' ? waitForOther(item, now) : outcome;
}

const workOf = (
  item: Stored<Item>,
  missing: readonly ItemFile[],
  signers: readonly InstituteSigner[],
  uploads: Readonly<Record<string, string>> = {},
): Work => ({
  ...{ item, missing, signers, failure: undefined, documents: new Map() },
  uploads: new Map(Object.entries(uploads)),
  problems: new Map(signers.length === 0 ? missing.map(({ name }) => [name, say('file.no-signers')]) : []),
});

async function waitForOther(item: Item, now: () => number): Promise<Forgotten> {
  await commit([laterTask('handOver', item, LEASE_SECONDS, now())]);
  return 'forgotten';
}

/** One step with each file. A refusal is the problem of the file; a platform that does not answer ends the step. */
async function forEachFile(work: Work, step: (file: ItemFile) => Promise<void>): Promise<void> {
  for (const file of work.missing.filter(({ name }) => !work.problems.has(name))) {
    try {
      await step(file);
    } catch (error) {
      if (isPermanent(error)) work.problems.set(file.name, say('file.refused', { message: error.message }));
      else if (error instanceof PlatformRefused || error instanceof PlatformUnreachable) {
        work.failure = error;
        return;
      } else throw error;
    }
  }
}

async function upload(item: Item, file: ItemFile, deadline: Deadline): Promise<Upload> {
  const opened = await files('credentials').get(fileKey(item, file));
  if (!opened) throw new Error(`The file ${file.name} of ${item.kind} ${item.id} is gone from the bucket.`);
  const bytes = await buffer(opened.stream);
  const content = { bytes, fileName: documentNameOf(item, file), contentType: XML };
  return platform.uploadFile(content, deadline);
}

/** Creates the document of a file. In a repetition it may exist already, or the upload may be too old. */
const create = (
  { item, signers, uploads }: Work,
  file: ItemFile,
  isRepetition: boolean,
  deadline: Deadline,
): Promise<string> => {
  const uploadId = uploads.get(file.name) ?? '';
  const document = {
    title: documentTitleOf(item, file),
    contentType: XML,
    signers,
    disableNotifications: false,
  };
  const creation = {
    document,
    search: searchOf(item, file),
    uploaded: { uploadId, fileName: documentNameOf(item, file) },
    upload: () => upload(item, file, deadline),
    isRepetition,
  };
  return createOnce(platform, creation, deadline);
};
