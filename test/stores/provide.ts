import { STORES_FOLDER } from '../../infra/local/stores/endpoints.ts';
import { hasProvidedStores, provideStores } from '../../shared/embedded/provided.ts';
import { openStores } from '../../shared/embedded/stores.ts';

// For each process of a run against the embedded stores: all use one folder.
const folder = process.env[STORES_FOLDER];
if (folder && !hasProvidedStores()) provideStores(openStores({ folder }));
