import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Figure, isKept, row } from './measure/figures.ts';

// Every promise that has a number, as a ratio of two figures measured in this run. Writes RESULTS.md; with the names of
// some groups, which are those of their files, only prints those: npm run bench -- hub sessions

const GROUPS: readonly string[] = [
  'functions/calls',
  'functions/endpoint',
  'functions/cold-start',
  'signing/signing',
  'signing/peers',
  'signing/memory',
  'engine/store',
  'batch/batch',
  'batch/batch-memory',
  'batch/folders',
  'batch/signer-poll',
  'batch/signer-folder',
  'batch/approvals',
  'batch/dashboard',
  'documents/reader',
  'batch/backup',
  'signing/bounds',
  'functions/strangers',
  'webhooks/webhooks',
  'credentials/credentials-batch',
  'credentials/credentials',
  'session/sessions',
  'session/agents',
  'pki/authentication',
  'documents/signatures',
  'hub/hub',
  'engine/crowd',
  'documents/sweeps',
  'documents/soak',
];

// Many minutes each: only where they are named.
const ON_REQUEST: readonly string[] = [
  'engine/against',
  'batch/batch-crowd',
  'engine/large-store',
  'documents/document-lists',
  'documents/console',
  'documents/crash',
  'documents/deletion',
  'batch/batch-crash',
  'credentials/credentials-batch-crash',
  'batch/folder-crash',
  'batch/signer-folder-crash',
  'documents/mail-crash',
  'batch/retention',
];
const ALL = [...GROUPS, ...ON_REQUEST];

const asked = process.argv.slice(2);
const names = ALL.map((group) => basename(group));
const unknown = asked.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There are no figures called ${unknown}. There are: ${names.join(', ')}.`);
  process.exit(1);
}

// Each group in a process of its own: what one loads, connects to or sets is nothing to the next.
// Stores are those of the local engine, which looks at neither region nor credentials.
const env = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  Log__Level: 'INFO',
  ...process.env,
};
const figuresOf = (group: string): Figure[] =>
  JSON.parse(
    execFileSync(process.execPath, ['test/bench/measure/group.ts', group], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );

const chosen = asked.length === 0 ? GROUPS : ALL.filter((group) => asked.includes(basename(group)));
const figures = chosen.flatMap(figuresOf);

const table = [
  '| what | ratio | promised | kept | made of |',
  '|---|---|---|---|---|',
  ...figures.map(row),
].join('\n');
console.log(table);

if (asked.length === 0)
  writeFileSync(
    'test/bench/RESULTS.md',
    `# Measured

Ratios of two figures taken in one run on one machine, by \`npm run bench\`. The figures themselves say little
about another machine; the ratios should hold there too.

Node ${process.version}, ${process.platform} ${process.arch}.

${table}
`,
  );
process.exitCode = figures.every(isKept) ? 0 : 1;
