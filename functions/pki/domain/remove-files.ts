import { files } from '../../../shared/files/files.ts';

/** Chooses which of these files are removed. */
type Choose = (keys: readonly string[]) => Promise<readonly string[]>;

/** Removes the files of a folder, all of them unless some are chosen. A repeated removal finds none. */
export async function removeFiles(folder: string, choose: Choose = async (keys) => keys): Promise<void> {
  for await (const page of files('pki').pages(folder)) {
    const doomed = page.length === 0 ? [] : await choose(page.map(({ key }) => key));
    const { failed } = await files('pki').removeMany(doomed.map((key) => ({ key })));
    const [error] = failed.values();
    if (error !== undefined) throw error;
  }
}
