import { beforeAll } from 'vitest';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { describeInChromium, openBrowser } from '../chromium.ts';
import { platformOf } from '../platform.ts';
import { acts } from './action-page/acts.ts';
import { looks } from './action-page/looks.ts';
import { problems } from './action-page/problems.ts';
import type { Place } from './action-page/visitor.ts';

describeInChromium('the page at an action URL, in Chromium', () => {
  let place: Place;

  beforeAll(async () => {
    const [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    place = { url: engine.url, browser, platform: platformOf(engine) };
  }, 120_000);

  acts(() => place);
  problems(() => place);
  looks(() => place);
});
