import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

// Run as a process of its own: node generate-types.ts FOLDER SERVICE… writes FOLDER/SERVICE.ts for each service.

// The generator writes its output with the API of TypeScript 5, and TypeScript 7 has none in its place.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});
const { default: openapiTS, astToString } = await import('openapi-typescript');

const [folder = '', ...services] = process.argv.slice(2);
for (const service of services) {
  const document = JSON.parse(readFileSync(`functions/${service}/openapi.json`, 'utf8'));
  writeFileSync(join(folder, `${service}.ts`), astToString(await openapiTS(document)));
}
