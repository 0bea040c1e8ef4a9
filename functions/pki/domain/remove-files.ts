import { files } from '../../../shared/files/files.ts';

/** Chooses which of these files are removed. */
type Choose = (keys: readonly string[]) => Promise<readonly string[]>;

/** Removes the files of a folder, all of them unless some are chosen. A repeated removal finds none. */
export async function removeFiles(folder: string, choose: Choose = async (keys) => keys): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await files('pki').list(folder, { cursor });
    const doomed = page.files.length === 0 ? [] : await choose(page.files.map(({ key }) => key));
    const { failed } = await files('pki').removeMany(doomed.map((key) => ({ key })));
    const [error] = failed.values();
    if (error !== undefined) throw error;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
