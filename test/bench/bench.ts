import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type Figure, isKept, row } from './measure/figures.ts';

// Every promise that has a number, as a ratio of two figures measured in this run. Writes RESULTS.md; with the names of
// some groups, only prints those: npm run bench -- hub sessions

const GROUPS: readonly string[] = [
  'calls',
  'endpoint',
  'cold-start',
  'signing',
  'memory',
  'store',
  'batch',
  'batch-memory',
  'folders',
  'signer-poll',
  'signer-folder',
  'approvals',
  'dashboard',
  'reader',
  'backup',
  'bounds',
  'strangers',
  'webhooks',
  'credentials-batch',
  'credentials',
  'sessions',
  'agents',
  'authentication',
  'signatures',
  'hub',
  'crowd',
  'sweeps',
  'soak',
];

// Many minutes each: only where they are named.
const ON_REQUEST: readonly string[] = [
  'against',
  'batch-crowd',
  'large-store',
  'document-lists',
  'console',
  'crash',
  'deletion',
  'batch-crash',
  'credentials-batch-crash',
  'folder-crash',
  'signer-folder-crash',
  'mail-crash',
  'retention',
];
const ALL = [...GROUPS, ...ON_REQUEST];

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !ALL.includes(name));
if (unknown !== undefined) {
  console.error(`There are no figures called ${unknown}. There are: ${ALL.join(', ')}.`);
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

const chosen = asked.length === 0 ? GROUPS : ALL.filter((group) => asked.includes(group));
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
