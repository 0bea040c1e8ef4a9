import { deadlineIn } from '../../../../shared/async/deadline.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { changingItem, commitChanges, updatingItem } from '../../flows/domain/change-item.ts';
import { storeFile } from '../../flows/domain/create-item.ts';
import { handingOver } from '../../flows/domain/tasks.ts';
import type { InspectionFileData } from '../../items/domain/data.ts';
import { filesOfInspection } from '../../items/domain/files-of.ts';
import { type Item, type ItemId, items } from '../../items/domain/item.ts';
import { KINDS } from '../../items/domain/kinds.ts';
import type { XmlFile } from '../../items/domain/xml-files.ts';
import { say } from '../../items/sentences.ts';
import { settings } from '../../settings.ts';
import { readInstitute } from '../../tenants/domain/organization.ts';
import { CannotGenerate, inspectedCodes } from './inspected-codes.ts';

// A task has 120 s. What is left is for the XML and its commit.
const BUDGET_MS = 90_000;

type InspectionFile = Stored<Item<InspectionFileData>>;

// Two runs of the task may meet, or one is killed anywhere:
//
//   worker 1  |--reads: no file yet-- walks, stores the XML -- item: its file + the hand-over --|
//   worker 2     |--reads: no file yet---- walks, stores the XML ---- refused: reads the file: nothing to do
//
// The stored XML is named by its content, so that the item's file is the one that was committed.

/**
 * Writes the XML of an inspection file and hands it over to its signers; or ends it in GenerationError, with the reason in
 * its details. A file that has its XML is left alone.
 */
export const generateInspectionFile = (id: ItemId, now: () => number): Promise<void> =>
  retryOnConflict(async () => {
    const found = (await items.get(id)) as InspectionFile | undefined;
    const isWaiting = found && KINDS.inspectionFile.states.accepts(found.state, 'generationError');
    if (!isWaiting || found.files.length > 0) return;
    try {
      await complete(found, now);
    } catch (error) {
      if (!(error instanceof CannotGenerate)) throw error;
      const { message, said } = error;
      const patch = { data: { ...found.data, details: message }, failure: said };
      await commitChanges([await changingItem(found, { event: 'generationError', patch }, now())]);
    }
  });

async function complete(item: InspectionFile, now: () => number): Promise<void> {
  const deadline = deadlineIn(BUDGET_MS, now);
  const institute = await readInstitute(item.instituteId);
  if (!institute || institute.signers.length === 0) throw new CannotGenerate(say('inspection.no-signers'));
  const codes = await inspectedCodes(item, deadline);
  if (codes.length === 0) throw new CannotGenerate(say(`inspection.nothing.${item.data.type}`));
  const data = { ...item.data, inspectedDegreesNumber: codes.length };
  const stored = await Promise.all(
    filesOfInspection(data, codes).map((xml) => storeFile(item, requireSize(xml))),
  );
  const change = await updatingItem(item, { patch: { data, files: stored } }, now());
  await commitChanges([change, handingOver(item)]);
}

function requireSize(xml: XmlFile): XmlFile {
  const max = settings['Xml:MaxBytes'];
  if (xml.bytes.length <= max) return xml;
  throw new CannotGenerate(say('inspection.too-large', { bytes: xml.bytes.length, max }));
}
