import { writeFileSync } from 'node:fs';
import { authenticationFigure } from './authentication.ts';
import { coldStartFigures } from './cold-start.ts';
import { endpointFigure } from './endpoint.ts';
import { isKept, row } from './figures.ts';
import { hubFigure } from './hub.ts';
import { memoryFigures } from './memory.ts';
import { sessionFigures } from './sessions.ts';
import { padesFigure } from './signing.ts';
import { webhookFigures } from './webhooks.ts';

// Every promise that has a number, as a ratio of two figures measured in this run. Writes RESULTS.md.

process.env.Log__Level ??= 'INFO';
const figures = [
  await endpointFigure(),
  ...(await coldStartFigures()),
  await padesFigure(),
  ...memoryFigures(),
  ...(await webhookFigures()),
  ...(await sessionFigures()),
  await authenticationFigure(),
  await hubFigure(),
];

const table = [
  '| what | ratio | promised | kept | made of |',
  '|---|---|---|---|---|',
  ...figures.map(row),
].join('\n');
console.log(table);

writeFileSync(
  'test/bench/RESULTS.md',
  `# Measured

Ratios of two figures taken in one run on one machine, by \`npm run bench\`. The figures themselves say little
about another machine; the ratios should hold there too.

Node ${process.version}, ${process.platform} ${process.arch}.

${table}
`,
);
process.exit(figures.every(isKept) ? 0 : 1);
