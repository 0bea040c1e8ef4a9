// The smoke list against a host that runs: npm run smoke -- --url http://localhost:3200 --data .offline
import { parseCommandLine } from '../../shared/command-line/parse.ts';
import { differences, playSmoke, unexpected } from './play.ts';

const text = { type: 'string' } as const;
const { values } = parseCommandLine(
  { args: process.argv.slice(2), options: { url: text, data: text, against: text }, strict: true },
  'npm run smoke -- --url URL [--data DIR] [--against URL]',
);
const { url = 'http://localhost:3200', data: dataDir, against } = values;

const startedAt = performance.now();
const rows = await playSmoke({ url, dataDir });
const others = against === undefined ? [] : await playSmoke({ url: against });
const problems = [...unexpected(rows), ...unexpected(others), ...differences(rows, others)];
for (const line of problems) console.log(line);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
const alike = against === undefined ? '' : `, held against ${against}`;
console.log(`${rows.length} answers of ${url}${alike}: ${problems.length} problems, ${seconds} s.`);
process.exitCode = problems.length > 0 ? 1 : 0;
