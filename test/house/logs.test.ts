import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PRINTS = /\bconsole\.\w+\(|\bprocess\.(stdout|stderr)\b/;

// Commands print to a terminal. No function may use their code.
const COMMANDS = 'shared/command-line/';

// Metrics have no values but declared ones: see test/functions/every-service/metric-values.test.ts.
const METRICS = 'shared/log/print-metrics.ts';

test('whatever a function writes to the log passes the redaction: nothing prints past shared/log', () => {
  const sources = globSync(['shared/**/*.ts', 'functions/**/*.ts']).filter(
    (path) => !path.startsWith(COMMANDS) && path !== METRICS,
  );
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.filter((path) => PRINTS.test(readFileSync(path, 'utf8')))).toEqual([]);
  const usingCommands = sources.filter((path) => readFileSync(path, 'utf8').includes('/command-line/'));
  expect(usingCommands).toEqual([]);
});
