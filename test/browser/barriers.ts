import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

// What passed is not asked for: most of the time would go into describing it.
const EVERYTHING = { resultTypes: ['violations'] };
const CONTRAST = { ...EVERYTHING, runOnly: ['color-contrast'] };

/**
 * What axe finds wrong for people who see, hear or move otherwise, in the light and in the dark scheme: a visit for each
 * is not needed, since they differ by their colours alone.
 */
export async function barriers(page: Page): Promise<string[]> {
  // Once a page: it is half a megabyte to read.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const found = await run(page, EVERYTHING);
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  found.push(...(await run(page, CONTRAST)));
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  return found;
}

async function run(page: Page, options: object): Promise<string[]> {
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    violations: Violation[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
