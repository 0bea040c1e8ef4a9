import { hasProvidedStores, provideStores } from '../../shared/embedded/provided.ts';
import { openStores } from '../../shared/embedded/stores.ts';

/** The variable with the folder of the embedded stores, where a run is against those. */
export const STORES_FOLDER = 'STORES_FOLDER';

// For each process of a run, and for the processes that a test starts: all use one folder.
const folder = process.env[STORES_FOLDER];
if (folder) {
  process.env.NODE_OPTIONS = `--import ${import.meta.url}`;
  if (!hasProvidedStores()) provideStores(openStores({ folder }));
}
