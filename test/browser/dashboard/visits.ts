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
import { takePicture, watch } from '../chromium.ts';

export const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
export const DESKTOP = { viewport: { width: 1280, height: 900 } };

/** Both languages, layouts and schemes. */
export const LOOKS = [
  { locale: 'en-US', colorScheme: 'light', ...DESKTOP },
  { locale: 'pt-BR', colorScheme: 'dark', ...PHONE },
] as const;
export type Look = Pick<(typeof LOOKS)[number], 'locale' | 'colorScheme' | 'viewport'>;

/** Operators in front of the dashboard. Each visit has a session of its own. */
export function operatorVisits(browser: Browser, url: string) {
  async function logIn(context: BrowserContext): Promise<void> {
    const form = { ApiKey: SANDBOX_KEY, ReturnUrl: '/login' };
    const login = await context.request.post(`${url}/batch/api/auth/login`, { form, maxRedirects: 0 });
    if (login.status() !== 303) throw new Error(`The login was answered ${login.status()}.`);
  }

  /** An operator who has logged in, and opens pages with `at`. */
  async function open(options: BrowserContextOptions = {}) {
    const timezoneId = 'America/Sao_Paulo';
    const context = await browser.newContext({ locale: 'en-US', timezoneId, ...DESKTOP, ...options });
    await logIn(context);
    const page = await context.newPage();
    const seen = watch(page, url);
    const at = (path: string) => page.goto(`${url}/batch${path === '' ? '' : `/dashboard/${path}`}`);
    return { context, page, seen, at, close: () => context.close() };
  }

  /** An operator who has opened this page. Without a path it is the overview. */
  async function visit(path: string, options: BrowserContextOptions = {}) {
    const opened = await open(options);
    await opened.at(path);
    return opened;
  }

  /** No barrier, nothing wider than the screen, and a picture for people. */
  async function look(page: Page, name: string, by: Look): Promise<void> {
    const { locale, colorScheme, ...screen } = by;
    const kind = screen.viewport.width === PHONE.viewport.width ? 'phone' : 'desktop';
    await takePicture(page, `dashboard-${name}-${locale}-${kind}-${colorScheme}`);
    expect([name, await barriers(page)]).toEqual([name, []]);
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    expect([name, width <= screen.viewport.width]).toEqual([name, true]);
  }

  return { logIn, open, visit, look };
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
  const known = {
    profileName: 'default',
    externalReference: null,
    encryption: null,
    encryptionEnabled: false,
  };
  return { ...newJob({ id, ...request, ...rest, ...known }, 'Uploaded.', Date.now()), ...fields };
}
