import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Job, jobs, newJob } from '../../../functions/batch/jobs/domain/job/job.ts';
import { changingLists } from '../../../functions/batch/jobs/domain/job/list.ts';
import { claimingNames } from '../../../functions/batch/jobs/domain/job/names.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { commit } from '../../../shared/store/commit.ts';
import { barriers } from '../barriers.ts';
import { watch } from '../chromium.ts';
import { takePicture } from '../pictures.ts';

export const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
export const DESKTOP = { viewport: { width: 1280, height: 900 } };

/** The four ways in which people look at a page. */
export const LOOKS = [
  { locale: 'en-US', colorScheme: 'light', ...DESKTOP },
  { locale: 'en-US', colorScheme: 'dark', ...PHONE },
  { locale: 'pt-BR', colorScheme: 'dark', ...DESKTOP },
  { locale: 'pt-BR', colorScheme: 'light', ...PHONE },
] as const;
export type Look = (typeof LOOKS)[number];

/** Operators in front of the dashboard. Each visit has a session of its own. */
export function operatorVisits(browser: Browser, url: string) {
  const logIn = (context: BrowserContext) =>
    context.request.post(`${url}/batch/api/auth/login`, {
      form: { ApiKey: SANDBOX_KEY },
      maxRedirects: 0,
    });

  async function visit(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ locale: 'en-US', ...DESKTOP, ...options });
    await logIn(context);
    const page = await context.newPage();
    const seen = watch(page, url);
    await page.goto(`${url}/batch/dashboard/${path}`);
    return { context, page, seen, close: () => context.close() };
  }

  /** No barrier, nothing wider than the screen, and a picture for people. */
  async function look(page: Page, name: string, { locale, colorScheme, ...screen }: Look): Promise<void> {
    const kind = screen.viewport.width === PHONE.viewport.width ? 'phone' : 'desktop';
    await takePicture(page, `dashboard-${name}-${locale}-${kind}-${colorScheme}`);
    expect([name, await barriers(page)]).toEqual([name, []]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      screen.viewport.width,
    );
  }

  return { logIn, visit, look };
}

/** Stores jobs as they are, some in a commit. No worker ever takes them. */
export async function storeJobs(given: readonly Partial<Job>[]): Promise<Stored<Job>[]> {
  const stored: Stored<Job>[] = [];
  for (let at = 0; at < given.length; at += 8) {
    const made = given.slice(at, at + 8).map((fields) => jobs.creating(jobOf(fields)));
    await commit(
      made.flatMap((write) => [
        write,
        ...changingLists(undefined, write.after),
        ...claimingNames(write.after, { rejectProcessed: false }),
      ]),
    );
    stored.push(...made.map(({ after }) => after));
  }
  return stored;
}

function jobOf(fields: Partial<Job>): Job {
  const id = randomUUID();
  const fileName = `${id}.pdf`;
  const request = { fileName, originalPath: `input/uploads/${id}`, folder: null, inputShare: null };
  const rest = { inputKey: `uploads/${id}/x`, format: 'Pades', source: 'Upload', parentJobId: null } as const;
  const known = { profileName: 'default', externalReference: null, encryption: null };
  return { ...newJob({ id, ...request, ...rest, ...known }, 'Uploaded.', Date.now()), ...fields };
}
