import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import OfflineCommand from '../../../../infra/local/offline/command.ts';
import { readOptions } from '../../../../infra/local/offline/options.ts';
import type { Framework } from '../../../../infra/plugins/framework.ts';

test('has ports and a folder of its own, beside those of npm start', () => {
  expect(readOptions({}, '/house')).toEqual({
    httpPort: 3200,
    websocketPort: 3201,
    lambdaPort: 3202,
    dataDir: '/house/.offline',
    fresh: false,
  });
});

test('the other ports follow the first one, and a folder counts from where one stands', () => {
  const given = { httpPort: '4000', lambdaPort: '5000', data: 'elsewhere', fresh: true };
  expect(readOptions(given, '/house')).toEqual({
    httpPort: 4000,
    websocketPort: 4001,
    lambdaPort: 5000,
    dataDir: join(process.cwd(), 'elsewhere'),
    fresh: true,
  });
});

test.each([
  [{ httpPort: '0' }, /^--httpPort takes a number from 1 to 65535, not "0"\.$/],
  [{ httpPort: '65535' }, /^--websocketPort takes .*"65536"/],
  [{ data: '' }, /^--data takes a path\.$/],
  // Its functions answer without a key at the port of Lambda.
  [{ host: '0.0.0.0' }, /^--host 0\.0\.0\.0 is refused: it listens on this machine alone/],
  [{ httpsProtocol: 'certificates' }, /^--httpsProtocol is refused/],
])('%o is refused in one line', (given, line) => {
  expect(() => readOptions(given, '/house')).toThrow(line);
});

test.each([
  ['offline', 1],
  ['package', 0],
  ['deploy', 0],
  ['print', 0],
])('serverless %s loads serverless-offline %i times', async (command, times) => {
  const addPlugin = vi.fn();
  const framework = { processedInput: { commands: [command], options: {} }, pluginManager: { addPlugin } };
  await new OfflineCommand(framework as unknown as Framework).asyncInit();
  expect(addPlugin).toHaveBeenCalledTimes(times);
});
