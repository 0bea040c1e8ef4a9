import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../shared/http/reference/openapi.ts';
import { SERVICES } from '../shared/settings/names.ts';
import { contractOf } from './build/function-files.ts';
import { operationsOf } from './operations.ts';

// Writes functions/<service>/openapi.json from what the endpoints declare; with --check says which are not fresh.

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

// An endpoint serves the document that is made from the endpoints: the first time there is none yet.
const readOrCreate = (path: string): string => {
  if (!existsSync(path)) writeFileSync(path, '{}\n');
  return readFileSync(path, 'utf8');
};

async function documentOf(name: string): Promise<string> {
  const { service, operations } = await operationsOf(name);
  const document = openApiDocument(service, operations, await contractOf(name), version);
  return `${JSON.stringify(document, null, 2)}\n`;
}

const check = process.argv.includes('--check');
let stale = 0;
for (const service of SERVICES) {
  const path = `functions/${service}/openapi.json`;
  const kept = readOrCreate(path);
  const fresh = await documentOf(service);
  if (fresh === kept) continue;
  stale++;
  if (check) console.error(`${path} differs from what the endpoints declare. Run: npm run openapi`);
  else {
    writeFileSync(path, fresh);
    console.log(`${path} written`);
  }
}
if (check && stale > 0) process.exit(1);
