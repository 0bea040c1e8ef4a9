import { commonSettings } from './common.ts';

/** Where the local engine and the host serve the documentation, below the public address. */
export const DOCS_PATH = '/docs';

/** Set by an engine that serves it. A deployment to AWS does not. */
export const DOCS_SERVED = 'SINETE_DOCS';

/** The address of the documentation, where it is served. @example docsUrl() // 'http://localhost:3000/docs' */
export const docsUrl = (): string | undefined =>
  process.env[DOCS_SERVED] === undefined ? undefined : `${commonSettings['Http:PublicUrl']}${DOCS_PATH}`;
