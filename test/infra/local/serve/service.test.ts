import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { declaredService } from '../../../../infra/local/serve/service.ts';
import { readFunctions } from '../../../../infra/runtime/functions/declared-functions.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sinete-service-'));
  write(
    'serverless.yml',
    'service: sinete\nprovider: { name: aws, timeout: 29 }\ncustom: { serverless-offline: {} }',
  );
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const declare = (definition: string): void =>
  write('functions/session/functions.yml', `sessionGetStatus: ${definition}`);

const served = () => declaredService(root, readFunctions(root));

const HANDLER = 'handler: dist/session/get-status.handler';

describe('the service that serverless-offline serves', () => {
  test('has each function by the name that it has as deployed, and each GET for every method', () => {
    declare(`{ ${HANDLER}, events: [{ http: { path: session/v1/status, method: get } }] }`);
    const service = served();
    expect(service.getAllFunctions()).toEqual(['sessionGetStatus']);
    expect(service.getFunction('sessionGetStatus')).toMatchObject({ name: 'sinete-local-sessionGetStatus' });
    expect(service.getAllEventsInFunction('sessionGetStatus')).toEqual([
      { http: { path: 'session/v1/status', method: 'any' } },
    ]);
    expect(service.provider).toMatchObject({ name: 'aws', timeout: 29, stage: 'local' });
  });

  test("leaves out the engine's own triggers, and has a function without any", () => {
    declare(`{ ${HANDLER}, events: [{ schedule: rate(1 minute) }, { websocket: $connect }] }`);
    expect(served().getAllEventsInFunction('sessionGetStatus')).toEqual([]);
    declare(`{ ${HANDLER} }`);
    expect(served().getAllEventsInFunction('sessionGetStatus')).toEqual([]);
  });

  test('refuses a variable, which only the framework reads, but for what is reserved', () => {
    declare(`{ ${HANDLER}, reservedConcurrency: '\${self:custom.reservedConcurrency}' }`);
    expect(served().getAllFunctions()).toHaveLength(1);
    declare(`{ ${HANDLER}, timeout: '\${self:custom.timeout}' }`);
    expect(() => served()).toThrow(/^Function sessionGetStatus: .* \$\{self:custom\.timeout\}/);
  });
});
