import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type Job, jobs, newJob } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { changingLists } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { claimingNames } from '../../../../functions/batch/jobs/domain/job/names.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { barriers } from '../../barriers.ts';
import { watch } from '../../chromium.ts';
import { DESKTOP, look } from '../../look.ts';

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

  const lookAt = (page: Page, name: string, find = barriers): Promise<void> =>
    look(page, `dashboard-${name}`, find);

  return { logIn, open, visit, look: lookAt };
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
