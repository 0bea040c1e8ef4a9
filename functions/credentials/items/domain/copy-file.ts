import { files } from '../../../../shared/files/files.ts';
import { fileKey, type Item, type ItemFile, type ItemId, signedKey } from './item.ts';

/**
 * Copies a file of an item in the bucket for another item, the signed one as well where there is one. Answers it as the
 * other item names it. Copied before the commit: an item never names a file that is not there.
 * @example const file = await copyFile(emission, 'academic-documentation', { kind: 'degree', id });
 */
export async function copyFile(from: Item, name: string, to: ItemId): Promise<ItemFile> {
  const file = from.files.find((each) => each.name === name);
  if (!file) throw new Error(`The ${from.kind} ${from.id} has no file ${name}.`);
  await copy(fileKey(from, file), fileKey(to, file));
  if (file.signed) await copy(signedKey(from, name, file.signed), signedKey(to, name, file.signed));
  // The link to a document opens it for whoever has it: those of one institution are not shown to another, nor are its
  // people.
  const { id, cpfs } = file.document ?? {};
  return { ...file, document: id && cpfs ? { id, cpfs, url: null } : null };
}

async function copy(from: string, to: string): Promise<void> {
  if ((await files('credentials').copy(from, to)) !== 'copied')
    throw new Error(`The file ${from} is gone from the bucket.`);
}
