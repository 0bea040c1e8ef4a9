import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe } from 'vitest';
import { cleanUp, startEngineProcess } from '../infra/local/engine-process.ts';
import { acts } from './action-page/acts.ts';
import { looks } from './action-page/looks.ts';
import { problems } from './action-page/problems.ts';
import type { Place } from './action-page/visitor.ts';
import { chromiumPath, openBrowser } from './chromium.ts';
import { platformOf } from './platform.ts';

// One engine and one browser for all: each takes seconds to start.
describe.skipIf(!chromiumPath && !process.env.CI)('the page at an action URL, in Chromium', () => {
  let place: Place;

  beforeAll(async () => {
    mkdirSync('.local/screenshots', { recursive: true });
    const engine = await startEngineProcess();
    const [browser] = await Promise.all([openBrowser(), engine.ready()]);
    place = { url: engine.url, browser, platform: platformOf(engine) };
  }, 120_000);

  afterAll(async () => {
    await place?.browser.close();
    await cleanUp();
  });

  acts(() => place);
  problems(() => place);
  looks(() => place);
});
