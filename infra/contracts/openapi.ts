import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../../shared/http/reference/openapi.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { contractOf } from '../build/function-files.ts';
import { clientOperations } from './client-operations.ts';
import { operationsOf } from './operations.ts';

// Writes functions/<service>/openapi.json from what the endpoints declare, and from it the table of the client in
// clients/typescript; with --check says which are not fresh.

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

// An endpoint serves the document that is made from the endpoints: the first time there is none yet.
const readOrCreate = (path: string): string => {
  if (!existsSync(path)) writeFileSync(path, '{}\n');
  return readFileSync(path, 'utf8');
};

const check = process.argv.includes('--check');
let stale = 0;

function keep(path: string, fresh: string): void {
  if (fresh === readOrCreate(path)) return;
  stale++;
  if (check) console.error(`${path} differs from what the endpoints declare. Run: npm run openapi`);
  else {
    writeFileSync(path, fresh);
    console.log(`${path} written`);
  }
}

for (const name of SERVICES) {
  const path = `functions/${name}/openapi.json`;
  readOrCreate(path);
  const { service, operations } = await operationsOf(name);
  const document = openApiDocument(service, operations, await contractOf(name), version);
  keep(path, `${JSON.stringify(document, null, 2)}\n`);
  const codes = Object.keys(service.errors.rows);
  keep(`clients/typescript/src/operations/${name}.ts`, clientOperations(name, document, codes));
}
if (check && stale > 0) process.exit(1);
