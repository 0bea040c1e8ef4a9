import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../../agent/agent-process.ts';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { describeInChromium, openBrowser } from '../chromium.ts';
import { cloud } from './ways/cloud.ts';
import { others } from './ways/others.ts';
import { sessions } from './ways/sessions.ts';
import { openStage, type Stage } from './ways/stage.ts';
import { token, tokenProblems } from './ways/token.ts';

describeInChromium('where the certificate is, in Chromium', () => {
  let browser: Browser;
  let stage: Stage;

  beforeAll(async () => {
    const [opened, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    browser = opened;
    stage = await openStage(engine, browser);
  }, 120_000);
  afterAll(async () => {
    await cleanUp();
    stage?.close();
  });

  cloud(() => stage);
  token(() => stage);
  sessions(() => stage);
  others(() => stage);
  tokenProblems(() => stage);

  test('no PIN and no session of theirs is in a file of the engine', () => {
    expect(stage.filesWithSecrets()).toEqual([]);
  });
});
