import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

// The rows of a table are alike, and one after another is most of the work of a long list.
const CONTEXT = { exclude: ['tbody tr:nth-child(n + 6)'] };

// What passed is not asked for: most of the time would go into describing it. No rule here reads style sheets again.
const EVERYTHING = { resultTypes: ['violations'], preload: false };
const CONTRAST = { ...EVERYTHING, runOnly: ['color-contrast'] };

/** What axe finds wrong for people who see, hear or move otherwise, in the scheme that the page is shown in. */
export async function barriers(page: Page): Promise<string[]> {
  // Once a page: it is half a megabyte to read.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  return run(page, EVERYTHING);
}

/**
 * The same in the light and in the dark scheme, which differ by their colours alone. For one page of each layout: others
 * have the same styles.
 */
export async function barriersInBothSchemes(page: Page): Promise<string[]> {
  const found = await barriers(page);
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  found.push(...(await run(page, CONTRAST)));
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  return found;
}

async function run(page: Page, options: object): Promise<string[]> {
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(CONTEXT)}, ${JSON.stringify(options)})`,
  )) as { violations: Violation[] };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
