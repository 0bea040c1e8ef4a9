import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { barriers } from './barriers.ts';
import { takePicture } from './chromium.ts';

export const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
export const DESKTOP = { viewport: { width: 1280, height: 900 } };

/** A person with a small screen, and the words that are longer. For most pages, where every other has more room. */
export const PHONE_IN_PORTUGUESE = { locale: 'pt-BR', colorScheme: 'dark', ...PHONE } as const;

/**
 * No barrier, nothing wider than the screen, be it a phone's or a desktop's, and a picture for people.
 * @example await look(page, 'dashboard-jobs', barriersInBothSchemes);
 */
export async function look(page: Page, name: string, find = barriers): Promise<void> {
  await takePicture(page, name);
  expect([name, await find(page)]).toEqual([name, []]);
  await expectFits(page, name);
}

/** Nothing is behind a sideways scroll, at the width of the page and at these. */
export async function expectFits(
  page: Page,
  name: string,
  others: readonly number[] = [DESKTOP.viewport.width, PHONE.viewport.width],
): Promise<void> {
  const own = page.viewportSize() ?? DESKTOP.viewport;
  for (const width of new Set([own.width, ...others])) {
    if (width !== page.viewportSize()?.width) await page.setViewportSize({ ...own, width });
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
  }
  if (page.viewportSize()?.width !== own.width) await page.setViewportSize(own);
}
