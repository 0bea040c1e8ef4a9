import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { SERVICES } from '../../shared/settings/names.ts';

// Writes the types of every service's OpenAPI document: node clients/typescript/generate-types.ts [FOLDER]. A file that is
// newer than its document stays.

// The generator writes its output with the API of TypeScript 5, and TypeScript 7 has none in its place.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

const folder = process.argv[2] ?? join(import.meta.dirname, 'src/types');
const root = resolve(import.meta.dirname, '../..');
const documentOf = (service: string): string => join(root, `functions/${service}/openapi.json`);
const fileOf = (service: string): string => join(folder, `${service}.ts`);
const isStale = (service: string): boolean =>
  !existsSync(fileOf(service)) || statSync(fileOf(service)).mtimeMs < statSync(documentOf(service)).mtimeMs;

const stale = SERVICES.filter(isStale);
if (stale.length > 0) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const { factory } = await import('typescript-5');
  // A file, which is text in OpenAPI.
  const blob = () => factory.createTypeReferenceNode('Blob');
  mkdirSync(folder, { recursive: true });
  for (const service of stale) {
    const document = JSON.parse(readFileSync(documentOf(service), 'utf8'));
    const types = await openapiTS(document, {
      transform: ({ format }) => (format === 'binary' ? blob() : undefined),
    });
    writeFileSync(fileOf(service), astToString(types));
  }
}
