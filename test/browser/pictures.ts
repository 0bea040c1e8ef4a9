import type { Page } from 'playwright-core';

/**
 * Takes a picture of a whole page for people to look at, where SCREENSHOTS names a folder. No test looks at it.
 * @example await takePicture(page, 'dashboard-home-phone-dark'); // SCREENSHOTS=.local/screenshots npm test -- test/browser
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
