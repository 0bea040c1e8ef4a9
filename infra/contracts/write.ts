import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SANDBOX_KEY } from '../../functions/sandbox/sandbox-data.ts';
import { withGuides } from '../../shared/http/reference/guides.ts';
import { DOCS_PATH } from '../../shared/settings/docs.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { LANGUAGES } from './models/languages.ts';
import { type ModeledDocument, modelsOf } from './models/model.ts';
import { type ContractDocument, postmanCollection } from './postman.ts';

// Writes the contract files of a release: npm run contracts -- [FOLDER]. An OpenAPI document for each service, a collection
// of Postman with every operation, and the models of five languages. Addresses are those of npm start: tools let people
// change them.

const BASE_URL = 'http://localhost:3000';

/** The names and texts of the files. @example for (const [name, text] of contractFiles()) … */
export function contractFiles(): Map<string, string> {
  const documents = SERVICES.map((service) => {
    const document: ContractDocument & ModeledDocument = JSON.parse(
      readFileSync(`functions/${service}/openapi.json`, 'utf8'),
    );
    const servers = [{ url: `${BASE_URL}/${service}` }];
    // The document of the repository leads to files beside it, which a release does not have.
    return { service, document: { ...withGuides(document, `${BASE_URL}${DOCS_PATH}`), servers } };
  });
  const collection = postmanCollection(
    documents.map(({ document }) => document),
    { baseUrl: BASE_URL, key: SANDBOX_KEY },
  );
  return new Map([
    ...documents.map(({ service, document }) => [`${service}.openapi.json`, textOf(document)] as const),
    ['sinete.postman_collection.json', textOf(collection)],
    ...documents.flatMap(({ service, document }) => {
      const models = modelsOf(document);
      return Object.values(LANGUAGES).map(
        ({ path, render }) => [`models/${path(service)}`, `${render(service, models)}\n`] as const,
      );
    }),
  ]);
}

const textOf = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

if (import.meta.main) {
  const folder = process.argv[2] ?? 'dist/contracts';
  for (const [name, text] of contractFiles()) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    console.log(join(folder, name));
  }
}
