import { files } from '../../../../shared/files/files.ts';
import { errors } from '../../errors.ts';
import { fileKey, type Item, signedKey } from './item.ts';

/** A file of an item as a stream: the signed one, the original, or by default the signed one where there is one. */
export async function openItemFile(item: Item, name: string, type: 'Signed' | 'Original' | undefined) {
  const found = item.files.find((each) => each.name === name);
  const isSigned = type === undefined ? found?.signed != null : type === 'Signed';
  const key =
    found && (isSigned ? found.signed && signedKey(item, name, found.signed) : fileKey(item, found));
  const opened = key ? await files('credentials').get(key) : undefined;
  if (!opened) throw errors.refuse('FileNotFound', { resourceName: 'File', resourceId: name });
  return { stream: opened.stream, fileName: `${name}-${item.id}.xml` };
}
