import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);

// Minified it is read faster than `axe.source`, for which axe would be loaded here, too.
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

// The rows of a table are alike, and one after another is most of the work of a long list.
const CONTEXT = { exclude: ['tbody tr:nth-child(n + 6)'] };

// What passed is not asked for: most of the time would go into describing it. No rule here reads style sheets again.
const OPTIONS = { resultTypes: ['violations'], preload: false };
const CONTRAST = { ...OPTIONS, runOnly: ['color-contrast'] };
const OTHERS = { ...OPTIONS, rules: { 'color-contrast': { enabled: false } } };

/** What axe finds wrong for people who see, hear or move otherwise, but for the contrast of texts. */
export async function barriers(page: Page): Promise<string[]> {
  // Once a page: it is 650 KB to read.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  return run(page, OTHERS);
}

/**
 * The same, and texts without enough contrast in the light or the dark scheme. That takes as long as all else together:
 * for one page with each layout and each kind of notice, since all share their styles.
 */
export async function barriersInBothSchemes(page: Page): Promise<string[]> {
  const found = await barriers(page);
  found.push(...(await run(page, CONTRAST)));
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
