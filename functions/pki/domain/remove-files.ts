import { files } from '../../../shared/files/files.ts';

/** Removes every file of a folder, but those that are kept. A repeated removal finds none. */
export async function removeFiles(folder: string, isKept: (key: string) => boolean = () => false) {
  let cursor: string | undefined;
  do {
    const page = await files('pki').list(folder, { cursor });
    const doomed = page.files.filter(({ key }) => !isKept(key));
    const { failed } = await files('pki').removeMany(doomed.map(({ key }) => ({ key })));
    const [error] = failed.values();
    if (error !== undefined) throw error;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
