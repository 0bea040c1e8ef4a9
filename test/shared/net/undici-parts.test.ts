import { readFileSync } from 'node:fs';
import { Agent, buildConnector, Dispatcher } from 'undici';
import privateRequest from 'undici/lib/api/api-request.js';
import privateConnector from 'undici/lib/core/connect.js';
import privateAgent from 'undici/lib/dispatcher/agent.js';
import { expect, test } from 'vitest';

// shared/net/connector.ts imports these from files that undici may move or change in any release.

test('the private files of undici hold what its public API gives', () => {
  expect(privateAgent).toBe(Agent);
  expect(privateConnector).toBe(buildConnector);
  expect(privateRequest).toBe(Dispatcher.prototype.request);
});

test('undici is pinned to the version whose files were read', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const { version } = read('node_modules/undici/package.json');
  expect(read('package.json').dependencies.undici).toBe(version);
});
