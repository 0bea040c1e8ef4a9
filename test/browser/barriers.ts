import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

// What passed is not asked for: most of the time would go into describing it.
const RUN = "axe.run({ resultTypes: ['violations'] })";

/** What axe finds wrong for people who see, hear or move otherwise. */
export async function barriers(page: Page): Promise<string[]> {
  // Once a page: it is half a megabyte to read.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(RUN)) as { violations: Violation[] };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
